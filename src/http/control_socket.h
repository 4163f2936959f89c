// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"

namespace atrium::http {

/// A Unix socket that exists as a file, on which the operator's own commands talk to the running
/// server. Who may open the file may do everything, so it is for its owner alone (mode 0600).
///
/// The file goes when the object does, unless another server has put its own there meanwhile.
class ControlSocket {
 public:
  /// Binds and listens; `path` may be of any length. A file left behind by a server that was killed
  /// is replaced. kUnavailable when a server listens there already, kPermissionDenied when anybody
  /// may put files into the folder, kAlreadyExists when the file is no socket.
  static Result<ControlSocket> Listen(const std::string& path);

  ControlSocket(ControlSocket&& other) noexcept
      : path_(std::exchange(other.path_, {})),
        device_(other.device_),
        inode_(other.inode_),
        descriptor_(std::move(other.descriptor_)) {}
  ControlSocket(const ControlSocket&) = delete;
  ControlSocket& operator=(const ControlSocket&) = delete;
  ControlSocket& operator=(ControlSocket&&) = delete;
  ~ControlSocket() { Remove(); }

  /// Gives away the descriptor that listens; the file stays ours.
  int Release() { return descriptor_.Release(); }

  /// Takes the file away, so that nobody comes any more.
  void Remove();

 private:
  ControlSocket(std::string path, Descriptor descriptor);

  std::string path_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  Descriptor descriptor_;
};

/// A connection to the server that listens there; nullopt when none does. kPermissionDenied when it
/// belongs to somebody else.
Result<std::optional<Descriptor>> ConnectToControlSocket(const std::string& path);

}  // namespace atrium::http

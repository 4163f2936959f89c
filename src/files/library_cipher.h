// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/sealed_box.h"
#include "files/library_lock.h"
#include "files/object_id.h"

namespace atrium::files {

/// What encrypts the blocks of one library, derived from the secret in its lock. Exists only in
/// memory, and wipes itself from there when it goes. Any number of threads at once.
class LibraryKey {
 public:
  /// The key for a secret: what every client derives from it.
  explicit LibraryKey(const SecretKey& secret);
  LibraryKey(LibraryKey&& other) noexcept;
  LibraryKey& operator=(LibraryKey&& other) noexcept;
  LibraryKey(const LibraryKey&) = delete;
  LibraryKey& operator=(const LibraryKey&) = delete;
  ~LibraryKey();

  /// How much longer a block may become.
  static constexpr std::size_t kPaddingMax = 16;

  /// AES-256-CBC, the same for the same bytes, as clients need it: blocks keep their ids. One to
  /// kPaddingMax bytes longer. Blocks have at most 1 GiB.
  std::string EncryptBlock(std::string_view plain) const;

  /// kCorrupt when the bytes were not encrypted with this key. Nothing authenticates them: a block
  /// that was altered may also decrypt to something else, which its id tells.
  Result<std::string> DecryptBlock(std::string_view encrypted) const;

 private:
  std::array<std::byte, 32> key_{};
  std::array<std::byte, 16> iv_{};
};

/// A lock of version 2, the only one that all clients open, for a new library with a new secret.
/// kInvalidArgument for an empty password.
Result<LibraryLock> MakeLibraryLock(const LibraryId& library, std::string_view password);
/// The same for a secret that is already in use.
Result<LibraryLock> MakeLibraryLock(const LibraryId& library, std::string_view password,
                                    const SecretKey& secret);

/// kPermissionDenied when the password is another, compared in constant time; kInvalidArgument for
/// a lock of another version than 2; kCorrupt for one that the right password does not open.
Result<LibraryKey> UnlockLibrary(const LibraryLock& lock, const LibraryId& library,
                                 std::string_view password);

struct PasswordChange {
  std::string_view from;
  std::string_view to;
};

/// The lock with another password and the same secret, so that all blocks stay as they are. Errors
/// are those of UnlockLibrary and MakeLibraryLock.
Result<LibraryLock> ChangeLibraryPassword(const LibraryLock& lock, const LibraryId& library,
                                          const PasswordChange& change);

}  // namespace atrium::files

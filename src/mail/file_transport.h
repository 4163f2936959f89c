// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>
#include <utility>

#include "base/id_source.h"
#include "base/result.h"
#include "mail/transport.h"

namespace atrium::mail {

/// Drops each letter as a file "<ULID>.eml" into a folder, so that names sort by time. For
/// development and tests: links in letters can be read without a mail server.
///
/// The folder is made when it is missing, for its owner alone. A file appears whole: it is written
/// under a hidden name first. kUnavailable when the folder cannot be written. `ids` outlives it.
class FileTransport final : public Transport {
 public:
  FileTransport(std::filesystem::path folder, IdSource& ids)
      : folder_(std::move(folder)), ids_(ids) {}

  Result<void> Send(const Envelope& envelope, std::string_view mime) override;

 private:
  std::filesystem::path folder_;
  IdSource& ids_;
};

}  // namespace atrium::mail

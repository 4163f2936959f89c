// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>
#include <string_view>

#include "base/result.h"

namespace atrium::mail {

/// Whom a letter is handed over for. Addresses alone, without names.
struct Envelope {
  std::string from{};
  std::string to{};
  /// Requested when nobody waits for the outcome any more; then kUnavailable, soon.
  std::stop_token stop{};
};

/// A way out for letters. Used by one thread at a time.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  /// Hands one letter over; once it answers, the letter is somebody else's.
  ///
  /// kInvalidArgument and kPermissionDenied: this letter will never be taken. Everything else, of
  /// which kUnavailable and kDeadlineExceeded are usual: try again later. After a failure the
  /// letter may have been taken all the same.
  virtual Result<void> Send(const Envelope& envelope, std::string_view mime) = 0;
};

}  // namespace atrium::mail

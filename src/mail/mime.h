// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/instant.h"
#include "base/result.h"
#include "mail/letter.h"

namespace atrium::mail {

/// What a letter says about itself besides its words.
struct MimeHead {
  /// "Atrium <atrium@example.org>" or an address alone.
  std::string from{};
  Instant date{};
  /// Without angle brackets: "01J…@example.org". The same in each attempt, so that a mail server
  /// that got a letter twice can tell.
  std::string message_id{};
};

/// The bytes that go to a mail server: RFC 5322 headers and multipart/alternative, text first, both
/// parts quoted-printable in UTF-8. Every line ends in CRLF and has at most 76 characters, but for
/// addresses and ids, which cannot be broken.
///
/// kInvalidArgument for what could end a header early or begin another: control characters in the
/// subject, and addresses or ids that IsMailAddress() refuses; also for a subject that is not
/// UTF-8.
Result<std::string> RenderMime(const Message& message, const MimeHead& head);

}  // namespace atrium::mail

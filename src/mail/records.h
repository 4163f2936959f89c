// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <optional>
#include <string>

#include "base/instant.h"
#include "mail/letter.h"

namespace atrium::mail {

/// A letter that waits to be sent, or that nobody would take.
struct OutgoingMail {
  /// A ULID.
  std::string id{};
  Message message{};
  /// Given once, when the letter is queued.
  std::string message_id{};
  Instant queued_at{};
  Instant due_at{};
  unsigned attempts = 0;
  /// From then on the letter would only mislead, and is dropped.
  std::optional<Instant> valid_until{};
  /// Set: it is not tried any more, unless an operator asks for it.
  std::optional<Instant> dead_at{};
  /// From then on nothing is left of it.
  std::optional<Instant> gone_at{};
  std::string last_error{};
  /// "kind:…": what the letter is about; the watcher of that kind hears of its fate. nullopt:
  /// nobody asks.
  std::optional<std::string> about{};
  /// When an operator asked for it again; failures count from then on.
  std::optional<Instant> retried_at{};

  friend bool operator==(const OutgoingMail&, const OutgoingMail&) = default;
};
BOOST_DESCRIBE_STRUCT(OutgoingMail, (),
                      (id, message, message_id, queued_at, due_at, attempts, valid_until, dead_at,
                       gone_at, last_error, about, retried_at))

}  // namespace atrium::mail

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <vector>

namespace atrium::mail {

/// The one thing a letter asks its reader to do.
struct Button {
  std::string label{};
  /// Absolute. Also spelled out below the button, for readers that show no HTML.
  std::string url{};
};

/// A letter as rooms write it: words without any markup, in UTF-8.
struct Letter {
  std::string to{};
  std::string subject{};
  std::string greeting{};
  std::vector<std::string> paragraphs{};
  std::optional<Button> button{};
  std::string closing{};
};

/// The same letter twice, ready to be queued: as plain text and as HTML.
struct Message {
  /// An address alone: "ann@example.org".
  std::string to{};
  std::string subject{};
  std::string text{};
  std::string html{};

  friend bool operator==(const Message&, const Message&) = default;
};
BOOST_DESCRIBE_STRUCT(Message, (), (to, subject, text, html))

/// Sets the letter in both templates. Everything in it is escaped in HTML, so names that people
/// gave themselves may stand in it. The HTML loads nothing from anywhere: opening a letter tells
/// nobody. Empty parts are left out.
Message Compose(const Letter& letter);

}  // namespace atrium::mail

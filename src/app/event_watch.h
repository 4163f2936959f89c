// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "app/api_door.h"
#include "app/calendar_actions.h"
#include "app/command_line.h"
#include "base/result.h"

namespace atrium::app {

/// A server-sent event.
struct HeardEvent {
  std::string id{};
  std::string name{};
  std::string text{};
};

/// Takes server-sent events out of a stream, however it is cut into pieces.
class EventLines {
 public:
  using Hear = std::function<void(const HeardEvent&)>;
  explicit EventLines(Hear hear) : hear_(std::move(hear)) {}

  void Take(std::string_view piece);
  /// What arrived of an event that did not end is forgotten.
  void Restart();
  /// From where to go on; empty when there was no id yet.
  const std::string& LastId() const { return last_id_; }

 private:
  void TakeLine(std::string_view line);

  const Hear hear_;
  std::string unread_{};
  std::string last_id_{};
  HeardEvent event_{};
  bool has_text_ = false;
};

/// One line about an event, for people; what a document says comes out escaped.
std::string DescribeEvent(const HeardEvent& event);

struct WatchTerms {
  /// Path and query, without a last id.
  std::string target{};
  std::string last_event_id{};
  OutputFormat format = OutputFormat::kText;
  /// Between two attempts to reach the server.
  std::chrono::milliseconds pause{1000};
};

/// Prints one line for each event until the process is ended. Comes again with the last id whenever
/// the stream ends or the server cannot be reached; any other refusal is an error.
Result<void> WatchEvents(ApiDoor& door, const WatchTerms& terms);

}  // namespace atrium::app

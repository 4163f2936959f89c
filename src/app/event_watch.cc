// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/event_watch.h"

#include <algorithm>
#include <array>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <thread>
#include <utility>

#include "app/api_answers.h"
#include "app/document_text.h"
#include "base/json_write.h"

namespace atrium::app {
namespace {

namespace json = boost::json;

/// A stream that lives longer is asked for anew.
constexpr std::chrono::hours kStreamTime{24};

/// What one looks at first in the things that events tell of.
std::string NameOf(const json::object& thing) {
  for (const std::string_view name :
       {"title", "name", "email", "entry_id", "calendar_id", "message"}) {
    if (const auto text = FindText(thing, name)) {
      return *text;
    }
  }
  return "";
}

json::object ThingOf(const json::object& text) {
  for (const std::string_view name : {"entry", "calendar", "member"}) {
    if (const json::value* thing = text.if_contains(name); thing != nullptr && thing->is_object()) {
      return thing->get_object();
    }
  }
  return text;
}

std::string RenderLine(const HeardEvent& event, OutputFormat format) {
  if (format != OutputFormat::kJson) {
    return DescribeEvent(event);
  }
  std::string line = R"({"id":)";
  AppendJson(line, event.id);
  line += R"(,"event":)";
  AppendJson(line, event.name);
  return line + R"(,"data":)" + (event.text.empty() ? "null" : event.text) + "}\n";
}

bool MayPass(const Error& error) {
  return error.code == ErrorCode::kUnavailable || error.code == ErrorCode::kDeadlineExceeded;
}

}  // namespace

void EventLines::Take(std::string_view piece) {
  unread_ += piece;
  std::string_view rest = unread_;
  for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
    TakeLine(rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  unread_.erase(0, unread_.size() - rest.size());
}

void EventLines::Restart() {
  unread_.clear();
  event_ = {};
  has_text_ = false;
}

void EventLines::TakeLine(std::string_view line) {
  if (line.empty()) {
    last_id_ = event_.id.empty() ? last_id_ : event_.id;
    // Without text it is no event, and says only from where to go on.
    if (has_text_) {
      hear_(event_);
    }
    event_ = {};
    has_text_ = false;
    return;
  }
  const std::size_t colon = std::min(line.find(':'), line.size());
  const std::string_view field = line.substr(0, colon);
  std::string_view value = line.substr(std::min(colon + 1, line.size()));
  value.remove_prefix(value.starts_with(' ') ? 1 : 0);
  if (field == "id") {
    event_.id = value;
  } else if (field == "event") {
    event_.name = value;
  } else if (field == "data") {
    event_.text.append(has_text_ ? "\n" : "").append(value);
    has_text_ = true;
  }
}

std::string DescribeEvent(const HeardEvent& event) {
  const auto text = ReadObject(event.text);
  json::object shown{{"event", event.name}};
  if (text) {
    shown["what"] = NameOf(ThingOf(*text));
    shown["date"] = FindText(*text, "date").value_or("");
  }
  constexpr std::array kColumns{Column{.title = "EVENT             ", .member = "event"},
                                Column{.title = "DATE      ", .member = "date"},
                                Column{.title = "WHAT", .member = "what"}};
  const std::string table = RenderTable(kColumns, {json::value(shown)});
  return table.substr(table.find('\n') + 1);
}

Result<void> WatchEvents(ApiDoor& door, const WatchTerms& terms) {
  EventLines lines([&terms](const HeardEvent& event) {
    const std::string line = RenderLine(event, terms.format);
    std::fwrite(line.data(), 1, line.size(), stdout);
    std::fflush(stdout);
  });
  for (;;) {
    const std::string& last = lines.LastId().empty() ? terms.last_event_id : lines.LastId();
    std::string target = terms.target;
    if (!last.empty()) {
      target += (target.contains('?') ? "&" : "?") +
                http::RenderForm({.fields = {{.name = "last_event_id", .value = last}}});
    }
    const Result<void> ended = door.Stream({.target = std::move(target), .timeout = kStreamTime},
                                           [&lines](std::string_view piece) { lines.Take(piece); });
    if (!ended && !MayPass(ended.error())) {
      return ended;
    }
    lines.Restart();
    std::this_thread::sleep_for(terms.pause);
  }
}

}  // namespace atrium::app

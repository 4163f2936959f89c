// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/text_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "icalendar/letter_case.h"
#include "icalendar/quote.h"

namespace atrium::icalendar {
namespace {

constexpr std::string_view kCalendar = "VCALENDAR";

/// VALARM may hold VLOCATION (RFC 9073 §7.2); nothing is deeper than that.
constexpr std::size_t kDepthMax = 4;

/// What stands in a calendar and never within another component: where one of these begins, the one
/// before has ended, whatever it says.
constexpr auto kTopLevel = std::to_array<std::string_view>(
    {kCalendar, "VEVENT", "VTODO", "VJOURNAL", "VFREEBUSY", "VTIMEZONE"});

}  // namespace

/// BEGIN or END of a component.
struct TextBlocks::Marker {
  enum class Kind : std::uint8_t { kNone, kBegin, kEnd };

  Kind kind = Kind::kNone;
  std::string name{};

  static Marker In(std::string_view line) {
    constexpr std::string_view kBegin = "BEGIN:";
    constexpr std::string_view kEnd = "END:";
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    if (SameLetters(line.substr(0, kBegin.size()), kBegin)) {
      return {.kind = Kind::kBegin, .name = ToUpper(line.substr(kBegin.size()))};
    }
    if (SameLetters(line.substr(0, kEnd.size()), kEnd)) {
      return {.kind = Kind::kEnd, .name = ToUpper(line.substr(kEnd.size()))};
    }
    return {};
  }
};

TextBlocks::TextBlocks(std::string_view text) : text_(text) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text_.starts_with(kByteOrderMark)) {
    position_ = kByteOrderMark.size();
  }
}

std::optional<Piece> TextBlocks::Next() {
  while (std::optional<TextLine> line = TakeLine()) {
    if (line->text.empty()) {
      continue;
    }
    std::optional<Piece> piece =
        open_.empty() ? Outside(*std::move(line)) : Inside(*std::move(line));
    if (piece) {
      return piece;
    }
  }
  return AtEnd();
}

std::string_view TextBlocks::TakeRawLine() {
  const std::size_t end = std::min(text_.find('\n', position_), text_.size());
  std::string_view line = text_.substr(position_, end - position_);
  position_ = std::min(end + 1, text_.size());
  ++line_number_;
  while (line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  return line;
}

std::optional<TextLine> TextBlocks::TakeLine() {
  if (pending_) {
    return std::exchange(pending_, std::nullopt);
  }
  if (position_ >= text_.size()) {
    return std::nullopt;
  }
  TextLine line{.number = line_number_, .text = {}};
  // One byte more than a block may have, which Keep() notices.
  line.text = TakeRawLine().substr(0, kBlockBytesMax + 1);
  while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\t')) {
    const std::string_view more = TakeRawLine().substr(1);
    if (line.text.size() <= kBlockBytesMax) {
      line.text += more.substr(0, kBlockBytesMax + 1);
    }
  }
  return line;
}

std::optional<Piece> TextBlocks::Outside(TextLine line) {
  const Marker marker = Marker::In(line.text);
  if (marker.kind != Marker::Kind::kNone) {
    return OutsideMarker(marker, line.number);
  }
  if (!in_calendar_) {
    return Stray(line.number, "stands in no calendar");
  }
  in_stray_text_ = false;
  if (line.text.size() > kBlockBytesMax) {
    return Stray(line.number, "is larger than 64 KiB");
  }
  return CalendarLine{.line = std::move(line)};
}

std::optional<Piece> TextBlocks::OutsideMarker(const Marker& marker, std::size_t line) {
  if (marker.name == kCalendar && marker.kind == Marker::Kind::kBegin) {
    const bool unclosed = std::exchange(in_calendar_, true);
    has_calendar_ = true;
    in_stray_text_ = false;
    return unclosed ? Stray(line, "begins a calendar before the one before has ended")
                    : std::nullopt;
  }
  if (marker.name == kCalendar && in_calendar_) {
    in_calendar_ = false;
    in_stray_text_ = false;
    return std::nullopt;
  }
  if (marker.kind == Marker::Kind::kEnd) {
    return Stray(line, fmt::format("END:{} closes nothing", Shown(marker.name)));
  }
  in_stray_text_ = false;
  open_ = {marker.name};
  block_ = {.name = marker.name, .line = line, .lines = {}};
  block_bytes_ = 0;
  fault_.clear();
  return std::nullopt;
}

std::optional<Piece> TextBlocks::Inside(TextLine line) {
  const Marker marker = Marker::In(line.text);
  switch (marker.kind) {
    case Marker::Kind::kBegin:
      return Begin(marker, std::move(line));
    case Marker::Kind::kEnd:
      return End(marker, std::move(line));
    case Marker::Kind::kNone:
      break;
  }
  Keep(std::move(line));
  return std::nullopt;
}

std::optional<Piece> TextBlocks::Begin(const Marker& marker, TextLine line) {
  if (std::ranges::find(kTopLevel, marker.name) != kTopLevel.end()) {
    Fault(fmt::format("has not ended where line {} begins a {}", line.number, marker.name));
    pending_ = std::move(line);
    return Finish();
  }
  if (open_.size() >= kDepthMax) {
    Fault(fmt::format("holds too much within each other on line {}", line.number));
    return std::nullopt;
  }
  open_.push_back(marker.name);
  Keep(std::move(line));
  return std::nullopt;
}

std::optional<Piece> TextBlocks::End(const Marker& marker, TextLine line) {
  if (marker.name == kCalendar) {
    Fault(fmt::format("has not ended where line {} ends the calendar", line.number));
    pending_ = std::move(line);
    return Finish();
  }
  const auto opener = std::ranges::find(open_.rbegin(), open_.rend(), marker.name);
  if (opener == open_.rend()) {
    Fault(fmt::format("END:{} on line {} closes nothing", Shown(marker.name), line.number));
    return std::nullopt;
  }
  if (opener != open_.rbegin()) {
    Fault(fmt::format("{} in it has not ended where line {} ends {}", Shown(open_.back()),
                      line.number, Shown(marker.name)));
  }
  open_.erase(std::prev(opener.base()), open_.end());
  if (open_.empty()) {
    return Finish();
  }
  Keep(std::move(line));
  return std::nullopt;
}

std::optional<Piece> TextBlocks::AtEnd() {
  if (!open_.empty()) {
    Fault("has not ended where the file ends");
    return Finish();
  }
  if (std::exchange(in_calendar_, false)) {
    in_stray_text_ = false;
    return Stray(line_number_ - 1, "the file ends before its calendar does: it was cut short");
  }
  return std::nullopt;
}

std::optional<Piece> TextBlocks::Stray(std::size_t line, std::string reason) {
  if (std::exchange(in_stray_text_, true)) {
    return std::nullopt;
  }
  return StrayText{.line = line, .reason = std::move(reason)};
}

void TextBlocks::Keep(TextLine line) {
  block_bytes_ += line.text.size() + 1;
  if (block_bytes_ > kBlockBytesMax) {
    Fault("is larger than 64 KiB");
    return;
  }
  block_.lines.push_back(std::move(line));
}

void TextBlocks::Fault(std::string reason) {
  // The first one is what people have to look at.
  if (fault_.empty()) {
    fault_ = std::move(reason);
  }
}

Piece TextBlocks::Finish() {
  open_.clear();
  Block block = std::exchange(block_, {});
  if (fault_.empty()) {
    return block;
  }
  return BrokenBlock{.block = std::move(block), .reason = std::exchange(fault_, {})};
}

}  // namespace atrium::icalendar

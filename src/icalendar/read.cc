// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/read.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "icalendar/color.h"
#include "icalendar/content_line.h"
#include "icalendar/item.h"
#include "icalendar/item_parser.h"
#include "icalendar/letter_case.h"
#include "icalendar/quote.h"
#include "icalendar/text_blocks.h"
#include "icalendar/values.h"

namespace atrium::icalendar {
namespace {

std::optional<std::chrono::minutes> ParseInterval(std::string_view text) {
  const Result<Duration> duration = ParseDuration(text);
  if (!duration) {
    return std::nullopt;
  }
  const auto whole =
      std::chrono::ceil<std::chrono::minutes>(std::chrono::days(duration->days) + duration->time);
  return whole.count() > 0 ? std::optional(whole) : std::nullopt;
}

/// Where a calendar says a thing twice, in the words of RFC 7986 and in older ones, the first
/// counts.
void SetOnce(std::string& field, std::string value) {
  if (field.empty()) {
    field = std::move(value);
  }
}

void ReadHeadLine(const Property& property, CalendarHead& head) {
  const std::string& name = property.name;
  if (name == "NAME" || name == "X-WR-CALNAME") {
    SetOnce(head.name, UnescapeText(property.value));
  } else if (name == "DESCRIPTION" || name == "X-WR-CALDESC") {
    SetOnce(head.description, UnescapeText(property.value));
  } else if (name == "COLOR") {
    SetOnce(head.color, ParseColor(property.value).value_or(""));
  } else if (name == "X-APPLE-CALENDAR-COLOR") {
    // More exact than a name, so it wins.
    head.color = ParseColor(property.value).value_or(head.color);
  } else if (name == "REFRESH-INTERVAL" || name == "X-PUBLISHED-TTL") {
    head.refresh_interval =
        head.refresh_interval ? head.refresh_interval : ParseInterval(property.value);
  }
}

/// What can be told of an item that cannot be read.
Refusal RefusalOf(const Block& block, std::string_view reason) {
  Refusal refusal{.line = block.line, .uid = {}, .summary = {}, .reason = std::string(reason)};
  for (const TextLine& line : block.lines) {
    const Result<Property> property = ParseContentLine(line);
    if (!property) {
      continue;
    }
    if (property->name == "BEGIN") {
      // A reminder has a summary of its own.
      break;
    }
    if (property->name == "UID") {
      refusal.uid = Shown(UnescapeText(property->value));
    } else if (property->name == "SUMMARY") {
      refusal.summary = Shown(UnescapeText(property->value));
    }
  }
  return refusal;
}

std::optional<Finding> FindingIn(const Block& block, ZoneNames& zones) {
  if (block.name == "VTIMEZONE") {
    return std::nullopt;
  }
  Result<ParsedItem> parsed = ParseItem(block, zones);
  if (!parsed) {
    return RefusalOf(block, parsed.error().client_message);
  }
  return FoundItem{
      .line = block.line, .item = std::move(parsed->item), .notes = std::move(parsed->notes)};
}

std::optional<Finding> FindingIn(const BrokenBlock& broken, ZoneNames& /*zones*/) {
  return RefusalOf(broken.block, Shown(broken.block.name) + " " + broken.reason);
}

std::optional<Finding> FindingIn(const CalendarLine& /*line*/, ZoneNames& /*zones*/) {
  return std::nullopt;
}

std::optional<Finding> FindingIn(const StrayText& stray, ZoneNames& /*zones*/) {
  return Refusal{.line = stray.line, .uid = {}, .summary = {}, .reason = stray.reason};
}

}  // namespace

Result<ItemReader> ItemReader::Open(std::string_view text, const ReadTerms& terms) {
  ItemReader reader(text, terms);
  TextBlocks blocks(text);
  while (const std::optional<Piece> piece = blocks.Next()) {
    if (const auto* block = std::get_if<Block>(&*piece)) {
      reader.Learn(*block);
    } else if (const auto* line = std::get_if<CalendarLine>(&*piece)) {
      RETURN_IF_ERROR(reader.Learn(*line));
    }
  }
  if (!blocks.HasCalendar()) {
    return Fail(ErrorCode::kInvalidArgument, "the file is not an iCalendar file");
  }
  return reader;
}

void ItemReader::Learn(const Block& block) {
  if (block.name == "VTIMEZONE") {
    zones_.Declare(block);
  } else {
    zones_.NoteUses(block);
  }
}

Result<void> ItemReader::Learn(const CalendarLine& calendar_line) {
  const Result<Property> property = ParseContentLine(calendar_line.line);
  if (!property) {
    return {};
  }
  if (property->name == "VERSION" && property->value == "1.0") {
    return Fail(ErrorCode::kInvalidArgument,
                "the file is a vCalendar 1.0, which is older than iCalendar");
  }
  if (property->name == "X-WR-TIMEZONE") {
    zones_.DeclareDefault(UnescapeText(property->value));
  }
  ReadHeadLine(*property, head_);
  return {};
}

std::optional<Finding> ItemReader::Next() {
  while (const std::optional<Piece> piece = blocks_.Next()) {
    std::optional<Finding> finding = std::visit(
        [this](const auto& alternative) { return FindingIn(alternative, zones_); }, *piece);
    if (finding) {
      return finding;
    }
  }
  return std::nullopt;
}

Result<std::vector<Finding>> ReadItems(std::string_view text) {
  ASSIGN_OR_RETURN(ItemReader reader, ItemReader::Open(text));
  std::vector<Finding> findings;
  while (std::optional<Finding> finding = reader.Next()) {
    findings.push_back(*std::move(finding));
  }
  return findings;
}

}  // namespace atrium::icalendar

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/item_parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "base/hex.h"
#include "base/instant.h"
#include "base/result.h"
#include "icalendar/color.h"
#include "icalendar/component.h"
#include "icalendar/content_line.h"
#include "icalendar/item.h"
#include "icalendar/item_alarms.h"
#include "icalendar/item_people.h"
#include "icalendar/item_times.h"
#include "icalendar/letter_case.h"
#include "icalendar/quote.h"
#include "icalendar/text_blocks.h"
#include "icalendar/values.h"
#include "icalendar/zone_names.h"

namespace atrium::icalendar {
namespace {

std::optional<std::uint32_t> ParseNumber(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return number;
}

/// A moment that must be in UTC; a note when it is not.
std::optional<Instant> ReadMoment(const Property& property, Notes& notes) {
  const Result<TimeValue> time = ParseTime(property.value);
  if (!time || time->form != TimeForm::kUtc) {
    notes.Add(property, "not kept: is not a moment in UTC");
    return std::nullopt;
  }
  return UtcInstant(time->at);
}

void ReadUid(const Property& property, Item& item, Notes& /*notes*/) {
  item.uid = UnescapeText(property.value);
}

void ReadSummary(const Property& property, Item& item, Notes& /*notes*/) {
  item.summary = UnescapeText(property.value);
}

void ReadDescription(const Property& property, Item& item, Notes& /*notes*/) {
  item.description = UnescapeText(property.value);
}

void ReadLocation(const Property& property, Item& item, Notes& /*notes*/) {
  item.location = UnescapeText(property.value);
}

void ReadStatus(const Property& property, Item& item, Notes& notes) {
  if (SameLetters(property.value, "CANCELLED")) {
    item.cancelled = true;
  } else if (SameLetters(property.value, "COMPLETED") && item.kind == ItemKind::kTodo) {
    item.completed = true;
  } else if (!SameLetters(property.value, "CONFIRMED") &&
             !SameLetters(property.value, "NEEDS-ACTION")) {
    notes.Add(property, fmt::format("not kept: \"{}\"", Shown(property.value)));
  }
}

void ReadCompleted(const Property& property, Item& item, Notes& notes) {
  if (item.kind != ItemKind::kTodo) {
    notes.NotKept(property.name);
    return;
  }
  item.completed = true;
  item.completed_at = ReadMoment(property, notes);
}

void ReadPercentComplete(const Property& property, Item& item, Notes& notes) {
  const std::optional<std::uint32_t> percent = ParseNumber(property.value);
  if (percent == 100 && item.kind == ItemKind::kTodo) {
    item.completed = true;
  } else if (percent != 0) {
    notes.NotKept(property.name);
  }
}

void ReadTransparency(const Property& property, Item& item, Notes& notes) {
  if (item.kind == ItemKind::kTodo) {
    notes.NotKept(property.name);
  } else if (SameLetters(property.value, "TRANSPARENT")) {
    item.transparent = true;
  } else if (!SameLetters(property.value, "OPAQUE")) {
    notes.Add(property, fmt::format("not kept: \"{}\"", Shown(property.value)));
  }
}

void ReadColorName(const Property& property, Item& item, Notes& notes) {
  const std::optional<std::string> color = ParseColor(property.value);
  if (!color) {
    notes.Add(property, fmt::format("not kept: \"{}\" is not a colour", Shown(property.value)));
  } else if (item.color.empty()) {
    item.color = *color;
  }
}

/// More exact than a name, so it wins.
void ReadExactColor(const Property& property, Item& item, Notes& notes) {
  const std::optional<std::string> color = ParseColor(property.value);
  if (!color) {
    notes.Add(property, fmt::format("not kept: \"{}\" is not a colour", Shown(property.value)));
    return;
  }
  item.color = *color;
}

void ReadCreated(const Property& property, Item& item, Notes& notes) {
  item.created = ReadMoment(property, notes);
}

void ReadLastModified(const Property& property, Item& item, Notes& notes) {
  item.last_modified = ReadMoment(property, notes);
}

void ReadSequence(const Property& property, Item& item, Notes& notes) {
  const std::optional<std::uint32_t> sequence = ParseNumber(property.value);
  if (!sequence) {
    notes.Add(property, "not kept: is not a number");
  }
  item.sequence = sequence.value_or(0);
}

void ReadClass(const Property& property, Item& /*item*/, Notes& notes) {
  if (!SameLetters(property.value, "PUBLIC")) {
    notes.Add(property, fmt::format("not kept: \"{}\"", Shown(property.value)));
  }
}

struct Reader {
  std::string_view name;
  void (*read)(const Property& property, Item& item, Notes& notes);
};

constexpr auto kReaders = std::to_array<Reader>({
    {.name = "UID", .read = ReadUid},
    {.name = "SUMMARY", .read = ReadSummary},
    {.name = "DESCRIPTION", .read = ReadDescription},
    {.name = "LOCATION", .read = ReadLocation},
    {.name = "URL", .read = ReadUrl},
    {.name = "ORGANIZER", .read = ReadOrganizer},
    {.name = "STATUS", .read = ReadStatus},
    {.name = "COMPLETED", .read = ReadCompleted},
    {.name = "PERCENT-COMPLETE", .read = ReadPercentComplete},
    {.name = "TRANSP", .read = ReadTransparency},
    {.name = "COLOR", .read = ReadColorName},
    {.name = "X-APPLE-CALENDAR-COLOR", .read = ReadExactColor},
    {.name = "CREATED", .read = ReadCreated},
    {.name = "LAST-MODIFIED", .read = ReadLastModified},
    {.name = "SEQUENCE", .read = ReadSequence},
    {.name = "CLASS", .read = ReadClass},
});

/// Read by ReadTimes(), or about the file rather than the item.
constexpr auto kElsewhere =
    std::to_array<std::string_view>({"DTSTART", "DTEND", "DUE", "DURATION", "RRULE", "RDATE",
                                     "EXDATE", "RECURRENCE-ID", "DTSTAMP"});

void ReadProperties(const Component& component, Item& item, Notes& notes) {
  std::array<bool, kReaders.size()> seen{};
  for (const Property& property : component.properties) {
    if (property.value.empty() ||
        std::ranges::find(kElsewhere, property.name) != kElsewhere.end()) {
      continue;
    }
    if (property.name == "ATTENDEE") {
      ReadAttendee(property, item, notes);
      continue;
    }
    const auto* const reader = std::ranges::find(kReaders, property.name, &Reader::name);
    if (reader == kReaders.end()) {
      notes.NotKept(property.name);
      continue;
    }
    const auto index = static_cast<std::size_t>(reader - kReaders.begin());
    if (std::exchange(seen.at(index), true)) {
      notes.Add(property, "not kept: it is there already");
    } else {
      reader->read(property, item, notes);
    }
  }
}

/// From the text, so that the same text is the same item when it is read again; but DTSTAMP says
/// only when it was written.
std::string MakeUid(const Block& block) {
  constexpr std::size_t kBytes = 16;
  constexpr std::string_view kStamp = "DTSTAMP";
  Sha256 hash;
  hash.Update(block.name);
  for (const TextLine& line : block.lines) {
    if (SameLetters(std::string_view(line.text).substr(0, kStamp.size()), kStamp)) {
      continue;
    }
    hash.Update("\n");
    hash.Update(line.text);
  }
  const Sha256Digest digest = hash.Finish();
  return "atrium-" + EncodeHex(std::span(digest).first(kBytes));
}

Result<ItemKind> KindOf(const Block& block) {
  if (block.name == "VEVENT") {
    return ItemKind::kEvent;
  }
  if (block.name == "VTODO") {
    return ItemKind::kTodo;
  }
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("a {} is neither an event nor a task", Shown(block.name)));
}

}  // namespace

Result<ParsedItem> ParseItem(const Block& block, ZoneNames& zones) {
  ParsedItem parsed;
  Notes notes;
  ASSIGN_OR_RETURN(parsed.item.kind, KindOf(block));
  ASSIGN_OR_RETURN(const Component component, ParseComponent(block));
  RETURN_IF_ERROR(ReadTimes(component, zones, parsed.item, notes));
  ReadProperties(component, parsed.item, notes);
  ReadAlarms(component, parsed.item, notes);
  if (parsed.item.uid.empty()) {
    parsed.item.uid = MakeUid(block);
    notes.Add("has no UID: one was made from its text");
  }
  parsed.notes = std::move(notes).Take();
  return parsed;
}

}  // namespace atrium::icalendar

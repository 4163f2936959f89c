// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/check.h"
#include "base/error.h"
#include "base/instant.h"
#include "base/result.h"
#include "base/utf8.h"
#include "fuzz/fuzzing.h"
#include "icalendar/item.h"
#include "icalendar/participant.h"
#include "icalendar/read.h"
#include "icalendar/text_blocks.h"
#include "icalendar/write.h"

namespace atrium::fuzz {
namespace {

using icalendar::FoundItem;
using icalendar::Item;
using icalendar::ItemKind;
using icalendar::Refusal;

void CheckItem(const Item& item) {
  Check(!item.uid.empty(), "an item has a UID");
  for (const std::string& text :
       {item.uid, item.summary, item.description, item.location, item.url}) {
    Check(IsValidUtf8(text), "texts are UTF-8");
  }
  for (const icalendar::Attendee& attendee : item.attendees) {
    Check(!attendee.address.empty() && IsValidUtf8(attendee.address + attendee.name.value_or("")),
          "an attendee has an address");
  }
  const bool event = item.kind == ItemKind::kEvent;
  Check(!event || (item.start && item.end), "an event starts and ends");
  Check(!item.start || !item.end || *item.start <= *item.end, "the end is not before the start");
  Check(!item.all_day || item.zone.empty(), "days have no zone");
  Check(std::ranges::is_sorted(item.additions), "additions are sorted");
  Check(std::ranges::is_sorted(item.exceptions), "exceptions are sorted");
  Check(event || !item.transparent, "a task takes no time");
  Check(!event || !item.completed, "an event is never done");
}

/// The items of the input, each as it should be.
std::vector<Item> TakeItems(const std::vector<icalendar::Finding>& findings) {
  std::vector<Item> items;
  for (const icalendar::Finding& finding : findings) {
    if (const auto* refusal = std::get_if<Refusal>(&finding)) {
      Check(refusal->line > 0 && !refusal->reason.empty(), "a refusal says where and why");
      Check(IsValidUtf8(refusal->reason + refusal->uid + refusal->summary), "in UTF-8");
      continue;
    }
    const auto& found = std::get<FoundItem>(finding);
    CheckItem(found.item);
    for (const std::string& note : found.notes) {
      Check(IsValidUtf8(note), "notes are UTF-8");
    }
    items.push_back(found.item);
  }
  return items;
}

std::string WriteItems(const std::vector<Item>& items, const icalendar::CalendarHead& head) {
  icalendar::Writer writer{Instant()};
  std::string text = writer.Begin(head);
  for (const Item& item : items) {
    const Result<std::string> piece = writer.Add(item);
    Check(piece.has_value(), "what was read can be written");
    text += *piece;
  }
  return text + writer.End();
}

}  // namespace

/// A file of a calendar.
void TryInput(std::string_view input) {
  // Escapes at most double a text, so nothing grows beyond what is read again.
  if (input.size() > icalendar::kBlockBytesMax / 4) {
    return;
  }
  const Result<icalendar::ItemReader> reader = icalendar::ItemReader::Open(input);
  const Result<std::vector<icalendar::Finding>> findings = icalendar::ReadItems(input);
  Check(reader.has_value() == findings.has_value(), "a file is read, or it is not");
  if (!findings) {
    Check(findings.error().code == ErrorCode::kInvalidArgument, "no calendar is a bad argument");
    return;
  }
  const std::vector<Item> items = TakeItems(*findings);
  const std::string text = WriteItems(items, reader->Head());
  const Result<icalendar::ItemReader> again = icalendar::ItemReader::Open(text);
  Check(again && again->Head() == reader->Head(), "the head reads back");
  const Result<std::vector<icalendar::Finding>> back = icalendar::ReadItems(text);
  Check(back && back->size() == items.size(), "each item reads back");
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto* found = std::get_if<FoundItem>(&back->at(i));
    Check(found != nullptr && found->item == items[i], "an item reads back equal");
    Check(found->notes.empty(), "nothing of it is lost on the way");
  }
}

}  // namespace atrium::fuzz

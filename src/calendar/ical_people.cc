// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/ical_people.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "base/json_write.h"
#include "base/utf8.h"
#include "calendar/entry_rules.h"
#include "calendar/entry_texts.h"
#include "icalendar/quote.h"

namespace atrium::calendar {
namespace {

using icalendar::Item;
using Notes = std::vector<std::string>;

std::optional<std::string> UrlFrom(const Item& item, Notes& notes) {
  if (item.url.empty()) {
    return std::nullopt;
  }
  if (!CheckUrl(item.url)) {
    notes.push_back("URL not kept: \"" + icalendar::Shown(item.url) +
                    "\" is not an http or https address of at most 2000 bytes");
    return std::nullopt;
  }
  return item.url;
}

/// One line of at most kPersonNameLength characters; nullopt when it says nothing.
std::optional<std::string> NameFrom(std::string_view property,
                                    const std::optional<std::string>& name, Notes& notes) {
  if (!name || CheckLine(property, *name, kPersonNameLength)) {
    return name;
  }
  std::string cut(TruncateUtf8(*name, kPersonNameLength));
  std::ranges::replace_if(
      cut, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  notes.push_back(std::string(property) + ": a name cut after 200 bytes");
  return CheckLine(property, cut, kPersonNameLength) ? std::optional(std::move(cut)) : std::nullopt;
}

bool FitsAddress(std::string_view property, std::string_view address, Notes& notes) {
  if (address.size() <= kPersonAddressBytes) {
    return true;
  }
  notes.push_back(std::string(property) + " not kept: its address has more than 500 bytes");
  return false;
}

std::vector<Attendee> AttendeesFrom(const Item& item, std::size_t room, Notes& notes) {
  constexpr std::string_view kProperty = "ATTENDEE";
  std::vector<Attendee> attendees;
  for (Attendee one : item.attendees) {
    if (!FitsAddress(kProperty, one.address, notes)) {
      continue;
    }
    one.name = NameFrom(kProperty, one.name, notes);
    const std::size_t size = ToJson(one).size() + 1;
    if (attendees.size() == kAttendees || size > room) {
      notes.push_back("ATTENDEE not kept beyond the first " + std::to_string(attendees.size()) +
                      " of " + std::to_string(item.attendees.size()));
      break;
    }
    room -= size;
    attendees.push_back(std::move(one));
  }
  return attendees;
}

/// Whether there was anything to drop.
bool DropPeopleOfOccurrences(Entry& entry) {
  bool dropped = false;
  if (entry.recurrence) {
    for (Override& one : entry.recurrence->overrides) {
      dropped = dropped || one.organizer || one.attendees;
      one.organizer.reset();
      one.attendees.reset();
    }
    std::erase_if(entry.recurrence->overrides, [](const Override& one) {
      return one == Override{.occurrence = one.occurrence};
    });
  }
  return dropped;
}

bool IsTooLarge(const Result<void>& outcome) {
  return !outcome && outcome.error().code == ErrorCode::kLimitExceeded;
}

}  // namespace

void ReadPeople(const Item& item, Entry& entry, Notes& notes) {
  entry.url = UrlFrom(item, notes);
  std::size_t room = kPeopleBytes;
  if (item.organizer && FitsAddress("ORGANIZER", item.organizer->address, notes)) {
    entry.organizer = item.organizer;
    entry.organizer->name = NameFrom("ORGANIZER", item.organizer->name, notes);
    room -= std::min(room, ToJson(*entry.organizer).size());
  }
  std::vector<Attendee> attendees = AttendeesFrom(item, room, notes);
  if (!attendees.empty()) {
    entry.attendees = std::move(attendees);
  }
}

void WritePeople(const Entry& entry, Item& item) {
  item.url = entry.url.value_or("");
  item.organizer = entry.organizer;
  item.attendees = entry.attendees.value_or(std::vector<Attendee>());
}

Result<void> SettleWithPeople(Entry& entry, Notes& notes) {
  Result<void> outcome = Settle(entry);
  if (IsTooLarge(outcome) && DropPeopleOfOccurrences(entry)) {
    notes.emplace_back(
        "ORGANIZER and ATTENDEE of single occurrences not kept: the entry is too large");
    outcome = Settle(entry);
  }
  if (IsTooLarge(outcome) && entry.attendees) {
    notes.emplace_back("ATTENDEE not kept: the entry is too large");
    entry.attendees.reset();
    outcome = Settle(entry);
  }
  return outcome;
}

}  // namespace atrium::calendar

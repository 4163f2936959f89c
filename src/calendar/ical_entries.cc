// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/ical_entries.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "almanac/zone.h"
#include "base/hash.h"
#include "base/hex.h"
#include "base/utf8.h"
#include "calendar/entry_rules.h"
#include "calendar/ical_people.h"
#include "calendar/occurrences.h"

namespace atrium::calendar {
namespace {

using icalendar::Item;
using icalendar::ItemKind;
using Notes = std::vector<std::string>;

constexpr std::string_view kOurs = "@atrium";
constexpr std::string_view kUntitled = "Untitled";
constexpr std::string_view kBusy = "Busy";
constexpr std::size_t kUidDigits = 32;
constexpr std::chrono::minutes kLongestReminder = std::chrono::days(28);

bool IsControl(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

bool IsBlank(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c == ' '; });
}

/// The front of a text that has so many characters.
std::string_view FirstCharacters(std::string_view text, std::size_t most) {
  std::size_t at = 0;
  for (std::size_t count = 0; count < most && at < text.size(); ++count) {
    at += NextUtf8(text.substr(at)).bytes;
  }
  return text.substr(0, at);
}

/// One line of at most so many characters.
std::string LineFrom(std::string_view field, std::string text, std::size_t most, Notes& notes) {
  std::ranges::replace_if(text, IsControl, ' ');
  const std::string_view kept = FirstCharacters(text, most);
  if (kept.size() < text.size()) {
    notes.push_back(std::string(field) + " cut after " + std::to_string(most) + " characters");
    text.resize(kept.size());
  }
  return text;
}

std::string TitleFrom(const Item& item, Notes& notes) {
  std::string title = LineFrom("SUMMARY", item.summary, kTitleLength, notes);
  return IsBlank(title) ? std::string(kUntitled) : title;
}

std::optional<std::string> LocationFrom(const Item& item, Notes& notes) {
  std::string location = LineFrom("LOCATION", item.location, kLocationLength, notes);
  return IsBlank(location) ? std::nullopt : std::optional(std::move(location));
}

std::optional<std::string> DescriptionFrom(const Item& item, Notes& notes) {
  std::string text = item.description;
  std::erase_if(text, [](char c) { return IsControl(c) && c != '\n' && c != '\t'; });
  if (text.size() > kDescriptionBytes) {
    notes.push_back("DESCRIPTION cut after " + std::to_string(kDescriptionBytes) + " bytes");
    text = std::string(TruncateUtf8(text, kDescriptionBytes));
  }
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

std::optional<std::string> ColorFrom(const Item& item) {
  std::string color = item.color;
  std::ranges::transform(color, color.begin(), [](char c) {
    return 'a' <= c && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return color.empty() ? std::nullopt : std::optional(std::move(color));
}

void ReadWords(const Item& item, Entry& entry, Notes& notes) {
  entry.title = TitleFrom(item, notes);
  entry.location = LocationFrom(item, notes);
  entry.description = DescriptionFrom(item, notes);
  entry.color = ColorFrom(item);
  entry.completed = item.completed;
  ReadPeople(item, entry, notes);
}

std::vector<Reminder> RemindersFrom(const Item& item, Notes& notes) {
  std::vector<Reminder> reminders;
  for (const std::chrono::minutes before : item.reminders) {
    if (before < std::chrono::minutes(0) || before > kLongestReminder) {
      notes.emplace_back("a reminder left out: only those up to 28 days before the start are kept");
    } else if (reminders.size() == kReminders) {
      notes.emplace_back("reminders left out: at most 10 are kept");
      break;
    } else {
      reminders.push_back({.minutes_before = static_cast<std::int32_t>(before.count())});
    }
  }
  return reminders;
}

bool Repeats(const Item& item) {
  return !item.rule.empty() || !item.additions.empty();
}

/// When a task is to be done. Of one that comes again, when it begins: the rule counts from there.
std::optional<LocalTime> TaskTime(const Item& item) {
  const bool from_start = item.start && (Repeats(item) || !item.end);
  return from_start ? item.start : item.end;
}

void SetTimes(const Item& item, const LocalTime& start, const LocalTime& end, Entry& entry) {
  entry.start_date = start.date;
  entry.end_date = end.date;
  if (item.all_day) {
    return;
  }
  entry.start_time = start.time;
  entry.end_time = end.time;
  entry.time_zone = item.zone.empty() ? std::nullopt : std::optional(item.zone);
}

void ReadTaskTimes(const Item& item, Date today, EntryDraft& draft) {
  draft.entry.kind = EntryKind::kTask;
  if (const std::optional<LocalTime> at = TaskTime(item)) {
    SetTimes(item, *at, *at, draft.entry);
    if (item.start && item.end && item.start != item.end) {
      draft.notes.emplace_back(Repeats(item) ? "DUE not kept: a repeated task has one time"
                                             : "DTSTART not kept: a task has the time it is due");
    }
    return;
  }
  draft.undated = true;
  const Date day = item.created ? almanac::Zone::Utc().In(*item.created).date : today;
  draft.entry.start_date = day;
  draft.entry.end_date = day;
}

void ReadEventTimes(const Item& item, Entry& entry) {
  const LocalTime start = item.start.value_or(LocalTime{});
  const LocalTime end = item.end.value_or(start);
  if (!item.all_day) {
    entry.kind = EntryKind::kTimed;
    SetTimes(item, start, end, entry);
    return;
  }
  const Date last = std::max(start.date, end.date + -1);
  entry.kind = last == start.date ? EntryKind::kAllDay : EntryKind::kMultiDay;
  SetTimes(item, start, {.date = last}, entry);
}

Result<void> ReadRecurrence(const Item& item, EntryDraft& draft) {
  if (Repeats(item)) {
    draft.entry.recurrence =
        Recurrence{.rule = item.rule, .additions = item.additions, .exceptions = item.exceptions};
    return {};
  }
  if (std::ranges::find(item.exceptions, StartOf(draft.entry)) != item.exceptions.end()) {
    return Fail(ErrorCode::kInvalidArgument, "EXDATE leaves nothing of it");
  }
  if (!item.exceptions.empty()) {
    draft.notes.emplace_back("EXDATE not kept: it does not repeat");
  }
  return {};
}

Result<LocalTime> InZoneOf(const Entry& series, const Item& item, const LocalTime& time) {
  if (item.all_day || !series.time_zone || item.zone.empty() || item.zone == *series.time_zone) {
    return time;
  }
  ASSIGN_OR_RETURN(const almanac::Zone from, almanac::Zone::Find(item.zone));
  ASSIGN_OR_RETURN(const almanac::Zone to, almanac::Zone::Find(*series.time_zone));
  return to.In(from.At(time));
}

bool IsOfKind(const Item& item, const Entry& series) {
  const bool is_task = item.kind == ItemKind::kTodo;
  const bool is_dated = item.start || item.end;
  return is_task == series.is_task && is_dated && item.all_day != series.start_time.has_value();
}

/// Stamps are told to the second.
Instant WholeSeconds(Instant instant) {
  return std::chrono::floor<std::chrono::seconds>(instant);
}

void WriteEventTimes(const Entry& entry, Item& item) {
  item.start = StartOf(entry);
  item.end = item.all_day ? LocalTime{.date = entry.end_date + 1}
                          : LocalTime{.date = entry.end_date,
                                      .time = entry.end_time.value_or(*entry.start_time)};
}

std::vector<std::chrono::minutes> RemindersOf(const Entry& entry) {
  std::vector<std::chrono::minutes> reminders;
  reminders.reserve(entry.reminders.size());
  for (const Reminder& one : entry.reminders) {
    reminders.emplace_back(one.minutes_before);
  }
  std::ranges::sort(reminders);
  const auto again = std::ranges::unique(reminders);
  reminders.erase(again.begin(), again.end());
  return reminders;
}

Item OccurrenceItem(const Entry& series, const Occurrence& one) {
  Item item = ItemOf(one.entry);
  item.recurrence_id = icalendar::RecurrenceId{
      .at = one.of_series.value_or(LocalTime{}), .all_day = item.all_day, .zone = item.zone};
  if (series.is_task) {
    item.start = item.end;
  }
  return item;
}

/// The uid of another calendar may say what an entry is, and our id says when it was made.
std::string UidWithoutWords(const Entry& entry) {
  return EncodeHex(Sha256Of(entry.id.Render())).substr(0, kUidDigits) + std::string(kOurs);
}

Item WithoutWords(const Item& item, const Entry& entry) {
  return {.kind = item.kind,
          .uid = UidWithoutWords(entry),
          .summary = std::string(kBusy),
          .all_day = item.all_day,
          .zone = item.zone,
          .start = item.start,
          .end = item.end,
          .rule = item.rule,
          .additions = item.additions,
          .exceptions = item.exceptions,
          .recurrence_id = item.recurrence_id};
}

bool MovesTime(const Override& one) {
  return one.start_date || one.end_date || one.start_time || one.end_time;
}

}  // namespace

Result<EntryDraft> DraftOf(const Item& item, Date today) {
  EntryDraft draft;
  Entry& entry = draft.entry;
  entry.uid = item.uid;
  if (item.kind == ItemKind::kTodo) {
    ReadTaskTimes(item, today, draft);
  } else {
    ReadEventTimes(item, entry);
  }
  ReadWords(item, entry, draft.notes);
  entry.transparent = item.transparent;
  entry.reminders = RemindersFrom(item, draft.notes);
  RETURN_IF_ERROR(ReadRecurrence(item, draft));
  RETURN_IF_ERROR(SettleWithPeople(entry, draft.notes));
  return draft;
}

Result<std::optional<Entry>> OccurrenceFrom(const Item& item, const Entry& series, Notes& notes) {
  if (!IsOfKind(item, series)) {
    return std::nullopt;
  }
  const bool is_task = item.kind == ItemKind::kTodo;
  const LocalTime first = is_task ? item.start.value_or(item.end.value_or(LocalTime{}))
                                  : item.start.value_or(LocalTime{});
  ASSIGN_OR_RETURN(const LocalTime start, InZoneOf(series, item, first));
  ASSIGN_OR_RETURN(LocalTime end,
                   InZoneOf(series, item, is_task ? first : item.end.value_or(first)));
  if (item.all_day && !is_task) {
    end.date = end.date + -1;
  }
  Entry entry{.kind = series.kind};
  SetTimes(item, start, std::max(start, end), entry);
  ReadWords(item, entry, notes);
  if (!is_task && item.transparent != series.transparent) {
    notes.emplace_back("TRANSP not kept: only of the whole series");
  }
  if (RemindersFrom(item, notes) != series.reminders) {
    notes.emplace_back("reminders not kept: only of the whole series");
  }
  return entry;
}

std::string UidApart(const Item& item) {
  return item.recurrence_id ? item.uid + "/" + item.recurrence_id->at.Render() : item.uid;
}

std::string UidOf(const Entry& entry) {
  return entry.uid.empty() ? entry.id.Render() + std::string(kOurs) : entry.uid;
}

std::optional<EntryId> EntryNamedBy(std::string_view uid) {
  if (!uid.ends_with(kOurs)) {
    return std::nullopt;
  }
  uid.remove_suffix(kOurs.size());
  const Result<EntryId> id = EntryId::Parse(uid);
  return id ? std::optional(*id) : std::nullopt;
}

Item ItemOf(const Entry& entry) {
  Item item{.kind = entry.is_task ? ItemKind::kTodo : ItemKind::kEvent,
            .uid = UidOf(entry),
            .summary = entry.title,
            .description = entry.description.value_or(""),
            .location = entry.location.value_or(""),
            .all_day = !entry.start_time,
            .zone = entry.start_time ? entry.time_zone.value_or("") : "",
            .completed = entry.completed,
            .transparent = entry.transparent && !entry.is_task,
            .reminders = RemindersOf(entry),
            .color = entry.color.value_or(""),
            .created = WholeSeconds(entry.created_at),
            .last_modified = WholeSeconds(entry.updated_at),
            .sequence = entry.sequence};
  WritePeople(entry, item);
  if (entry.is_task) {
    item.end = StartOf(entry);
    item.start = entry.recurrence ? item.end : std::nullopt;
  } else {
    WriteEventTimes(entry, item);
  }
  if (entry.recurrence) {
    item.rule = entry.recurrence->rule;
    item.additions = entry.recurrence->additions;
    item.exceptions = entry.recurrence->exceptions;
  }
  return item;
}

Result<std::vector<Item>> ItemsOf(const Entry& entry) {
  std::vector<Item> items{ItemOf(entry)};
  if (!entry.recurrence) {
    return items;
  }
  for (const Override& one : entry.recurrence->overrides) {
    if (!std::ranges::binary_search(entry.recurrence->exceptions, one.occurrence)) {
      ASSIGN_OR_RETURN(const Occurrence occurrence, OccurrenceAt(entry, one.occurrence));
      items.push_back(OccurrenceItem(entry, occurrence));
    }
  }
  return items;
}

Result<std::vector<Item>> BusyItemsOf(const Entry& entry) {
  if (entry.is_task || entry.transparent) {
    return std::vector<Item>();
  }
  Entry plain = entry;
  if (plain.recurrence) {
    std::erase_if(plain.recurrence->overrides, [](const Override& one) { return !MovesTime(one); });
  }
  ASSIGN_OR_RETURN(std::vector<Item> items, ItemsOf(plain));
  for (Item& item : items) {
    item = WithoutWords(item, entry);
  }
  return items;
}

}  // namespace atrium::calendar

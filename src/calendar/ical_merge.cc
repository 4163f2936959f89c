// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/ical_merge.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json_write.h"
#include "calendar/ical_series.h"

namespace atrium::calendar {
namespace {

using Text = std::optional<std::string>;

/// As a file may have it: one case of letters, one kind of line end.
std::string Plain(const Text& text) {
  std::string plain = text.value_or("");
  std::erase(plain, '\r');
  return plain;
}

std::string LowerCase(const Text& text) {
  std::string lower = text.value_or("");
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

std::vector<std::int32_t> Sorted(const std::vector<Reminder>& reminders) {
  std::vector<std::int32_t> minutes;
  minutes.reserve(reminders.size());
  for (const Reminder& one : reminders) {
    minutes.push_back(one.minutes_before);
  }
  std::ranges::sort(minutes);
  return minutes;
}

void KeepSpellings(const Entry& before, Entry& after) {
  if (Plain(before.description) == Plain(after.description)) {
    after.description = before.description;
  }
  if (LowerCase(before.color) == LowerCase(after.color)) {
    after.color = before.color;
  }
  if (Sorted(before.reminders) == Sorted(after.reminders)) {
    after.reminders = before.reminders;
  }
}

void KeepTimes(const Entry& before, Entry& after) {
  after.start_date = before.start_date;
  after.end_date = before.end_date;
  after.start_time = before.start_time;
  after.end_time = before.end_time;
  after.time_zone = before.time_zone;
}

/// A file cannot tell one day from several that are one.
void KeepKind(const Entry& before, Entry& after) {
  if (before.is_multi_day && before.start_date == before.end_date && after.is_all_day) {
    after.kind = EntryKind::kMultiDay;
    after.is_multi_day = true;
    after.is_all_day = false;
  }
}

void KeepIdentity(const Entry& before, Entry& after) {
  after.id = before.id;
  after.calendar_id = before.calendar_id;
  after.uid = before.uid;
  after.sequence = before.sequence;
  after.created_at = before.created_at;
  after.updated_at = before.updated_at;
  after.created_by = before.created_by;
  after.updated_by = before.updated_by;
}

}  // namespace

Entry Merged(const Entry& before, const EntryDraft& draft) {
  Entry after = draft.entry;
  KeepIdentity(before, after);
  KeepSpellings(before, after);
  KeepKind(before, after);
  if (after.is_task && before.is_task) {
    after.transparent = before.transparent;
    if (draft.undated) {
      KeepTimes(before, after);
    }
  }
  return after;
}

Result<Entry> WithOccurrences(const Entry& series, std::span<const icalendar::FoundItem> items) {
  SeriesBuilder builder(series);
  std::vector<std::string> notes;
  for (const icalendar::FoundItem& one : items) {
    RETURN_IF_ERROR(builder.Take(one.item, notes));
  }
  return std::move(builder).Finish(notes);
}

bool SayTheSame(const Entry& one, const Entry& other) {
  Entry twin = one;
  KeepIdentity(other, twin);
  return ToJson(twin) == ToJson(other);
}

}  // namespace atrium::calendar

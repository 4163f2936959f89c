// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/item_alarms.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <expected>
#include <optional>
#include <string_view>

#include "almanac/local_time.h"
#include "almanac/zone.h"
#include "base/instant.h"
#include "base/result.h"
#include "icalendar/component.h"
#include "icalendar/content_line.h"
#include "icalendar/item.h"
#include "icalendar/letter_case.h"
#include "icalendar/values.h"

namespace atrium::icalendar {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

/// What ParseDuration() takes.
constexpr minutes kBeforeMax = std::chrono::days(100'000);

/// How long before the start, or why that cannot be said.
using Before = std::expected<seconds, std::string_view>;

/// What reminders count from.
std::optional<almanac::LocalTime> Anchor(const Item& item) {
  return item.start ? item.start : item.end;
}

Before BeforeAnchor(const Duration& trigger, std::string_view related, const Item& item) {
  const seconds before = -(std::chrono::days(trigger.days) + trigger.time);
  if (!SameLetters(related, "END") || !item.start) {
    return before;
  }
  if (!item.end) {
    return std::unexpected("counts from an end that there is not");
  }
  return before - (*item.end - *item.start);
}

Before BeforeAnchor(const almanac::LocalTime& utc, const Item& item) {
  const bool repeats = !item.rule.empty() || !item.additions.empty();
  const Result<almanac::Zone> zone = almanac::Zone::Find(item.zone);
  if (repeats || !zone) {
    return std::unexpected("a moment is not the same for all places and occurrences");
  }
  const auto before = zone->At(*Anchor(item)) - UtcInstant(utc);
  return std::chrono::floor<seconds>(before);
}

Before ReadTrigger(const Property& trigger, const Item& item) {
  if (!Anchor(item)) {
    return std::unexpected("needs a start");
  }
  if (const Result<TimeValue> time = ParseTime(trigger.value)) {
    return time->form == TimeForm::kUtc ? BeforeAnchor(time->at, item)
                                        : std::unexpected("is not a moment in UTC");
  }
  const Result<Duration> duration = ParseDuration(trigger.value);
  if (!duration) {
    return std::unexpected("is neither a length of time nor a moment");
  }
  return BeforeAnchor(*duration, trigger.Find("RELATED"), item);
}

/// Apple's calendars write alarms that never go off, to say that the default ones shall not.
bool IsSilent(const Subcomponent& alarm) {
  const Property* action = Find(alarm.properties, "ACTION");
  return action != nullptr && SameLetters(action->value, "NONE");
}

void ReadAlarm(const Subcomponent& alarm, Item& item, Notes& notes) {
  const Property* trigger = Find(alarm.properties, "TRIGGER");
  if (trigger == nullptr) {
    notes.Add(fmt::format("VALARM on line {}: not kept: has no TRIGGER", alarm.line));
    return;
  }
  const Before before = ReadTrigger(*trigger, item);
  if (!before) {
    notes.Add(*trigger, fmt::format("not kept: {}", before.error()));
    return;
  }
  // Rather early than late.
  const minutes rounded = std::chrono::ceil<minutes>(*before);
  if (rounded > kBeforeMax || rounded < -kBeforeMax) {
    notes.Add(*trigger, "not kept: too far away");
    return;
  }
  item.reminders.push_back(rounded);
}

}  // namespace

void ReadAlarms(const Component& component, Item& item, Notes& notes) {
  for (const Subcomponent& part : component.parts) {
    if (part.name != "VALARM") {
      notes.NotKept(part.name);
    } else if (!IsSilent(part)) {
      ReadAlarm(part, item, notes);
    }
  }
  std::ranges::sort(item.reminders);
  const auto [again, end] = std::ranges::unique(item.reminders);
  item.reminders.erase(again, end);
}

}  // namespace atrium::icalendar

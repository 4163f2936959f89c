// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/zone_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "almanac/date.h"
#include "almanac/local_time.h"
#include "almanac/zone.h"
#include "base/instant.h"
#include "icalendar/folding.h"
#include "icalendar/values.h"

namespace atrium::icalendar {
namespace {

using almanac::Date;
using almanac::LocalTime;
using almanac::Zone;
using std::chrono::seconds;

constexpr int kLastYear = 2100;
/// Shorter runs are cheaper as a list of dates.
constexpr std::size_t kRunSizeMin = 4;

/// Clocks are put from one offset to another.
struct Transition {
  Instant at{};
  seconds before{};
  seconds after{};
  /// What clocks showed then, still at the old offset, which is how VTIMEZONE states it.
  LocalTime local{};
  bool to_daylight = false;
};

seconds OffsetAt(const Zone& zone, Instant instant) {
  return std::chrono::duration_cast<seconds>(UtcInstant(zone.In(instant)) - instant);
}

/// The first second at which the offset is no longer the one at `early`.
Instant FindChange(const Zone& zone, Instant early, Instant late) {
  const seconds before = OffsetAt(zone, early);
  while (late - early > seconds(1)) {
    const Instant middle = early + std::chrono::floor<seconds>((late - early) / 2);
    (OffsetAt(zone, middle) == before ? early : late) = middle;
  }
  return late;
}

/// Whether summer time begins: clocks go forward, and back again within the year. Everything else
/// is a new standard time.
bool BeginsDaylight(std::span<const Transition> rest) {
  constexpr std::chrono::days kSummerMax{300};
  return rest.size() > 1 && rest[0].after > rest[0].before && rest[1].after == rest[0].before &&
         rest[1].at - rest[0].at < kSummerMax;
}

std::vector<Transition> TransitionsOf(const Zone& zone) {
  // No zone has ever changed twice within a week and come back to where it was.
  constexpr std::chrono::days kStep{7};
  // The last ones need a next one, to tell summer time from a new standard time.
  const Instant end = UtcInstant({.date = *Date::Of(kLastYear + 2, 1, 1), .time = {}});
  std::vector<Transition> transitions;
  seconds offset = OffsetAt(zone, Instant());
  for (Instant at{}; at < end; at += kStep) {
    const seconds next = OffsetAt(zone, at + kStep);
    if (next == offset) {
      continue;
    }
    const Instant change = FindChange(zone, at, at + kStep);
    transitions.push_back({.at = change,
                           .before = offset,
                           .after = next,
                           .local = Zone::Utc().In(change + offset),
                           .to_daylight = false});
    offset = next;
  }
  for (std::size_t i = 0; i < transitions.size(); ++i) {
    transitions[i].to_daylight = BeginsDaylight(std::span(transitions).subspan(i));
  }
  std::erase_if(transitions, [](const Transition& transition) {
    return transition.local.date.Year() > kLastYear;
  });
  return transitions;
}

bool IsLastOfMonth(Date date) {
  return (date + 7).Month() != date.Month();
}

/// Transitions of successive years that one rule describes: the same weekday of a week of a month.
class Run {
 public:
  explicit Run(const Transition& first) : transitions_{first} {}

  bool TakesOn(const Transition& next) const {
    const LocalTime& last = transitions_.back().local;
    const auto [lowest, highest] = std::minmax({next.local.date.Day(), LowestDay(), HighestDay()});
    return next.local.date.Year() == last.date.Year() + 1 &&
           next.local.date.Month() == last.date.Month() &&
           next.local.date.Weekday() == last.date.Weekday() && next.local.time == last.time &&
           highest - lowest < 7;
  }

  void Add(const Transition& next) { transitions_.push_back(next); }

  const std::vector<Transition>& Transitions() const { return transitions_; }

  std::string Rule() const {
    const Date date = transitions_.front().local.date;
    std::string rule = fmt::format("FREQ=YEARLY;BYMONTH={};{}", date.Month(), DayPart());
    const Transition& last = transitions_.back();
    if (last.local.date.Year() < kLastYear) {
      rule += ";UNTIL=" + RenderUtc(last.at);
    }
    return rule;
  }

 private:
  int LowestDay() const { return std::ranges::min(transitions_, {}, DayOf).local.date.Day(); }
  int HighestDay() const { return std::ranges::max(transitions_, {}, DayOf).local.date.Day(); }
  static int DayOf(const Transition& transition) { return transition.local.date.Day(); }

  std::string DayPart() const {
    constexpr std::array<std::string_view, 7> kWeekdays{"MO", "TU", "WE", "TH", "FR", "SA", "SU"};
    const std::string_view weekday =
        kWeekdays.at(static_cast<std::size_t>(transitions_.front().local.date.Weekday()));
    if (std::ranges::all_of(transitions_, [](const Transition& transition) {
          return IsLastOfMonth(transition.local.date);
        })) {
      return fmt::format("BYDAY=-1{}", weekday);
    }
    const int lowest = LowestDay();
    if ((lowest - 1) / 7 == (HighestDay() - 1) / 7) {
      return fmt::format("BYDAY={}{}", (lowest - 1) / 7 + 1, weekday);
    }
    std::string days = fmt::format("{}", lowest);
    for (int day = lowest + 1; day < lowest + 7; ++day) {
      days += fmt::format(",{}", day);
    }
    return fmt::format("BYMONTHDAY={};BYDAY={}", days, weekday);
  }

  std::vector<Transition> transitions_;
};

std::vector<Run> RunsOf(std::span<const Transition> transitions) {
  std::vector<Run> runs;
  for (const Transition& transition : transitions) {
    if (!runs.empty() && runs.back().TakesOn(transition)) {
      runs.back().Add(transition);
    } else {
      runs.emplace_back(transition);
    }
  }
  return runs;
}

std::string RenderOffset(seconds offset) {
  const auto total = std::abs(offset.count());
  std::string text =
      fmt::format("{}{:02}{:02}", offset.count() < 0 ? '-' : '+', total / 3600, total / 60 % 60);
  if (total % 60 != 0) {
    text += fmt::format("{:02}", total % 60);
  }
  return text;
}

/// One way in which clocks are put, whenever that happens: at `first`, and as `repeats` says.
void AppendObservance(std::string& out, const Transition& first,
                      const std::vector<std::string>& repeats) {
  const std::string_view kind = first.to_daylight ? "DAYLIGHT" : "STANDARD";
  AppendLine(out, fmt::format("BEGIN:{}", kind));
  AppendLine(out, "DTSTART:" + RenderLocal(first.local));
  AppendLine(out, "TZOFFSETFROM:" + RenderOffset(first.before));
  AppendLine(out, "TZOFFSETTO:" + RenderOffset(first.after));
  for (const std::string& line : repeats) {
    AppendLine(out, line);
  }
  AppendLine(out, fmt::format("END:{}", kind));
}

void AppendDates(std::string& out, std::span<const Transition> transitions) {
  if (transitions.empty()) {
    return;
  }
  // A line for each, and the first one again: some readers take one date from a line, and forget
  // DTSTART where there are other dates.
  std::vector<std::string> dates;
  for (const Transition& transition : transitions) {
    dates.push_back("RDATE:" + RenderLocal(transition.local));
  }
  AppendObservance(out, transitions.front(), dates);
}

/// All transitions of one kind: rules where years follow a rule, and dates for the rest.
void AppendTransitions(std::string& out, std::span<const Transition> transitions) {
  std::vector<Transition> singles;
  for (const Run& run : RunsOf(transitions)) {
    if (run.Transitions().size() < kRunSizeMin) {
      singles.insert(singles.end(), run.Transitions().begin(), run.Transitions().end());
    } else {
      AppendObservance(out, run.Transitions().front(), {"RRULE:" + run.Rule()});
    }
  }
  AppendDates(out, singles);
}

std::string Render(const Zone& zone) {
  using Kind = std::tuple<seconds, seconds, bool>;
  std::map<Kind, std::vector<Transition>> kinds;
  for (const Transition& transition : TransitionsOf(zone)) {
    kinds[{transition.before, transition.after, transition.to_daylight}].push_back(transition);
  }
  std::string out;
  AppendLine(out, "BEGIN:VTIMEZONE");
  AppendLine(out, "TZID:" + zone.Name());
  const seconds offset = OffsetAt(zone, Instant());
  AppendObservance(
      out, {.at = {}, .before = offset, .after = offset, .local = {}, .to_daylight = false}, {});
  for (const auto& [kind, transitions] : kinds) {
    AppendTransitions(out, transitions);
  }
  AppendLine(out, "END:VTIMEZONE");
  return out;
}

}  // namespace

std::string RenderZone(const Zone& zone) {
  static std::shared_mutex mutex;
  // Guarded by mutex. Holds what the database holds, at most, which does not change while we run.
  static std::map<std::string, std::string, std::less<>> known;
  {
    const std::shared_lock lock(mutex);
    if (const auto found = known.find(zone.Name()); found != known.end()) {
      return found->second;
    }
  }
  std::string text = Render(zone);
  const std::unique_lock lock(mutex);
  return known.try_emplace(zone.Name(), std::move(text)).first->second;
}

}  // namespace atrium::icalendar

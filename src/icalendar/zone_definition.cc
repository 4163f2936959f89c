// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/zone_definition.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "almanac/date.h"
#include "almanac/expansion_budget.h"
#include "almanac/local_time.h"
#include "almanac/recurrence.h"
#include "almanac/zone.h"
#include "base/error.h"
#include "base/result.h"
#include "icalendar/component.h"
#include "icalendar/content_line.h"
#include "icalendar/letter_case.h"
#include "icalendar/offset_table.h"
#include "icalendar/text_blocks.h"
#include "icalendar/values.h"

namespace atrium::icalendar {

using almanac::LocalTime;
using std::chrono::seconds;

namespace {

/// A rule of every fourth year has put the clocks once in this time, at the least.
constexpr int kYearsBefore = 5;

almanac::Date NewYear(int year) {
  return *almanac::Date::Of(std::clamp(year, 1, 9999), 1, 1);
}

std::optional<int> TwoDigits(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (text.size() < 2 || !is_digit(text[0]) || !is_digit(text[1])) {
    return std::nullopt;
  }
  return (text[0] - '0') * 10 + (text[1] - '0');
}

/// "+0100", "-033000" (RFC 5545 §3.3.14).
std::optional<seconds> ParseOffset(std::string_view text) {
  constexpr std::size_t kShort = 5;
  constexpr std::size_t kLong = 7;
  if ((text.size() != kShort && text.size() != kLong) || (text[0] != '+' && text[0] != '-')) {
    return std::nullopt;
  }
  const std::optional<int> hours = TwoDigits(text.substr(1));
  const std::optional<int> minutes = TwoDigits(text.substr(3));
  const std::optional<int> rest = text.size() == kLong ? TwoDigits(text.substr(kShort)) : 0;
  if (!hours || !minutes || !rest || *hours > 23 || *minutes > 59 || *rest > 59) {
    return std::nullopt;
  }
  const seconds offset =
      std::chrono::hours(*hours) + std::chrono::minutes(*minutes) + seconds(*rest);
  return text[0] == '-' ? -offset : offset;
}

/// The rule with an UNTIL in UTC told in local time, which is the time that everything else here is
/// told in.
std::string WithLocalUntil(std::string_view rule, seconds offset) {
  constexpr std::string_view kUntil = "UNTIL=";
  std::string text = ToUpper(rule);
  const std::size_t at = text.find(kUntil);
  if (at == std::string::npos) {
    return text;
  }
  const std::size_t from = at + kUntil.size();
  const std::size_t size = std::min(text.find(';', from), text.size()) - from;
  const Result<TimeValue> until = ParseTime(std::string_view(text).substr(from, size));
  if (until && until->form == TimeForm::kUtc) {
    text.replace(from, size, RenderLocal(until->at + offset));
  }
  return text;
}

}  // namespace

TimeSpan YearSpan::Times() const {
  return {.from = UtcInstant({.date = NewYear(first), .time = {}}),
          .to = UtcInstant({.date = NewYear(last + 1), .time = {}})};
}

/// Reads one STANDARD or DAYLIGHT.
class ObservanceReader {
 public:
  explicit ObservanceReader(const Subcomponent& part) : part_(part) {}

  Result<ZoneDefinition::Observance> Read() {
    ASSIGN_OR_RETURN(observance_.before, ReadOffset("TZOFFSETFROM"));
    ASSIGN_OR_RETURN(observance_.after, ReadOffset("TZOFFSETTO"));
    RETURN_IF_ERROR(ReadStart());
    RETURN_IF_ERROR(ReadRule());
    RETURN_IF_ERROR(ReadDates());
    return std::move(observance_);
  }

 private:
  Result<const Property*> Required(std::string_view name) const {
    ASSIGN_OR_RETURN(const Property* property, FindOnly(part_.properties, name));
    if (property == nullptr) {
      return Fail(ErrorCode::kInvalidArgument,
                  fmt::format("{} on line {} has no {}", part_.name, part_.line, name));
    }
    return property;
  }

  Result<seconds> ReadOffset(std::string_view name) const {
    ASSIGN_OR_RETURN(const Property* property, Required(name));
    const std::optional<seconds> offset = ParseOffset(property->value);
    if (!offset) {
      return Refuse(*property, "is not an offset like +0100");
    }
    return *offset;
  }

  /// On clocks that show the old offset, also when it is said in UTC.
  Result<LocalTime> ReadTime(const Property& property, std::string_view value) const {
    const Result<TimeValue> time = ParseTime(value);
    if (!time) {
      return Refuse(property, time.error().client_message);
    }
    return time->form == TimeForm::kUtc ? time->at + observance_.before : time->at;
  }

  Result<void> ReadStart() {
    ASSIGN_OR_RETURN(const Property* property, Required("DTSTART"));
    ASSIGN_OR_RETURN(observance_.start, ReadTime(*property, property->value));
    return {};
  }

  Result<void> ReadRule() {
    ASSIGN_OR_RETURN(const Property* property, FindOnly(part_.properties, "RRULE"));
    if (property == nullptr) {
      return {};
    }
    Result<std::string> rule =
        almanac::CanonicalRule(WithLocalUntil(property->value, observance_.before), {});
    if (!rule) {
      return Refuse(*property, "is not understood");
    }
    observance_.rule = *std::move(rule);
    return {};
  }

  Result<void> ReadDates() {
    for (const Property& property : part_.properties) {
      if (property.name != "RDATE" || property.value.empty()) {
        continue;
      }
      for (const std::string_view value : SplitList(property.value)) {
        ASSIGN_OR_RETURN(const LocalTime time,
                         ReadTime(property, value.substr(0, value.find('/'))));
        observance_.dates.push_back(time);
      }
    }
    return {};
  }

  const Subcomponent& part_;
  ZoneDefinition::Observance observance_;
};

Result<ZoneDefinition> ZoneDefinition::Parse(const Block& vtimezone) {
  ASSIGN_OR_RETURN(const Component component, ParseComponent(vtimezone));
  ZoneDefinition definition;
  std::size_t dates = 0;
  for (const Subcomponent& part : component.parts) {
    if (part.name != "STANDARD" && part.name != "DAYLIGHT") {
      continue;
    }
    ASSIGN_OR_RETURN(Observance observance, ObservanceReader(part).Read());
    dates += observance.dates.size();
    definition.observances_.push_back(std::move(observance));
    if (definition.observances_.size() > kObservancesMax || dates > kDatesMax) {
      return Fail(ErrorCode::kInvalidArgument, "it puts the clocks too often");
    }
  }
  if (definition.observances_.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "it says nothing of clocks");
  }
  return definition;
}

Result<void> ZoneDefinition::AddChanges(const Observance& observance, const YearSpan& years,
                                        almanac::ExpansionBudget& budget,
                                        std::vector<almanac::OffsetChange>& changes) {
  std::vector<LocalTime> onsets = observance.dates;
  onsets.push_back(observance.start);
  if (!observance.rule.empty()) {
    const almanac::Series series{.start = observance.start, .rule = observance.rule};
    const LocalTime from{.date = NewYear(years.first - kYearsBefore), .time = {}};
    ASSIGN_OR_RETURN(
        const std::vector<LocalTime> ruled,
        almanac::Expand(series, from, {.date = NewYear(years.last + 2), .time = {}}, budget));
    onsets.insert(onsets.end(), ruled.begin(), ruled.end());
    // A rule that has ended before those years: what it did last is what holds.
    ASSIGN_OR_RETURN(const std::optional<LocalTime> last, almanac::LastStart(series, budget));
    if (last && *last < from) {
      onsets.push_back(*last);
    }
  }
  for (const LocalTime& onset : onsets) {
    RETURN_IF_ERROR(budget.SpendOccurrence());
    changes.push_back({.at = UtcInstant(onset) - observance.before,
                       .before = observance.before,
                       .after = observance.after});
  }
  return {};
}

Result<OffsetTable> ZoneDefinition::Expand(const YearSpan& years,
                                           almanac::ExpansionBudget& budget) const {
  std::vector<almanac::OffsetChange> changes;
  for (const Observance& observance : observances_) {
    RETURN_IF_ERROR(AddChanges(observance, years, budget, changes));
  }
  const auto first = std::ranges::min_element(changes, {}, &almanac::OffsetChange::at);
  const seconds before = first->before;
  return OffsetTable(before, std::move(changes));
}

}  // namespace atrium::icalendar

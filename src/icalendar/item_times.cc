// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/item_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "almanac/local_time.h"
#include "almanac/recurrence.h"
#include "almanac/zone.h"
#include "base/error.h"
#include "base/instant.h"
#include "base/result.h"
#include "icalendar/component.h"
#include "icalendar/content_line.h"
#include "icalendar/item.h"
#include "icalendar/quote.h"
#include "icalendar/stated_time.h"
#include "icalendar/values.h"
#include "icalendar/zone_names.h"

namespace atrium::icalendar {
namespace {

using almanac::LocalTime;

/// Of an all-day item.
LocalTime DaysLater(const LocalTime& time, int days) {
  return {.date = time.date + days, .time = {}};
}

/// What is wrong with a rule, without the field of our API that it would be wrong in.
std::string_view WithoutField(std::string_view message) {
  constexpr std::string_view kField = "recurrence.rule: ";
  message.remove_prefix(message.starts_with(kField) ? kField.size() : 0);
  return message;
}

/// The value of RRULE such that writing and reading it again changes nothing: an UNTIL that no
/// clock of the zone ever shows becomes the time that they show instead.
Result<std::string> StableRule(std::string_view value, const almanac::RuleTerms& terms) {
  ASSIGN_OR_RETURN(const std::string rule, almanac::CanonicalRule(value, terms));
  ASSIGN_OR_RETURN(const std::string written, almanac::RuleForExport(rule, terms));
  return almanac::CanonicalRule(written, terms);
}

/// Reads the times of one item. Everything is told in terms of its start, so that comes first.
class TimesReader {
 public:
  TimesReader(const Component& component, ZoneNames& zones, Item& item, Notes& notes)
      : properties_(component.properties), zones_(zones), item_(item), notes_(notes), use_(Use()) {}

  Result<void> Read() {
    RETURN_IF_ERROR(ReadStart());
    RETURN_IF_ERROR(ReadEnd());
    RETURN_IF_ERROR(ReadRecurrenceId());
    RETURN_IF_ERROR(ReadRule());
    ASSIGN_OR_RETURN(item_.additions, ReadList("RDATE"));
    ASSIGN_OR_RETURN(item_.exceptions, ReadList("EXDATE"));
    return CheckRepeating();
  }

 private:
  /// An end, and which moment it is when it was said in another way than on clocks of the item's
  /// zone.
  struct End {
    LocalTime at{};
    std::optional<Instant> moment{};
  };

  bool IsTodo() const { return item_.kind == ItemKind::kTodo; }

  /// An occurrence of a series is told in the terms of its series.
  TimeUse Use() const {
    constexpr auto kSigns = std::to_array<std::string_view>({"RRULE", "RDATE", "RECURRENCE-ID"});
    return std::ranges::any_of(
               kSigns, [this](std::string_view name) { return Find(properties_, name) != nullptr; })
               ? TimeUse::kSeries
               : TimeUse::kOnce;
  }

  Result<StatedTime> Stated(const Property& property, std::string_view value) {
    ASSIGN_OR_RETURN(const StatedTime time, ReadStatedTime(property, value, zones_, use_));
    if (time.approximate) {
      notes_.Add(property, fmt::format("no zone has the rules of \"{}\": taken as of {}, which is "
                                       "the closest, so times may be wrong",
                                       Shown(property.Find("TZID")), time.ZoneName()));
    }
    return time;
  }

  void SetFrame(const StatedTime& time) {
    item_.all_day = time.is_date;
    item_.zone = time.ZoneName();
    zone_ = time.zone;
  }

  Result<void> ReadStart() {
    ASSIGN_OR_RETURN(const Property* property, FindOnly(properties_, "DTSTART"));
    if (property == nullptr) {
      return IsTodo() ? Result<void>()
                      : Fail(ErrorCode::kInvalidArgument, "has no DTSTART: when does it start?");
    }
    ASSIGN_OR_RETURN(const StatedTime time, Stated(*property, property->value));
    SetFrame(time);
    item_.start = time.at;
    return {};
  }

  Result<void> ReadEnd() {
    ASSIGN_OR_RETURN(const Property* property, FindOnly(properties_, IsTodo() ? "DUE" : "DTEND"));
    ASSIGN_OR_RETURN(const Property* duration, FindOnly(properties_, "DURATION"));
    if (property != nullptr && duration != nullptr) {
      return Refuse(*duration, "contradicts " + Place(*property));
    }
    if (property != nullptr) {
      return ReadEndTime(*property);
    }
    if (duration != nullptr) {
      return ReadDuration(*duration);
    }
    if (!IsTodo()) {
      item_.end = item_.all_day ? DaysLater(*item_.start, 1) : *item_.start;
    }
    return {};
  }

  Result<void> ReadEndTime(const Property& property) {
    ASSIGN_OR_RETURN(const StatedTime time, Stated(property, property.value));
    if (!item_.start) {
      SetFrame(time);
      item_.end = time.at;
      return {};
    }
    if (time.is_date != item_.all_day) {
      return Refuse(property, item_.all_day ? "is a time, while DTSTART is a day"
                                            : "is a day, while DTSTART is a time");
    }
    ASSIGN_OR_RETURN(const LocalTime local, InFrame(property, time));
    return SetEnd(property, {.at = local, .moment = time.Moment()});
  }

  Result<void> ReadDuration(const Property& property) {
    if (!item_.start) {
      return Refuse(property, "a length needs a start");
    }
    Result<Duration> duration = ParseDuration(property.value);
    if (!duration) {
      return Refuse(property, duration.error().client_message);
    }
    if (item_.all_day) {
      const auto days = std::chrono::floor<std::chrono::days>(duration->time);
      if (days != duration->time) {
        return Refuse(property, "an all-day item lasts whole days");
      }
      const int sum = duration->days + static_cast<int>(days.count());
      return SetEnd(property, {.at = DaysLater(*item_.start, sum), .moment = {}});
    }
    const LocalTime later = *item_.start + std::chrono::days(duration->days);
    if (duration->time == std::chrono::seconds(0) || !zone_) {
      return SetEnd(property, {.at = later + duration->time, .moment = {}});
    }
    const Instant moment = zone_->At(later) + duration->time;
    return SetEnd(property, {.at = zone_->In(moment), .moment = moment});
  }

  Result<void> SetEnd(const Property& property, const End& end) {
    const LocalTime start = *item_.start;
    item_.end = end.at;
    if (end.at < start) {
      // Clocks that are put back may show less at the end than at the start.
      const bool put_back = zone_ && end.moment && *end.moment >= zone_->At(start);
      if (!put_back) {
        return Refuse(property, "it ends before it starts");
      }
      item_.end = start;
    }
    // Not of the RFC, which has the end of an all-day event after its start, but of many writers.
    if (!IsTodo() && item_.all_day && end.at == start) {
      item_.end = DaysLater(start, 1);
    }
    return {};
  }

  /// A time in terms of the item's own zone. Days and times are not mixed here.
  Result<LocalTime> InFrame(const Property& property, const StatedTime& time) const {
    if (!time.zone || time.zone == zone_) {
      return time.at;
    }
    if (!zone_) {
      return Refuse(property, "has a time zone, while DTSTART has none");
    }
    return zone_->In(*time.Moment());
  }

  Result<void> ReadRecurrenceId() {
    ASSIGN_OR_RETURN(const Property* property, FindOnly(properties_, "RECURRENCE-ID"));
    if (property == nullptr) {
      return {};
    }
    if (!property->Find("RANGE").empty()) {
      return Refuse(*property, "changes of one occurrence and all after it are not understood");
    }
    ASSIGN_OR_RETURN(const StatedTime time, Stated(*property, property->value));
    item_.recurrence_id =
        RecurrenceId{.at = time.at, .all_day = time.is_date, .zone = time.ZoneName()};
    return {};
  }

  Result<void> ReadRule() {
    if (const Property* property = Find(properties_, "EXRULE")) {
      return Refuse(*property, "rules for exceptions are not understood");
    }
    ASSIGN_OR_RETURN(const Property* property, FindOnly(properties_, "RRULE"));
    if (property == nullptr) {
      return {};
    }
    if (item_.recurrence_id) {
      notes_.Add(*property, "left out: an occurrence of a series does not repeat");
      return {};
    }
    Result<std::string> rule =
        StableRule(property->value, {.all_day = item_.all_day, .zone = zone_});
    if (!rule) {
      return Refuse(*property, WithoutField(rule.error().client_message));
    }
    item_.rule = *std::move(rule);
    return {};
  }

  Result<std::vector<LocalTime>> ReadList(std::string_view name) {
    std::vector<LocalTime> times;
    for (const Property& property : properties_) {
      if (property.name != name || property.value.empty()) {
        continue;
      }
      if (item_.recurrence_id) {
        notes_.Add(property, "left out: an occurrence of a series does not repeat");
        continue;
      }
      for (const std::string_view value : SplitList(property.value)) {
        ASSIGN_OR_RETURN(const LocalTime time, ReadListed(property, value));
        times.push_back(time);
      }
    }
    std::ranges::sort(times);
    const auto [again, end] = std::ranges::unique(times);
    times.erase(again, end);
    return times;
  }

  Result<LocalTime> ReadListed(const Property& property, std::string_view value) {
    const std::size_t slash = value.find('/');
    if (slash != std::string_view::npos) {
      notes_.Add(property, "lasts as long as all other occurrences");
    }
    ASSIGN_OR_RETURN(const StatedTime time, Stated(property, value.substr(0, slash)));
    if (time.is_date && !item_.all_day && item_.start) {
      notes_.Add(property, "a day stands for the occurrence of that day");
      return LocalTime{.date = time.at.date, .time = item_.start->time};
    }
    if (item_.all_day) {
      return LocalTime{.date = time.at.date, .time = {}};
    }
    return InFrame(property, time);
  }

  Result<void> CheckRepeating() const {
    const bool repeats =
        !item_.rule.empty() || !item_.additions.empty() || !item_.exceptions.empty();
    if (repeats && !item_.start) {
      return Fail(ErrorCode::kInvalidArgument, "repeats, but has no DTSTART to repeat from");
    }
    return {};
  }

  const std::vector<Property>& properties_;
  ZoneNames& zones_;
  Item& item_;
  Notes& notes_;
  const TimeUse use_;
  /// Of the item; nullopt when it has none.
  std::optional<almanac::Zone> zone_;
};

}  // namespace

Result<void> ReadTimes(const Component& component, ZoneNames& zones, Item& item, Notes& notes) {
  return TimesReader(component, zones, item, notes).Read();
}

}  // namespace atrium::icalendar

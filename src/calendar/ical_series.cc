// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/ical_series.h"

#include <optional>
#include <utility>

#include "calendar/entry_rules.h"
#include "calendar/ical_entries.h"
#include "calendar/ical_people.h"
#include "calendar/occurrences.h"

namespace atrium::calendar {
namespace {

using icalendar::Item;
}  // namespace

SeriesBuilder::SeriesBuilder(Entry series)
    : series_(std::move(series)), plain_(series_), frame_(ItemOf(series_)) {
  if (!series_.recurrence) {
    return;
  }
  plain_.recurrence->overrides.clear();
  for (const Override& one : series_.recurrence->overrides) {
    overrides_.emplace(one.occurrence, one);
  }
}

SeriesBuilder::Outcome SeriesBuilder::LeaveOut(const LocalTime& at) {
  overrides_.erase(at);
  exceptions_.insert(at);
  return Outcome::kApart;
}

Result<SeriesBuilder::Outcome> SeriesBuilder::Take(const Item& item,
                                                   std::vector<std::string>& notes) {
  if (!item.recurrence_id || !series_.recurrence) {
    return Outcome::kApart;
  }
  ASSIGN_OR_RETURN(const LocalTime at, icalendar::StartInSeries(*item.recurrence_id, frame_));
  const Result<Occurrence> usual = OccurrenceAt(plain_, at);
  if (!usual) {
    return usual.error().code == ErrorCode::kNotFound ? Result<Outcome>(Outcome::kApart)
                                                      : std::unexpected(usual.error());
  }
  if (item.cancelled) {
    LeaveOut(at);
    return Outcome::kTaken;
  }
  ASSIGN_OR_RETURN(const std::optional<Entry> now, OccurrenceFrom(item, series_, notes));
  const bool is_full = overrides_.size() >= kOverrides && !overrides_.contains(at);
  if (!now || is_full) {
    return LeaveOut(at);
  }
  exceptions_.erase(at);
  const Override difference = DifferenceOf(at, *now, usual->entry);
  if (difference == Override{.occurrence = at}) {
    overrides_.erase(at);
  } else {
    overrides_.insert_or_assign(at, difference);
  }
  return Outcome::kTaken;
}

Result<Entry> SeriesBuilder::Finish(std::vector<std::string>& notes) && {
  if (!series_.recurrence) {
    return std::move(series_);
  }
  Recurrence& recurrence = *series_.recurrence;
  recurrence.exceptions.insert(recurrence.exceptions.end(), exceptions_.begin(), exceptions_.end());
  recurrence.overrides.clear();
  for (auto& [at, one] : overrides_) {
    recurrence.overrides.push_back(std::move(one));
  }
  RETURN_IF_ERROR(SettleWithPeople(series_, notes));
  return std::move(series_);
}

}  // namespace atrium::calendar

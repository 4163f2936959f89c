// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/agenda.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <tuple>
#include <utility>

#include "base/json_write.h"
#include "calendar/entry_rules.h"
#include "calendar/keys.h"
#include "calendar/time_index.h"
#include "store/record.h"
#include "store/store.h"

namespace atrium::calendar {
namespace {

constexpr std::size_t kPage = 1000;
constexpr std::size_t kItemsMax = 50'000;
constexpr std::size_t kOccurrencesMax = 50'000;
constexpr std::size_t kStepsMax = 1'000'000;
/// Clocks differ by up to 26 hours, so a day elsewhere may have another date by two.
constexpr int kZoneDays = 2;

std::unexpected<Error> TooMuch() {
  return Fail(ErrorCode::kLimitExceeded, "there is too much on these days: ask for fewer");
}

bool Touch(Date first, Date last, const DayRange& days) {
  return first <= days.to && days.from <= last;
}

/// Collects what the rows of the three slices say.
class Collector final : public store::RowSink {
 public:
  Collector(const AgendaQuery& query, almanac::ExpansionBudget& budget)
      : query_(query), budget_(budget), reach_(Reach(query)) {}

  /// The days that must be looked at, in the zones of the entries.
  static DayRange Reach(const AgendaQuery& query) {
    const int more = query.zone ? kZoneDays : 0;
    return {.from = query.days.from + -more, .to = query.days.to + more};
  }

  void Take(const store::RowView& row) override {
    if (outcome_) {
      outcome_ = TakeRow(row);
    }
  }

  const Result<void>& Outcome() const { return outcome_; }
  std::vector<AgendaItem> Items() && { return std::move(items_); }
  std::size_t Count() const { return items_.size(); }

 private:
  Result<void> TakeRow(const store::RowView& row) {
    if (const auto place = ReadDayPlace(row.key.sort)) {
      return TakeDay(*place, row);
    }
    ASSIGN_OR_RETURN(const auto stored, store::DecodeRecord<Entry>(row.document, row.version));
    if (!seen_.insert(stored.record.id).second) {
      return {};
    }
    ASSIGN_OR_RETURN(const std::vector<Occurrence> occurrences,
                     OccurrencesOf(stored.record, reach_, budget_));
    for (const Occurrence& one : occurrences) {
      RETURN_IF_ERROR(Add(one, row.version));
    }
    return {};
  }

  /// A row on a later Monday counts only where the slice begins, behind the entry's first day.
  Result<void> TakeDay(const DayPlace& place, const store::RowView& row) {
    const bool is_first = place.day == place.first;
    const bool is_continued = place.first < place.day && place.day <= reach_.from;
    if ((!is_first && !is_continued) || !Touch(place.first, place.last, reach_)) {
      return {};
    }
    if (query_.zone) {
      ASSIGN_OR_RETURN(const auto stored, store::DecodeRecord<Entry>(row.document, row.version));
      return Add({.entry = stored.record}, row.version);
    }
    items_.push_back({.first = place.first,
                      .last = place.last,
                      .start = place.start,
                      .id = place.id,
                      .json = WithVersion(row.document, row.version)});
    return {};
  }

  Result<void> Add(const Occurrence& one, store::Version version) {
    AgendaItem item{.first = one.entry.start_date,
                    .last = LastDayOf(one.entry),
                    .start = StartOf(one.entry),
                    .id = one.entry.id};
    if (query_.zone && one.entry.start_time) {
      ASSIGN_OR_RETURN(const TimeSpan span, TimeSpanOf(one.entry, *query_.zone));
      item.start = query_.zone->In(span.start);
      item.first = item.start.date;
      // What ends at midnight does not touch the day that begins then.
      item.last = query_.zone->In(std::max(span.start, span.end - std::chrono::seconds(1))).date;
    }
    if (!Touch(item.first, item.last, query_.days)) {
      return {};
    }
    item.json = WithVersion(ToJson(one.entry), version);
    if (one.of_series) {
      item.json.pop_back();
      item.json += R"(,"occurrence":")" + one.of_series->Render() + "\"}";
    }
    items_.push_back(std::move(item));
    return {};
  }

  const AgendaQuery& query_;
  almanac::ExpansionBudget& budget_;
  const DayRange reach_;
  std::set<EntryId> seen_;
  std::vector<AgendaItem> items_;
  Result<void> outcome_{};
};

Result<void> ReadSlice(store::Engine& engine, const store::OpContext& op,
                       store::ScanRequest request, Collector& collector) {
  do {
    ASSIGN_OR_RETURN(store::ScanEnd end, engine.Scan(op, request, collector));
    RETURN_IF_ERROR(collector.Outcome());
    if (collector.Count() > kItemsMax) {
      return TooMuch();
    }
    request.after = std::move(end.resume);
  } while (request.after);
  return {};
}

}  // namespace

almanac::ExpansionBudget BudgetForAgenda() {
  return almanac::ExpansionBudget(kOccurrencesMax, kStepsMax);
}

std::string WithVersion(std::string_view document, store::Version version) {
  std::string json;
  const std::string number = std::to_string(version.number);
  json.reserve(document.size() + number.size() + 16);
  json.append(document.substr(0, document.size() - 1));
  return json.append(R"(,"version":)").append(number).append("}");
}

Result<TimeSpan> TimeSpanOf(const Entry& occurrence, const almanac::Zone& zone) {
  almanac::Zone own = zone;
  if (occurrence.time_zone) {
    ASSIGN_OR_RETURN(own, almanac::Zone::Find(*occurrence.time_zone));
  }
  if (!occurrence.start_time) {
    return TimeSpan{.start = own.At({.date = occurrence.start_date}),
                    .end = own.At({.date = occurrence.end_date + 1})};
  }
  return TimeSpan{.start = own.At(StartOf(occurrence)),
                  .end = own.At({.date = occurrence.end_date,
                                 .time = occurrence.end_time.value_or(*occurrence.start_time)})};
}

Result<std::vector<AgendaItem>> ReadAgenda(store::Engine& engine, const store::OpContext& op,
                                           const AgendaQuery& query,
                                           almanac::ExpansionBudget& budget) {
  Collector collector(query, budget);
  const DayRange reach = Collector::Reach(query);
  const std::string partition = PartitionOf(query.calendar);
  TimeSlices slices = SlicesFor(reach.from, reach.to);
  for (store::Range* slice : {&slices.days, &slices.years, &slices.endless}) {
    RETURN_IF_ERROR(ReadSlice(engine, op,
                              {.table = &kEntriesByTime,
                               .partition = partition,
                               .range = std::move(*slice),
                               .limit = kPage},
                              collector));
  }
  std::vector<AgendaItem> items = std::move(collector).Items();
  std::ranges::sort(items, {},
                    [](const AgendaItem& item) { return std::tuple(item.start, item.id); });
  return items;
}

}  // namespace atrium::calendar

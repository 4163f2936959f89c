// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/agenda.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <utility>

#include "base/json_write.h"
#include "calendar/agenda_choice.h"
#include "calendar/entry_rules.h"
#include "calendar/keys.h"
#include "calendar/time_index.h"
#include "store/record.h"
#include "store/store.h"

namespace atrium::calendar {
namespace {

constexpr std::size_t kPage = 1000;
constexpr std::size_t kOccurrencesMax = 50'000;
constexpr std::size_t kStepsMax = 1'000'000;
/// Clocks differ by up to 26 hours, so a day elsewhere may have another date by two.
constexpr int kZoneDays = 2;
/// What a list shows of an occurrence besides the entry: version, occurrence.
constexpr std::size_t kBytesBesides = 80;

bool Touch(Date first, Date last, const DayRange& days) {
  return first <= days.to && days.from <= last;
}

/// The days that must be looked at, in the zones of the entries.
DayRange ReachOf(const AgendaQuery& query) {
  const int more = query.zone ? kZoneDays : 0;
  const Date from =
      query.after ? std::max(query.days.from, query.after->start.date) : query.days.from;
  return {.from = from + -more, .to = query.days.to + more};
}

/// Whether a row of a day stands for its entry. One on a later Monday does only where the slice
/// begins, behind the entry's first day.
bool Counts(const DayPlace& place, const DayRange& reach) {
  const bool is_first = place.day == place.first;
  const bool is_continued = place.first < place.day && place.day <= reach.from;
  return (is_first || is_continued) && Touch(place.first, place.last, reach);
}

/// What reads the rows of the three slices.
class SliceReader : public store::RowSink {
 public:
  void Take(const store::RowView& row) final {
    if (outcome_) {
      outcome_ = TakeRow(row);
    }
  }

  const Result<void>& Outcome() const { return outcome_; }
  /// The last day that is still of interest.
  virtual Date LastDay() const = 0;

 protected:
  /// Of a row of the years or the endless: the entry, when it was not met before.
  Result<std::optional<store::Stored<Entry>>> ReadOnce(const store::RowView& row) {
    ASSIGN_OR_RETURN(auto stored, store::DecodeRecord<Entry>(row.document, row.version));
    if (!seen_.insert(stored.record.id).second) {
      return std::nullopt;
    }
    return stored;
  }

 private:
  virtual Result<void> TakeRow(const store::RowView& row) = 0;

  std::set<EntryId> seen_;
  Result<void> outcome_{};
};

/// Collects what the rows of the three slices say.
class Collector final : public SliceReader {
 public:
  Collector(const AgendaQuery& query, almanac::ExpansionBudget& budget)
      : query_(query), budget_(budget), reach_(ReachOf(query)), choice_(query) {}

  Date LastDay() const override {
    if (!choice_.End()) {
      return reach_.to;
    }
    // What began before the first day may end the choice, and is found on the first day.
    const int more = query_.zone ? kZoneDays : 0;
    return std::max(reach_.from, std::min(reach_.to, choice_.End()->start.date + more));
  }
  AgendaPage Page() && { return std::move(choice_).Take(); }

 private:
  Result<void> TakeRow(const store::RowView& row) override {
    if (const auto place = ReadDayPlace(row.key.sort)) {
      return Counts(*place, reach_) ? TakeDay(*place, row) : Result<void>();
    }
    ASSIGN_OR_RETURN(std::optional<store::Stored<Entry>> stored, ReadOnce(row));
    return stored ? AddAll(*std::move(stored)) : Result<void>();
  }

  Result<void> TakeDay(const DayPlace& place, const store::RowView& row) {
    if (query_.zone) {
      ASSIGN_OR_RETURN(auto stored, store::DecodeRecord<Entry>(row.document, row.version));
      return AddAll(std::move(stored));
    }
    AgendaCandidate one{
        .place = {.start = place.start, .id = place.id}, .first = place.first, .last = place.last};
    if (choice_.Wants(one.place)) {
      one.json = WithVersion(row.document, row.version);
      one.bytes = one.json.size() + sizeof(AgendaItem);
      return Choose(std::move(one));
    }
    return {};
  }

  Result<void> Choose(AgendaCandidate candidate) {
    choice_.Add(std::move(candidate));
    if (choice_.IsCut() && query_.is_all_or_nothing) {
      return Fail(ErrorCode::kLimitExceeded, "there is too much on these days: ask for fewer");
    }
    return {};
  }

  /// Every occurrence of an entry. Those behind the end of what is chosen are not even worked out.
  Result<void> AddAll(store::Stored<Entry> stored) {
    const auto shared = std::make_shared<SharedEntry>();
    shared->entry = std::move(stored.record);
    shared->version = stored.version;
    const std::size_t bytes = BytesOfOne(shared->entry);
    RETURN_IF_ERROR(
        EachOccurrence(shared->entry, {.from = reach_.from, .to = LastDay()}, budget_,
                       [&](const BareOccurrence& one) { return Add(one, shared, bytes); }));
    // What the series has on other days is not shown, and may be far more than what is.
    shared->entry.recurrence.reset();
    return {};
  }

  static std::size_t BytesOfOne(const Entry& entry) {
    const std::size_t whole = ToJson(entry).size() + kBytesBesides + sizeof(AgendaItem);
    return entry.recurrence ? whole - ToJson(*entry.recurrence).size() : whole;
  }

  Result<void> Add(const BareOccurrence& one, const std::shared_ptr<const SharedEntry>& source,
                   std::size_t bytes) {
    AgendaCandidate candidate{
        .place = {.start = StartOf(one.entry), .id = one.entry.id, .occurrence = one.of_series},
        .first = one.entry.start_date,
        .last = LastDayOf(one.entry),
        .source = source,
        .bytes = bytes};
    if (query_.zone && one.entry.start_time) {
      ASSIGN_OR_RETURN(const TimeSpan span, TimeSpanOf(one.entry, *query_.zone));
      candidate.place.start = query_.zone->In(span.start);
      candidate.first = candidate.place.start.date;
      // What ends at midnight does not touch the day that begins then.
      candidate.last =
          query_.zone->In(std::max(span.start, span.end - std::chrono::seconds(1))).date;
    }
    if (!Touch(candidate.first, candidate.last, query_.days) || !choice_.Wants(candidate.place)) {
      return {};
    }
    if (one.override != nullptr) {
      candidate.override = std::make_unique<const Override>(*one.override);
      candidate.bytes += ToJson(*one.override).size();
    }
    return Choose(std::move(candidate));
  }

  const AgendaQuery& query_;
  almanac::ExpansionBudget& budget_;
  const DayRange reach_;
  AgendaChoice choice_;
};

/// Hands on all that the rows of the three slices say.
class Teller final : public SliceReader {
 public:
  Teller(const DayRange& days, almanac::ExpansionBudget& budget, const BareOccurrenceSink& sink)
      : days_(days), budget_(budget), sink_(sink) {}

  Date LastDay() const override { return days_.to; }

 private:
  Result<void> TakeRow(const store::RowView& row) override {
    if (const auto place = ReadDayPlace(row.key.sort)) {
      if (!Counts(*place, days_)) {
        return {};
      }
      ASSIGN_OR_RETURN(const auto stored, store::DecodeRecord<Entry>(row.document, row.version));
      return EachOccurrence(stored.record, days_, budget_, sink_);
    }
    ASSIGN_OR_RETURN(const std::optional<store::Stored<Entry>> stored, ReadOnce(row));
    return stored ? EachOccurrence(stored->record, days_, budget_, sink_) : Result<void>();
  }

  const DayRange days_;
  almanac::ExpansionBudget& budget_;
  const BareOccurrenceSink& sink_;
};

/// Whose agenda is read, and from which day on.
struct SliceOrder {
  store::Engine& engine;
  const store::OpContext& op;
  CalendarId calendar{};
  Date from{};
};

/// From page to page the slice may become shorter: what comes last is not wanted any more when
/// enough was found before it.
Result<void> ReadSlice(const SliceOrder& order, store::Range TimeSlices::* slice,
                       SliceReader& reader) {
  const std::string partition = PartitionOf(order.calendar);
  store::ScanRequest request{.table = &kEntriesByTime, .partition = partition, .limit = kPage};
  do {
    request.range = SlicesFor(order.from, reader.LastDay()).*slice;
    ASSIGN_OR_RETURN(store::ScanEnd end, order.engine.Scan(order.op, request, reader));
    RETURN_IF_ERROR(reader.Outcome());
    request.after = std::move(end.resume);
  } while (request.after);
  return {};
}

Result<void> ReadSlices(const SliceOrder& order, SliceReader& reader) {
  for (const auto slice : {&TimeSlices::days, &TimeSlices::years, &TimeSlices::endless}) {
    RETURN_IF_ERROR(ReadSlice(order, slice, reader));
  }
  return {};
}

}  // namespace

almanac::ExpansionBudget BudgetForAgenda() {
  return almanac::ExpansionBudget(kOccurrencesMax, kStepsMax);
}

std::string AgendaPlace::Render() const {
  std::string text = start.Render() + " " + id.Render();
  return occurrence ? text + " " + occurrence->Render() : text;
}

Result<AgendaPlace> AgendaPlace::Parse(std::string_view text) {
  const auto next = [&text] {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return word;
  };
  const Result<LocalTime> start = LocalTime::Parse(next());
  const Result<EntryId> id = EntryId::Parse(next());
  const std::string_view rest = next();
  const Result<LocalTime> occurrence = LocalTime::Parse(rest);
  if (!start || !id || !text.empty() || (!rest.empty() && !occurrence)) {
    return Fail(ErrorCode::kInvalidArgument, "after: not what a page before this one said");
  }
  AgendaPlace place{.start = *start, .id = *id};
  if (!rest.empty()) {
    place.occurrence = *occurrence;
  }
  return place;
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

Result<AgendaPage> ReadAgenda(store::Engine& engine, const store::OpContext& op,
                              const AgendaQuery& query, almanac::ExpansionBudget& budget) {
  const DayRange reach = ReachOf(query);
  if (reach.to < reach.from) {
    return AgendaPage{};
  }
  Collector collector(query, budget);
  RETURN_IF_ERROR(ReadSlices(
      {.engine = engine, .op = op, .calendar = query.calendar, .from = reach.from}, collector));
  return std::move(collector).Page();
}

Result<void> EachInAgenda(store::Engine& engine, const store::OpContext& op,
                          const AgendaQuery& query, almanac::ExpansionBudget& budget,
                          const BareOccurrenceSink& sink) {
  Teller teller(query.days, budget, sink);
  return ReadSlices(
      {.engine = engine, .op = op, .calendar = query.calendar, .from = query.days.from}, teller);
}

}  // namespace atrium::calendar

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "almanac/recurrence.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "almanac/expansion_budget.h"
#include "almanac/local_time.h"
#include "almanac/rule.h"
#include "almanac/zone.h"
#include "base/check.h"
#include "base/result.h"
#include "fuzz/fuzzing.h"

namespace atrium::fuzz {
namespace {

using almanac::ExpansionBudget;
using almanac::LocalTime;
using almanac::Series;

constexpr std::size_t kOccurrences = 500;
constexpr std::size_t kSteps = 200'000;
constexpr std::chrono::days kWindow{400};

void CheckWindow(const std::vector<LocalTime>& starts, const LocalTime& from,
                 const LocalTime& before) {
  Check(std::ranges::adjacent_find(starts, std::greater_equal<>()) == starts.end(),
        "starts are sorted, each once");
  Check(starts.empty() || (starts.front() >= from && starts.back() < before),
        "starts are inside the window");
}

/// A budget that is spent leaves nothing to check.
void TryExpanding(const Series& series, const LocalTime& from) {
  ExpansionBudget budget(kOccurrences, kSteps);
  const LocalTime before = from + kWindow;
  const Result<std::vector<LocalTime>> starts = Expand(series, from, before, budget);
  if (!starts) {
    return;
  }
  CheckWindow(*starts, from, before);
  const Result<std::vector<LocalTime>> next = NextStarts(series, from, starts->size(), budget);
  Check(!next || *next == *starts, "the next starts are those of the window");
  const Result<std::optional<LocalTime>> last = LastStart(series, budget);
  Check(!last || !*last || starts->empty() || starts->back() <= **last,
        "nothing starts after the last start");
}

void TryCounting(Series series, const LocalTime& from) {
  ExpansionBudget budget(kOccurrences, kSteps);
  const LocalTime before = from + kWindow;
  const Result<std::vector<LocalTime>> counting = Expand(series, from, before, budget);
  const Result<std::optional<LocalTime>> counted = CountedUntil(series, budget);
  if (!counting || !counted) {
    return;
  }
  series.counted_until = *counted;
  const Result<std::vector<LocalTime>> known = Expand(series, from, before, budget);
  Check(!known || *known == *counting, "what was counted before is not counted otherwise");
}

void TryDividing(const Series& series, const LocalTime& at) {
  ExpansionBudget budget(kOccurrences, kSteps);
  if (const Result<std::string> first = EndRuleBefore(series, at)) {
    Check(almanac::ParseRule(*first).has_value(), "the rule of the first part is one");
  }
  if (const Result<std::string> second = RuleFrom(series, at, budget)) {
    Check(second->empty() || almanac::ParseRule(*second).has_value(),
          "the rule of the second part is one, if there is any");
  }
}

void TryRule(std::string_view rule, const almanac::RuleTerms& terms, const LocalTime& start,
             const LocalTime& from) {
  const Result<std::string> canonical = CanonicalRule(rule, terms);
  if (!canonical) {
    Check(canonical.error().client_message.starts_with("recurrence.rule: "), "the rule is named");
    return;
  }
  Check(canonical->size() > almanac::kRuleBytesMax ||
            CanonicalRule(*canonical, terms).value() == *canonical,
        "what is canonical stays as it is");
  const Series series{.start = start, .rule = *canonical, .exceptions = {start}};
  TryExpanding(series, from);
  TryCounting(series, from);
  TryDividing(series, from);
}

}  // namespace

/// Lines: the start, where the window begins, the name of a zone, and the rule.
void TryInput(std::string_view input) {
  const LocalTime start = LocalTime::Parse(TakeLine(input)).value_or(LocalTime());
  const LocalTime from = LocalTime::Parse(TakeLine(input)).value_or(start);
  const Result<almanac::Zone> zone = almanac::Zone::Find(TakeLine(input));
  TryRule(input, {.all_day = true}, {.date = start.date}, from);
  TryRule(input, {.zone = zone ? std::optional(*zone) : std::nullopt}, start, from);
}

}  // namespace atrium::fuzz

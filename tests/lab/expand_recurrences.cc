// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

// Answers questions about series, a JSON document on each line, so that a test can compare what
// comes of a rule with what other programs make of it.
#include <boost/describe/class.hpp>
#include <cstddef>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "almanac/expansion_budget.h"
#include "almanac/local_time.h"
#include "almanac/recurrence.h"
#include "almanac/zone.h"
#include "base/error.h"
#include "base/instant.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "base/result.h"

namespace atrium::lab {

struct Question {
  std::string rule{};
  almanac::LocalTime start{};
  std::vector<almanac::LocalTime> additions{};
  std::vector<almanac::LocalTime> exceptions{};
  bool all_day = false;
  std::optional<std::string> zone{};
  almanac::LocalTime from{};
  almanac::LocalTime before{};
};
BOOST_DESCRIBE_STRUCT(Question, (),
                      (rule, start, additions, exceptions, all_day, zone, from, before))

struct Answer {
  std::string rule{};
  std::vector<almanac::LocalTime> starts{};
  /// When there is a zone.
  std::optional<std::vector<Instant>> instants{};
  /// Nothing: the series never ends.
  std::optional<almanac::LocalTime> last{};
};
BOOST_DESCRIBE_STRUCT(Answer, (), (rule, starts, instants, last))

struct Refusal {
  std::string error{};
};
BOOST_DESCRIBE_STRUCT(Refusal, (), (error))

namespace {

constexpr std::size_t kOccurrencesMax = 100'000;
constexpr std::size_t kStepsMax = 10'000'000;

Result<Answer> AnswerTo(const Question& question) {
  almanac::RuleTerms terms{.all_day = question.all_day};
  if (question.zone) {
    ASSIGN_OR_RETURN(terms.zone, almanac::Zone::Find(*question.zone));
  }
  almanac::ExpansionBudget budget(kOccurrencesMax, kStepsMax);
  almanac::Series series{
      .start = question.start, .additions = question.additions, .exceptions = question.exceptions};
  ASSIGN_OR_RETURN(series.rule, almanac::CanonicalRule(question.rule, terms));
  ASSIGN_OR_RETURN(series.counted_until, almanac::CountedUntil(series, budget));
  Answer answer{.rule = series.rule};
  ASSIGN_OR_RETURN(answer.last, almanac::LastStart(series, budget));
  ASSIGN_OR_RETURN(answer.starts, almanac::Expand(series, question.from, question.before, budget));
  if (terms.zone) {
    std::vector<Instant>& instants = answer.instants.emplace();
    for (const almanac::LocalTime& start : answer.starts) {
      instants.push_back(terms.zone->At(start));
    }
  }
  return answer;
}

std::string AnswerLine(const std::string& line) {
  const Result<Question> question = FromJson<Question>(line, {.missing = OnMissing::kKeepDefault});
  if (!question) {
    return ToJson(Refusal{.error = question.error().client_message});
  }
  const Result<Answer> answer = AnswerTo(*question);
  return answer ? ToJson(*answer) : ToJson(Refusal{.error = answer.error().client_message});
}

}  // namespace
}  // namespace atrium::lab

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << atrium::lab::AnswerLine(line) << '\n';
  }
  return 0;
}

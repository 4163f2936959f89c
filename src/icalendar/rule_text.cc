// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/rule_text.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "almanac/recurrence.h"
#include "almanac/zone.h"
#include "base/result.h"
#include "icalendar/values.h"

namespace atrium::icalendar {
namespace {

constexpr std::string_view kUntil = "UNTIL=";

/// Where the value of UNTIL begins; npos when the rule has none.
std::size_t FindUntil(std::string_view rule) {
  const std::size_t found = rule.find(kUntil);
  return found == std::string_view::npos ? found : found + kUntil.size();
}

}  // namespace

std::string RuleWithUntilInUtc(std::string_view rule, const almanac::Zone& zone) {
  const std::size_t begin = FindUntil(rule);
  if (begin == std::string_view::npos) {
    return std::string(rule);
  }
  const std::size_t end = std::min(rule.find(';', begin), rule.size());
  const Result<TimeValue> until = ParseTime(rule.substr(begin, end - begin));
  if (!until || until->form != TimeForm::kLocal) {
    return std::string(rule);
  }
  std::string written(rule);
  written.replace(begin, end - begin, RenderUtc(zone.At(until->at)));
  return written;
}

Result<std::string> CanonicalRuleIn(std::string_view value, const almanac::Zone& zone) {
  const almanac::RuleTerms terms{.all_day = false, .zone = zone};
  ASSIGN_OR_RETURN(std::string rule, almanac::CanonicalRule(value, terms));
  if (FindUntil(rule) == std::string_view::npos) {
    return rule;
  }
  return almanac::CanonicalRule(RuleWithUntilInUtc(rule, zone), terms);
}

}  // namespace atrium::icalendar

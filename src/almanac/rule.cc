// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "almanac/rule.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <utility>

#include "almanac/date.h"
#include "almanac/digits.h"
#include "almanac/time_of_day.h"

namespace atrium::almanac {
namespace {

constexpr std::array<std::string_view, 7> kWeekdays = {"MO", "TU", "WE", "TH", "FR", "SA", "SU"};
constexpr std::array<std::string_view, 4> kFrequencies = {"DAILY", "WEEKLY", "MONTHLY", "YEARLY"};
constexpr std::array<std::string_view, 3> kTooFrequent = {"SECONDLY", "MINUTELY", "HOURLY"};

/// What the values of a list may be. Negative ones count from the end.
struct NumberList {
  std::string_view name;
  std::vector<int> Rule::* values;
  int min;
  int max;
  bool from_end;
};

// In the order in which they are written, with BYDAY between the third and the fourth.
constexpr std::array<NumberList, 8> kLists = {{
    {.name = "BYSECOND", .values = &Rule::by_second, .min = 0, .max = 59, .from_end = false},
    {.name = "BYMINUTE", .values = &Rule::by_minute, .min = 0, .max = 59, .from_end = false},
    {.name = "BYHOUR", .values = &Rule::by_hour, .min = 0, .max = 23, .from_end = false},
    {.name = "BYMONTHDAY", .values = &Rule::by_month_day, .min = 1, .max = 31, .from_end = true},
    {.name = "BYYEARDAY", .values = &Rule::by_year_day, .min = 1, .max = 366, .from_end = true},
    {.name = "BYWEEKNO", .values = &Rule::by_week_no, .min = 1, .max = 53, .from_end = true},
    {.name = "BYMONTH", .values = &Rule::by_month, .min = 1, .max = 12, .from_end = false},
    {.name = "BYSETPOS", .values = &Rule::by_set_pos, .min = 1, .max = 366, .from_end = true},
}};
constexpr std::size_t kListsBeforeByDay = 3;
constexpr int kByDayOrdinalMax = 53;

char UpperCase(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

template <std::size_t size>
std::optional<int> IndexOf(const std::array<std::string_view, size>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? std::nullopt : std::optional<int>(found - names.begin());
}

/// One to six digits; there is no sign and nothing else.
std::optional<int> ParseNumber(std::string_view text) {
  constexpr std::size_t kDigitsMax = 6;
  if (text.empty() || text.size() > kDigitsMax) {
    return std::nullopt;
  }
  return DigitsAt(text, 0, text.size());
}

/// Takes a sign off the front: 1 or -1.
int TakeSign(std::string_view& text) {
  if (!text.starts_with('+') && !text.starts_with('-')) {
    return 1;
  }
  const int sign = text.front() == '-' ? -1 : 1;
  text.remove_prefix(1);
  return sign;
}

Result<int> ParseListNumber(const NumberList& list, std::string_view text) {
  std::string_view digits = text;
  const int sign = list.from_end ? TakeSign(digits) : 1;
  const std::optional<int> number = ParseNumber(digits);
  if (!number || *number < list.min || *number > list.max) {
    return RefuseRule(fmt::format("{} takes numbers from {} to {}{}", list.name, list.min, list.max,
                                  list.from_end ? ", or negative ones from the end" : ""));
  }
  return sign * *number;
}

Result<RuleDay> ParseRuleDay(std::string_view text) {
  const std::string_view name = text.substr(text.size() - std::min<std::size_t>(text.size(), 2));
  std::string_view digits = text.substr(0, text.size() - name.size());
  const bool every = digits.empty();
  const int sign = TakeSign(digits);
  const std::optional<int> number = every ? 0 : ParseNumber(digits);
  const std::optional<int> weekday = IndexOf(kWeekdays, name);
  if (!weekday || !number || (!every && *number == 0) || *number > kByDayOrdinalMax) {
    return RefuseRule("BYDAY takes weekdays like MO, 2TU and -1FR");
  }
  return RuleDay{.weekday = *weekday, .ordinal = sign * *number};
}

template <typename T, typename Parse>
Result<std::vector<T>> ParseList(std::string_view name, std::string_view text, const Parse& parse) {
  if (static_cast<std::size_t>(std::ranges::count(text, ',')) >= kRuleListMax) {
    return RefuseRule(fmt::format("{} has more than {} values", name, kRuleListMax));
  }
  std::vector<T> values;
  for (const auto& piece : std::views::split(text, ',')) {
    ASSIGN_OR_RETURN(const T value, parse(std::string_view(piece.begin(), piece.end())));
    values.push_back(value);
  }
  if (values.empty()) {
    return RefuseRule(fmt::format("{} is empty", name));
  }
  std::ranges::sort(values);
  const auto repeated = std::ranges::unique(values);
  values.erase(repeated.begin(), repeated.end());
  return values;
}

Result<Frequency> ParseFrequency(std::string_view text) {
  if (const std::optional<int> index = IndexOf(kFrequencies, text)) {
    return static_cast<Frequency>(*index);
  }
  return RefuseRule(IndexOf(kTooFrequent, text) ? "FREQ must not be finer than DAILY"
                                                : "FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY");
}

Result<int> ParseBounded(std::string_view name, std::string_view text, int max) {
  const std::optional<int> number = ParseNumber(text);
  if (!number || *number < 1 || *number > max) {
    return RefuseRule(fmt::format("{} must be a number from 1 to {}", name, max));
  }
  return *number;
}

/// "20261231", "20261231T090000" or "20261231T090000Z".
Result<RuleEnd> ParseRuleEnd(std::string_view text) {
  const auto refuse = [] { return RefuseRule("UNTIL must be like 20261231 or 20261231T090000Z"); };
  constexpr std::size_t kDateSize = 8;
  constexpr std::size_t kTimeSize = 15;
  const bool utc = text.size() == kTimeSize + 1 && text.back() == 'Z';
  const bool with_time = utc || text.size() == kTimeSize;
  const std::optional<int> day = DigitsAt(text, 0, kDateSize);
  const std::optional<int> time = with_time ? DigitsAt(text, kDateSize + 1, 6) : 0;
  if (!day || !time || (!with_time && text.size() != kDateSize) ||
      (with_time && text[kDateSize] != 'T') || *time / 10'000 > 23 || *time / 100 % 100 > 59 ||
      *time % 100 > 59) {
    return refuse();
  }
  const Result<Date> date = Date::Of(*day / 10'000, *day / 100 % 100, *day % 100);
  if (!date) {
    return refuse();
  }
  if (!with_time) {
    return RuleEnd{
        .time = {.date = *date, .time = TimeOfDay::FromSeconds(TimeOfDay::kSecondsPerDay - 1)},
        .form = RuleEnd::Form::kDate};
  }
  const int seconds = (*time / 10'000 * 60 + *time / 100 % 100) * 60 + *time % 100;
  return RuleEnd{.time = {.date = *date, .time = TimeOfDay::FromSeconds(seconds)},
                 .form = utc ? RuleEnd::Form::kUtc : RuleEnd::Form::kLocal};
}

/// The name of a part as a message may show it, whatever it is made of.
std::string_view Quotable(std::string_view name) {
  constexpr std::size_t kShownMax = 20;
  const bool plain = std::ranges::all_of(
      name, [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-'; });
  return plain && !name.empty() && name.size() <= kShownMax ? name : "something";
}

Result<void> ReadSkippingPart(std::string_view name, std::string_view value) {
  // RFC 7529: what is understood when neither is there.
  if ((name == "RSCALE" && value == "GREGORIAN") || (name == "SKIP" && value == "OMIT")) {
    return {};
  }
  return RefuseRule(fmt::format("{} is not supported", name));
}

Result<void> ReadPart(Rule& rule, std::string_view name, std::string_view value) {
  if (const auto list = std::ranges::find(kLists, name, &NumberList::name); list != kLists.end()) {
    const auto parse = [&](std::string_view text) { return ParseListNumber(*list, text); };
    ASSIGN_OR_RETURN(rule.*(list->values), ParseList<int>(name, value, parse));
  } else if (name == "BYDAY") {
    ASSIGN_OR_RETURN(rule.by_day, ParseList<RuleDay>(name, value, ParseRuleDay));
  } else if (name == "FREQ") {
    ASSIGN_OR_RETURN(rule.frequency, ParseFrequency(value));
  } else if (name == "INTERVAL") {
    ASSIGN_OR_RETURN(rule.interval, ParseBounded(name, value, kIntervalMax));
  } else if (name == "COUNT") {
    ASSIGN_OR_RETURN(rule.count, ParseBounded(name, value, kCountMax));
  } else if (name == "UNTIL") {
    ASSIGN_OR_RETURN(rule.until, ParseRuleEnd(value));
  } else if (name == "WKST") {
    const std::optional<int> weekday = IndexOf(kWeekdays, value);
    if (!weekday) {
      return RefuseRule("WKST must be a weekday like MO");
    }
    rule.week_start = *weekday;
  } else if (name == "RSCALE" || name == "SKIP") {
    return ReadSkippingPart(name, value);
  } else {
    return RefuseRule(fmt::format("{} is no part of a rule", Quotable(name)));
  }
  return {};
}

/// The notes of RFC 5545 §3.3.10 about which part may stand beside which frequency.
Result<void> CheckFrequency(const Rule& rule) {
  const bool yearly = rule.frequency == Frequency::kYearly;
  if (!rule.by_week_no.empty() && !yearly) {
    return RefuseRule("BYWEEKNO needs FREQ=YEARLY");
  }
  if (!rule.by_year_day.empty() && !yearly) {
    return RefuseRule("BYYEARDAY needs FREQ=YEARLY");
  }
  if (!rule.by_month_day.empty() && rule.frequency == Frequency::kWeekly) {
    return RefuseRule("BYMONTHDAY cannot be used with FREQ=WEEKLY");
  }
  const bool ordinals =
      std::ranges::any_of(rule.by_day, [](RuleDay day) { return day.ordinal != 0; });
  if (ordinals && !yearly && rule.frequency != Frequency::kMonthly) {
    return RefuseRule("BYDAY takes numbers only with FREQ=MONTHLY or YEARLY");
  }
  if (ordinals && !rule.by_week_no.empty()) {
    return RefuseRule("BYDAY takes no numbers beside BYWEEKNO");
  }
  return {};
}

Result<void> CheckTogether(const Rule& rule) {
  if (rule.count && rule.until) {
    return RefuseRule("COUNT and UNTIL cannot be used together");
  }
  const auto others = kLists | std::views::take(kLists.size() - 1);
  if (!rule.by_set_pos.empty() && rule.by_day.empty() &&
      std::ranges::all_of(others,
                          [&](const NumberList& list) { return (rule.*list.values).empty(); })) {
    return RefuseRule("BYSETPOS needs another BY part to choose from");
  }
  const auto size = [](const std::vector<int>& values) {
    return std::max<std::size_t>(values.size(), 1);
  };
  if (size(rule.by_hour) * size(rule.by_minute) * size(rule.by_second) > kTimesOfDayMax) {
    return RefuseRule(
        fmt::format("BYHOUR, BYMINUTE and BYSECOND give more than {} times a day", kTimesOfDayMax));
  }
  return CheckFrequency(rule);
}

std::string RenderRuleDay(const RuleDay& day) {
  const std::string_view name = kWeekdays[static_cast<std::size_t>(day.weekday)];
  return day.ordinal == 0 ? std::string(name) : fmt::format("{}{}", day.ordinal, name);
}

std::string RenderRuleEnd(const RuleEnd& end) {
  const Date date = end.time.date;
  std::string day = fmt::format("{:04}{:02}{:02}", date.Year(), date.Month(), date.Day());
  if (end.form == RuleEnd::Form::kDate) {
    return day;
  }
  const int seconds = end.time.time.Seconds();
  return fmt::format("{}T{:02}{:02}{:02}{}", day, seconds / 3600, seconds / 60 % 60, seconds % 60,
                     end.form == RuleEnd::Form::kUtc ? "Z" : "");
}

}  // namespace

std::unexpected<Error> RefuseRule(std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument, fmt::format("recurrence.rule: {}", why));
}

Result<Rule> ParseRule(std::string_view text) {
  constexpr std::string_view kPropertyName = "RRULE:";
  if (text.size() > kStoredRuleBytesMax) {
    return RefuseRule("is too long");
  }
  std::string upper(text);
  std::ranges::transform(upper, upper.begin(), UpperCase);
  std::string_view rest = upper;
  if (rest.starts_with(kPropertyName)) {
    rest.remove_prefix(kPropertyName.size());
  }
  if (rest.ends_with(';')) {
    rest.remove_suffix(1);
  }
  Rule rule;
  std::vector<std::string_view> seen;
  for (const auto& piece : std::views::split(rest, ';')) {
    const std::string_view part(piece.begin(), piece.end());
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) {
      return RefuseRule("is not made of parts like FREQ=DAILY");
    }
    const std::string_view name = part.substr(0, equals);
    if (std::ranges::find(seen, name) != seen.end()) {
      return RefuseRule(fmt::format("{} comes twice", Quotable(name)));
    }
    seen.push_back(name);
    RETURN_IF_ERROR(ReadPart(rule, name, part.substr(equals + 1)));
  }
  if (std::ranges::find(seen, "FREQ") == seen.end()) {
    return RefuseRule("FREQ is missing");
  }
  RETURN_IF_ERROR(CheckTogether(rule));
  return rule;
}

std::string RenderRule(const Rule& rule) {
  std::string text = fmt::format("FREQ={}", kFrequencies[static_cast<std::size_t>(rule.frequency)]);
  if (rule.interval != 1) {
    text += fmt::format(";INTERVAL={}", rule.interval);
  }
  if (rule.count) {
    text += fmt::format(";COUNT={}", *rule.count);
  }
  if (rule.until) {
    text += ";UNTIL=" + RenderRuleEnd(*rule.until);
  }
  for (std::size_t i = 0; i < kLists.size(); ++i) {
    if (i == kListsBeforeByDay && !rule.by_day.empty()) {
      text += fmt::format(";BYDAY={}",
                          fmt::join(rule.by_day | std::views::transform(RenderRuleDay), ","));
    }
    if (const std::vector<int>& values = rule.*kLists[i].values; !values.empty()) {
      text += fmt::format(";{}={}", kLists[i].name, fmt::join(values, ","));
    }
  }
  if (rule.week_start != 0) {
    text += fmt::format(";WKST={}", kWeekdays[static_cast<std::size_t>(rule.week_start)]);
  }
  return text;
}

}  // namespace atrium::almanac

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "almanac/rule.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <string_view>

#include "almanac/recurrence.h"
#include "almanac/zone.h"
#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"

namespace atrium::almanac {
namespace {

std::string Canonical(std::string_view rule, const RuleTerms& terms = {}) {
  const Result<std::string> canonical = CanonicalRule(rule, terms);
  return canonical ? *canonical : Describe(canonical.error());
}

RuleTerms In(std::string_view zone) {
  return {.zone = Zone::Find(zone).value()};
}

TEST(RuleTest, PartsAreWrittenInOneOrder) {
  EXPECT_EQ(Canonical("WKST=SU;BYSETPOS=-1;BYMONTH=12,1;BYWEEKNO=-1,1;BYYEARDAY=-1,366;"
                      "BYMONTHDAY=31,-31;BYDAY=FR,MO;BYHOUR=9,8;BYMINUTE=30;BYSECOND=0;"
                      "COUNT=5;INTERVAL=2;FREQ=YEARLY"),
            "FREQ=YEARLY;INTERVAL=2;COUNT=5;BYSECOND=0;BYMINUTE=30;BYHOUR=8,9;BYDAY=MO,FR;"
            "BYMONTHDAY=-31,31;BYYEARDAY=-1,366;BYWEEKNO=-1,1;BYMONTH=1,12;BYSETPOS=-1;WKST=SU");
}

TEST(RuleTest, WhatIsUnderstoodAnywayIsLeftOut) {
  EXPECT_EQ(Canonical("FREQ=DAILY;INTERVAL=1;WKST=MO"), "FREQ=DAILY");
  EXPECT_EQ(Canonical("RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=OMIT"), "FREQ=MONTHLY");
}

TEST(RuleTest, CaseNamesSignsAndRepetitionsMakeNoDifference) {
  EXPECT_EQ(Canonical("rrule:freq=monthly;byday=+1mo,-1Fr,1MO;bymonthday=+07,7;"),
            "FREQ=MONTHLY;BYDAY=1MO,-1FR;BYMONTHDAY=7");
}

TEST(RuleTest, CanonicalRulesStayAsTheyAre) {
  for (const std::string_view rule :
       {"FREQ=DAILY", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU",
        "FREQ=MONTHLY;COUNT=10;BYDAY=-1SU,1SU", "FREQ=YEARLY;BYMONTHDAY=29;BYMONTH=2",
        "FREQ=DAILY;UNTIL=20261231T090000", "FREQ=YEARLY;BYDAY=SU;BYWEEKNO=-53,53"}) {
    EXPECT_EQ(Canonical(rule), rule);
  }
}

TEST(RuleTest, UntilInUtcBecomesLocal) {
  EXPECT_EQ(Canonical("FREQ=DAILY;UNTIL=20260701T070000Z", In("Europe/Berlin")),
            "FREQ=DAILY;UNTIL=20260701T090000");
  EXPECT_EQ(Canonical("FREQ=DAILY;UNTIL=20260101T050000Z", In("America/New_York")),
            "FREQ=DAILY;UNTIL=20260101T000000");
  EXPECT_EQ(Canonical("FREQ=DAILY;UNTIL=20260701T070000Z"), "FREQ=DAILY;UNTIL=20260701T070000");
}

TEST(RuleTest, UntilAsADateIsTheWholeDay) {
  EXPECT_EQ(Canonical("FREQ=DAILY;UNTIL=20260701", In("Europe/Berlin")),
            "FREQ=DAILY;UNTIL=20260701T235959");
}

TEST(RuleTest, UntilOfAllDayEntriesIsADate) {
  const RuleTerms all_day{.all_day = true};
  EXPECT_EQ(Canonical("FREQ=DAILY;UNTIL=20260701", all_day), "FREQ=DAILY;UNTIL=20260701");
  EXPECT_EQ(Canonical("FREQ=DAILY;UNTIL=20260701T235959Z", all_day), "FREQ=DAILY;UNTIL=20260701");
  EXPECT_EQ(Canonical("FREQ=DAILY;UNTIL=20260630T220000Z",
                      {.all_day = true, .zone = Zone::Find("Europe/Berlin").value()}),
            "FREQ=DAILY;UNTIL=20260701");
}

TEST(RuleTest, TimesAreDroppedFromRulesOfAllDayEntries) {
  const RuleTerms all_day{.all_day = true};
  EXPECT_EQ(Canonical("FREQ=DAILY;BYHOUR=9;BYMINUTE=1;BYSECOND=2", all_day), "FREQ=DAILY");
  EXPECT_THAT(CanonicalRule("FREQ=DAILY;BYHOUR=9,10;BYSETPOS=1", all_day),
              FailsSaying(ErrorCode::kInvalidArgument, "BYSETPOS"));
}

TEST(RuleTest, ExportsHaveUntilInUtc) {
  const RuleTerms berlin = In("Europe/Berlin");
  EXPECT_EQ(RuleForExport("FREQ=DAILY;UNTIL=20260701T090000", berlin).value(),
            "FREQ=DAILY;UNTIL=20260701T070000Z");
  EXPECT_EQ(Canonical("FREQ=DAILY;UNTIL=20260701T070000Z", berlin),
            "FREQ=DAILY;UNTIL=20260701T090000");
  EXPECT_EQ(RuleForExport("FREQ=DAILY;UNTIL=20260701T090000", {}).value(),
            "FREQ=DAILY;UNTIL=20260701T090000");
  EXPECT_EQ(RuleForExport("FREQ=DAILY;UNTIL=20260701", {.all_day = true}).value(),
            "FREQ=DAILY;UNTIL=20260701");
}

struct Refused {
  std::string_view rule;
  std::string_view naming;
};

// Escaped, because the report is XML and one of the rules is not text.
void PrintTo(const Refused& refused, std::ostream* out) {
  *out << ::testing::PrintToString(refused.rule);
}

class RefusedRuleTest : public ::testing::TestWithParam<Refused> {};

TEST_P(RefusedRuleTest, IsNamed) {
  const Result<std::string> canonical = CanonicalRule(GetParam().rule, {});
  EXPECT_THAT(canonical, FailsSaying(ErrorCode::kInvalidArgument, "recurrence.rule: "))
      << GetParam().rule;
  EXPECT_THAT(canonical, FailsSaying(ErrorCode::kInvalidArgument, std::string(GetParam().naming)))
      << GetParam().rule;
}

constexpr Refused kRefused[] = {
    {.rule = "", .naming = "FREQ is missing"},
    {.rule = "RRULE:", .naming = "FREQ is missing"},
    {.rule = "every day", .naming = "FREQ=DAILY"},
    {.rule = "INTERVAL=2", .naming = "FREQ is missing"},
    {.rule = "FREQ=", .naming = "FREQ"},
    {.rule = "FREQ=FORTNIGHTLY", .naming = "FREQ must be"},
    {.rule = "FREQ=HOURLY", .naming = "finer than DAILY"},
    {.rule = "FREQ=MINUTELY;INTERVAL=90", .naming = "finer than DAILY"},
    {.rule = "FREQ=SECONDLY", .naming = "finer than DAILY"},
    {.rule = "FREQ=DAILY;FREQ=DAILY", .naming = "FREQ comes twice"},
    {.rule = "FREQ=DAILY;;COUNT=1", .naming = "parts like"},
    {.rule = "FREQ=DAILY;;", .naming = "parts like"},
    {.rule = "FREQ=DAILY;X-TEA=1", .naming = "X-TEA is no part"},
    {.rule = "FREQ=DAILY;BYEASTER=0", .naming = "BYEASTER"},
    {.rule = "FREQ=DAILY;\xff=1", .naming = "something is no part"},
    {.rule = "FREQ=DAILY;=1", .naming = "something is no part"},
    {.rule = "FREQ=DAILY;INTERVAL=0", .naming = "INTERVAL"},
    {.rule = "FREQ=DAILY;INTERVAL=-1", .naming = "INTERVAL"},
    {.rule = "FREQ=DAILY;INTERVAL=10001", .naming = "INTERVAL"},
    {.rule = "FREQ=DAILY;INTERVAL=99999999999999999999", .naming = "INTERVAL"},
    {.rule = "FREQ=DAILY;INTERVAL= 1", .naming = "INTERVAL"},
    {.rule = "FREQ=DAILY;COUNT=0", .naming = "COUNT"},
    {.rule = "FREQ=DAILY;COUNT=10001", .naming = "COUNT"},
    {.rule = "FREQ=DAILY;COUNT=1;UNTIL=20260101", .naming = "together"},
    {.rule = "FREQ=DAILY;UNTIL=", .naming = "UNTIL"},
    {.rule = "FREQ=DAILY;UNTIL=2026-01-01", .naming = "UNTIL"},
    {.rule = "FREQ=DAILY;UNTIL=20260230", .naming = "UNTIL"},
    {.rule = "FREQ=DAILY;UNTIL=20260101T240000", .naming = "UNTIL"},
    {.rule = "FREQ=DAILY;UNTIL=20260101T006000Z", .naming = "UNTIL"},
    {.rule = "FREQ=DAILY;UNTIL=20260101X000000", .naming = "UNTIL"},
    {.rule = "FREQ=DAILY;UNTIL=20260101T000000X", .naming = "UNTIL"},
    {.rule = "FREQ=DAILY;BYSECOND=60", .naming = "BYSECOND"},
    {.rule = "FREQ=DAILY;BYMINUTE=60", .naming = "BYMINUTE"},
    {.rule = "FREQ=DAILY;BYHOUR=24", .naming = "BYHOUR"},
    {.rule = "FREQ=DAILY;BYHOUR=-1", .naming = "BYHOUR"},
    {.rule = "FREQ=DAILY;BYHOUR=", .naming = "BYHOUR"},
    {.rule = "FREQ=DAILY;BYHOUR=1,", .naming = "BYHOUR"},
    {.rule = "FREQ=DAILY;BYMONTH=0", .naming = "BYMONTH"},
    {.rule = "FREQ=DAILY;BYMONTH=13", .naming = "BYMONTH"},
    {.rule = "FREQ=DAILY;BYMONTH=5L", .naming = "BYMONTH"},
    {.rule = "FREQ=DAILY;BYMONTHDAY=0", .naming = "BYMONTHDAY"},
    {.rule = "FREQ=DAILY;BYMONTHDAY=32", .naming = "BYMONTHDAY"},
    {.rule = "FREQ=DAILY;BYMONTHDAY=--1", .naming = "BYMONTHDAY"},
    {.rule = "FREQ=YEARLY;BYYEARDAY=-367", .naming = "BYYEARDAY"},
    {.rule = "FREQ=YEARLY;BYWEEKNO=54", .naming = "BYWEEKNO"},
    {.rule = "FREQ=MONTHLY;BYDAY=XX", .naming = "BYDAY"},
    {.rule = "FREQ=MONTHLY;BYDAY=M", .naming = "BYDAY"},
    {.rule = "FREQ=MONTHLY;BYDAY=0MO", .naming = "BYDAY"},
    {.rule = "FREQ=MONTHLY;BYDAY=-MO", .naming = "BYDAY"},
    {.rule = "FREQ=MONTHLY;BYDAY=54MO", .naming = "BYDAY"},
    {.rule = "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=367", .naming = "BYSETPOS"},
    {.rule = "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0", .naming = "BYSETPOS"},
    {.rule = "FREQ=MONTHLY;BYSETPOS=1", .naming = "BYSETPOS needs another"},
    {.rule = "FREQ=MONTHLY;WKST=", .naming = "WKST"},
    {.rule = "FREQ=MONTHLY;WKST=1MO", .naming = "WKST"},
    {.rule = "FREQ=WEEKLY;BYMONTHDAY=1", .naming = "BYMONTHDAY"},
    {.rule = "FREQ=WEEKLY;BYDAY=1MO", .naming = "BYDAY takes numbers"},
    {.rule = "FREQ=DAILY;BYDAY=-1MO", .naming = "BYDAY takes numbers"},
    {.rule = "FREQ=MONTHLY;BYYEARDAY=1", .naming = "BYYEARDAY needs"},
    {.rule = "FREQ=MONTHLY;BYWEEKNO=1", .naming = "BYWEEKNO needs"},
    {.rule = "FREQ=YEARLY;BYWEEKNO=1;BYDAY=1MO", .naming = "beside BYWEEKNO"},
    {.rule = "RSCALE=CHINESE;FREQ=YEARLY", .naming = "RSCALE is not supported"},
    {.rule = "RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=BACKWARD", .naming = "SKIP is not supported"},
    {.rule = "FREQ=DAILY;BYHOUR=0,1,2,3,4,5,6,7,8,9,10;BYMINUTE=0,1,2,3,4,5,6,7,8,9",
     .naming = "times a day"},
};

INSTANTIATE_TEST_SUITE_P(Rules, RefusedRuleTest, ::testing::ValuesIn(kRefused));

TEST(RuleTest, LengthsAreBounded) {
  std::string list = "FREQ=DAILY;BYMONTH=1";
  for (int i = 1; i < 100; ++i) {
    list += ",1";
  }
  EXPECT_EQ(Canonical(list), "FREQ=DAILY;BYMONTH=1");
  EXPECT_THAT(CanonicalRule(list + ",1", {}),
              FailsSaying(ErrorCode::kInvalidArgument, "BYMONTH has more than 100 values"));
  EXPECT_THAT(CanonicalRule("FREQ=DAILY;BYMONTHDAY=" + std::string(500, '1'), {}),
              FailsSaying(ErrorCode::kInvalidArgument, "longer than 512 bytes"));
}

}  // namespace
}  // namespace atrium::almanac

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/audit_filter.h"

#include <gtest/gtest.h>

#include <chrono>

#include "base/error.h"
#include "base/instant.h"
#include "base/testing.h"

namespace atrium::identity {
namespace {

AuditGlimpse Line() {
  return {.at = "2027-01-15T08:00:00.000Z",
          .actor = "user:1",
          .label = "ann@example.org",
          .action = "session.opened",
          .target = "user:1"};
}

TEST(AuditFilterTest, AnEmptyFilterLeavesNothingOut) {
  EXPECT_TRUE(AuditFilter{}.IsEmpty());
  EXPECT_TRUE(Matches({}, Line()));
}

TEST(AuditFilterTest, WhoDidItIsNamedWholeOrByAPartOfTheLabel) {
  EXPECT_TRUE(Matches({.actor = "user:1"}, Line()));
  EXPECT_TRUE(Matches({.actor = "ANN@"}, Line()));
  EXPECT_FALSE(Matches({.actor = "user:"}, Line()));
  EXPECT_FALSE(Matches({.actor = "bob"}, Line()));
}

TEST(AuditFilterTest, ActionsAndTargetsAreNamedByTheirBeginning) {
  EXPECT_TRUE(Matches({.action = "session."}, Line()));
  EXPECT_FALSE(Matches({.action = "opened"}, Line()));
  EXPECT_TRUE(Matches({.target = "user:"}, Line()));
  EXPECT_FALSE(Matches({.target = "org:"}, Line()));
}

TEST(AuditFilterTest, BothEndsBelongToTheTime) {
  const Instant at = ParseInstant(Line().at).value();
  const std::chrono::milliseconds moment{1};
  EXPECT_TRUE(Matches({.from = at, .to = at}, Line()));
  EXPECT_FALSE(Matches({.from = at + moment}, Line()));
  EXPECT_FALSE(Matches({.to = at - moment}, Line()));
}

TEST(AuditFilterTest, AllOfItMustFit) {
  EXPECT_TRUE(Matches({.actor = "ann", .action = "session"}, Line()));
  EXPECT_FALSE(Matches({.actor = "ann", .action = "user"}, Line()));
}

TEST(AuditFilterTest, AGlimpseIsTakenOfADocument) {
  const AuditGlimpse seen =
      GlimpseOf(R"({"at":"2027-01-15T08:00:00.000Z","actor":"a","label":"l","action":"x.y",)"
                R"("target":"t:1","detail":{"actor":"other"}})")
          .value();
  EXPECT_EQ(seen.at, "2027-01-15T08:00:00.000Z");
  EXPECT_EQ(seen.actor, "a");
  EXPECT_EQ(seen.label, "l");
  EXPECT_EQ(seen.action, "x.y");
  EXPECT_EQ(seen.target, "t:1");
  EXPECT_THAT(GlimpseOf("[]"), FailsWith(ErrorCode::kCorrupt));
}

}  // namespace
}  // namespace atrium::identity

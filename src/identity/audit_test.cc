// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include "base/ip_network.h"
#include "base/testing.h"
#include "identity/room_testing.h"

namespace atrium::identity {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::Knock;
using ::testing::Not;
using ::testing::StartsWith;

class AuditTest : public testing::RoomTest {
 protected:
  void Write(const std::string& action, const OrgId& org = DefaultOrg()) {
    store::Batch batch;
    AddAudit(batch, Operator(), clock_.Now(), {.org = org, .action = action, .target = "it"});
    ASSERT_THAT(store_.Commit({}, std::move(batch)), IsOk());
  }
  Result<AuditPage> Read(std::optional<std::uint64_t> before, std::size_t limit) {
    return ReadAudit(store_, {}, {.org = DefaultOrg(), .before = before, .limit = limit});
  }
};

TEST_F(AuditTest, ALineSaysWhoDidWhatToWhatFromWhere) {
  store::Batch batch;
  AddAudit(batch, ActorFor(ann_.record), clock_.Now(),
           {.org = DefaultOrg(),
            .action = "thing.done",
            .target = "thing:1",
            .detail = {{"name", "\"it\""}}});
  ASSERT_THAT(store_.Commit({}, std::move(batch)), IsOk());
  EXPECT_EQ(Read(std::nullopt, 1).value().lines,
            R"([{"id":2,"at":"2027-01-15T08:00:00.000Z","actor":"user:)" + ann_.record.id.Render() +
                R"(","label":"ann@example.org","action":"thing.done","target":"thing:1",)"
                R"("address":"192.0.2.1","request":"request-1","detail":{"name":"\"it\""}}])");
}

TEST_F(AuditTest, PagesGoFromTheNewestToTheOldest) {
  for (const char* action : {"two", "three", "four", "five"}) {
    Write(action);
  }
  const AuditPage first = Read(std::nullopt, 2).value();
  EXPECT_THAT(first.lines, StartsWith(R"([{"id":5,)"));
  EXPECT_THAT(first.lines, HasSubstr(R"({"id":4,)"));
  ASSERT_TRUE(first.before.has_value());
  const AuditPage second = Read(first.before, 2).value();
  EXPECT_THAT(second.lines, StartsWith(R"([{"id":3,)"));
  EXPECT_THAT(second.lines, HasSubstr(R"({"id":2,)"));
  const AuditPage last = Read(second.before, 2).value();
  EXPECT_THAT(last.lines, AllOf(StartsWith(R"([{"id":1,)"), HasSubstr("server.set_up")));
  EXPECT_EQ(last.before, std::nullopt);
}

TEST_F(AuditTest, AnExportGoesFromTheOldestToTheNewest) {
  Write("two");
  Write("three");
  const AuditLines first = ExportAudit(store_, {}, {.org = DefaultOrg(), .limit = 2}).value();
  EXPECT_THAT(first.text, StartsWith(R"({"id":1,)"));
  EXPECT_THAT(first.text, HasSubstr("\n{\"id\":2,"));
  ASSERT_EQ(first.after, 2U);
  const AuditLines second =
      ExportAudit(store_, {}, {.org = DefaultOrg(), .after = 2, .limit = 2}).value();
  EXPECT_THAT(second.text, AllOf(StartsWith(R"({"id":3,)"), ::testing::EndsWith("}\n")));
  EXPECT_EQ(second.after, std::nullopt);
  EXPECT_EQ(ExportAudit(store_, {}, {.org = DefaultOrg(), .after = 3, .limit = 2}).value().text,
            "");
}

TEST_F(AuditTest, AFilterPagesThroughWhatIsWantedAlone) {
  for (const char* action : {"a.one", "b.one", "a.two", "b.two", "a.three"}) {
    Write(action);
  }
  const AuditQuery query{.org = DefaultOrg(), .limit = 2, .filter = {.action = "a."}};
  const AuditPage first = ReadAudit(store_, {}, query).value();
  EXPECT_THAT(first.lines, AllOf(HasSubstr("a.three"), HasSubstr("a.two"), Not(HasSubstr("b."))));
  ASSERT_EQ(first.before, 4U);
  AuditQuery next = query;
  next.before = first.before;
  const AuditPage second = ReadAudit(store_, {}, next).value();
  EXPECT_THAT(second.lines, AllOf(HasSubstr("a.one"), Not(HasSubstr("two"))));
  EXPECT_EQ(second.before, std::nullopt);
}

TEST_F(AuditTest, AFilterThatTakesTheOldestLineAsItsLastSaysThatItWasAll) {
  const AuditPage page =
      ReadAudit(store_, {}, {.org = DefaultOrg(), .limit = 1, .filter = {.action = "server."}})
          .value();
  EXPECT_THAT(page.lines, StartsWith(R"([{"id":1,)"));
  EXPECT_EQ(page.before, std::nullopt);
}

TEST_F(AuditTest, AFilterLooksAtABoundedNumberOfLinesAndSaysWhereToGoOn) {
  for (std::size_t i = 0; i < kAuditLinesLookedAt + 600; ++i) {
    Write("dull");
  }
  const AuditQuery query{.org = DefaultOrg(), .filter = {.action = "server."}};
  const AuditPage first = ReadAudit(store_, {}, query).value();
  EXPECT_EQ(first.lines, "[]");
  ASSERT_TRUE(first.before.has_value());
  AuditQuery next = query;
  next.before = first.before;
  const AuditPage second = ReadAudit(store_, {}, next).value();
  EXPECT_THAT(second.lines, HasSubstr("server.set_up"));
  EXPECT_EQ(second.before, std::nullopt);
}

TEST_F(AuditTest, ATimeIsFoundWithoutReadingWhatCameAfterIt) {
  const Instant day = clock_.Now() + std::chrono::days(10);
  clock_.Set(day);
  Write("wanted");
  clock_.Set(day + std::chrono::days(10));
  for (std::size_t i = 0; i < kAuditLinesLookedAt + 600; ++i) {
    Write("later");
  }
  const AuditPage page =
      ReadAudit(store_, {}, {.org = DefaultOrg(), .filter = {.from = day, .to = day}}).value();
  EXPECT_THAT(page.lines, AllOf(HasSubstr("wanted"), Not(HasSubstr("later"))));
  // Older lines cannot be wanted any more.
  EXPECT_EQ(page.before, std::nullopt);
}

TEST_F(AuditTest, AClockThatWasWrongForHoursHidesNothing) {
  const Instant day = clock_.Now() + std::chrono::days(10);
  clock_.Set(day + std::chrono::hours(20));
  Write("ahead");
  clock_.Set(day);
  Write("wanted");
  const AuditFilter filter{.from = day, .to = day + std::chrono::hours(1)};
  EXPECT_THAT(ReadAudit(store_, {}, {.org = DefaultOrg(), .filter = filter}).value().lines,
              AllOf(HasSubstr("wanted"), Not(HasSubstr("ahead"))));
  EXPECT_THAT(ExportAudit(store_, {}, {.org = DefaultOrg(), .filter = filter}).value().text,
              AllOf(HasSubstr("wanted"), Not(HasSubstr("ahead"))));
}

TEST_F(AuditTest, ATimeBeforeAllLinesFindsNothing) {
  const Instant long_ago = clock_.Now() - std::chrono::days(100);
  const AuditPage page =
      ReadAudit(store_, {}, {.org = DefaultOrg(), .filter = {.to = long_ago}}).value();
  EXPECT_EQ(page.lines, "[]");
  EXPECT_EQ(page.before, std::nullopt);
}

TEST_F(AuditTest, AnExportTakesTheSameFilter) {
  Write("a.one");
  Write("b.one");
  const AuditLines lines =
      ExportAudit(store_, {}, {.org = DefaultOrg(), .filter = {.action = "b."}}).value();
  EXPECT_THAT(lines.text, AllOf(HasSubstr("b.one"), Not(HasSubstr("a.one"))));
  EXPECT_EQ(lines.after, std::nullopt);
}

TEST_F(AuditTest, OrganisationsDoNotReadEachOthers) {
  const OrgId other(ids_.NewTimeUuid());
  Write("secret", other);
  EXPECT_THAT(Read(std::nullopt, 100).value().lines, Not(HasSubstr("secret")));
  EXPECT_THAT(ReadAudit(store_, {}, {.org = other}).value().lines, HasSubstr("secret"));
  EXPECT_EQ(ReadAudit(store_, {}, {.org = OrgId(ids_.NewTimeUuid())}).value().lines, "[]");
}

TEST_F(AuditTest, WhatDoesNotHappenLeavesNoLine) {
  const std::size_t lines = Log().size();
  EXPECT_THAT(room_.accounts.Create({}, Operator(), DefaultOrg(), {.email = "ann@example.org"}),
              FailsWith(ErrorCode::kAlreadyExists));
  EXPECT_EQ(Log().size(), lines);
}

TEST_F(AuditTest, TheActorIsWhoeverSentTheRequest) {
  const Knock knock{.headers = {{"User-Agent", std::string(300, 'a')}}, .client = "192.0.2.9"};
  http::Request request = knock.Request();
  const Actor nobody = ActorOf(request);
  EXPECT_EQ(nobody.name, "nobody");
  EXPECT_EQ(nobody.address, "192.0.2.9");
  EXPECT_EQ(nobody.client, ParseIpAddress("192.0.2.9").value());
  EXPECT_EQ(nobody.agent.size(), 200U);
  EXPECT_EQ(nobody.request, "request-1");
  EXPECT_EQ(nobody.role, Role::kGuest);
  EXPECT_FALSE(nobody.is_operator);

  request.principal = Identify(testing::WithBearer(OpenSession(ann_).secret)).value();
  const Actor ann = ActorOf(request);
  EXPECT_EQ(ann.name, "user:" + ann_.record.id.Render());
  EXPECT_EQ(ann.label, "ann@example.org");
  EXPECT_EQ(ann.user, ann_.record.id);
  EXPECT_EQ(ann.role, Role::kSuperadmin);

  request.principal = MakeOperator();
  request.origin = http::Origin::kControlSocket;
  const Actor local = ActorOf(request);
  EXPECT_TRUE(local.is_operator);
  EXPECT_EQ(local.name, "operator");
  EXPECT_EQ(local.address, "local");
}

TEST_F(AuditTest, ABrowserThatSpeaksNoUtf8IsWrittenReadably) {
  const Knock knock{.headers = {{"User-Agent", "\xff" + std::string(198, 'a') + "\u00e9"}}};
  store::Batch batch;
  const OpenedSession opened =
      room_.sessions.Open(batch, ActorOf(knock.Request()), ann_.record, "password");
  ASSERT_THAT(store_.Commit({}, std::move(batch)), IsOk());
  EXPECT_EQ(Defects(), 0U);
  EXPECT_THAT(Identify(testing::WithBearer(opened.secret)), IsOk());
}

}  // namespace
}  // namespace atrium::identity

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/organisations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/testing.h"
#include "identity/room_testing.h"

namespace atrium::identity {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::SizeIs;

std::vector<std::string> ManyHosts(int count, const std::string& domain) {
  std::vector<std::string> hosts;
  hosts.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    hosts.push_back("h" + std::to_string(i) + "." + domain);
  }
  return hosts;
}

class OrganisationsTest : public testing::RoomTest {
 protected:
  Result<store::Stored<Org>> Create(const NewOrg& wanted) {
    return room_.organisations.Create({}, Operator(), wanted);
  }
  OrgId OrgOf(const std::string& host) { return room_.organisations.OfHost({}, host).value(); }
};

TEST_F(OrganisationsTest, TheHostDecidesWithoutPortAndWhateverItsCase) {
  const OrgId org =
      Create({.name = "North", .hosts = {"North.example.org", "[2001:db8::1]"}}).value().record.id;
  EXPECT_EQ(OrgOf("north.example.org"), org);
  EXPECT_EQ(OrgOf("NORTH.example.org:8443"), org);
  EXPECT_EQ(OrgOf("[2001:db8::1]"), org);
  EXPECT_EQ(OrgOf("[2001:DB8::1]:8443"), org);
  EXPECT_EQ(OrgOf("south.example.org"), DefaultOrg());
  EXPECT_EQ(OrgOf("[2001:db8::2]:8443"), DefaultOrg());
}

TEST_F(OrganisationsTest, AHostBelongsToOneOfThem) {
  ASSERT_THAT(Create({.name = "North", .hosts = {"north.example.org"}}), IsOk());
  EXPECT_THAT(Create({.name = "Other", .hosts = {"NORTH.example.org:80"}}),
              FailsSaying(ErrorCode::kAlreadyExists, "hosts"));
  const auto other = Create({.name = "Other"}).value();
  EXPECT_THAT(room_.organisations.Change({}, Operator(), other,
                                         {.hosts = std::vector<std::string>{"north.example.org"}}),
              FailsSaying(ErrorCode::kAlreadyExists, "hosts"));
}

TEST_F(OrganisationsTest, HostsComeAndGoWithAChange) {
  const auto old = Create({.name = "North", .hosts = {"a.example.org", "b.example.org"}}).value();
  EXPECT_EQ(CommitsOf([&](const store::OpContext& op) {
              return room_.organisations.Change(
                  op, Operator(), old,
                  {.hosts = std::vector<std::string>{"b.example.org", "c.example.org"}});
            }),
            1U);
  EXPECT_EQ(OrgOf("a.example.org"), DefaultOrg());
  EXPECT_EQ(OrgOf("b.example.org"), old.record.id);
  EXPECT_EQ(OrgOf("c.example.org"), old.record.id);
  EXPECT_THAT(LastLine(old.record.id), AllOf(Field(&AuditLine::action, "org.changed"),
                                             Field(&AuditLine::target, TargetOf(old.record.id))));
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(OrganisationsTest, OfTwoChangesOnTheSameReadingOneIsRefused) {
  const auto old = Create({.name = "North"}).value();
  ASSERT_THAT(room_.organisations.Change({}, Operator(), old, {.name = "South"}), IsOk());
  EXPECT_THAT(room_.organisations.Change({}, Operator(), old, {.name = "East"}),
              FailsWith(ErrorCode::kConflict));
}

TEST_F(OrganisationsTest, AsManyHostsAsAreAllowedFitInOneCommit) {
  const auto north = Create({.name = "North", .hosts = ManyHosts(11, "north.example.org")});
  ASSERT_THAT(north, IsOk());
  EXPECT_THAT(Create({.name = "South", .hosts = ManyHosts(12, "south.example.org")}),
              FailsSaying(ErrorCode::kInvalidArgument, "hosts"));
  EXPECT_THAT(room_.organisations.Change({}, Operator(), *north,
                                         {.hosts = ManyHosts(11, "other.example.org")}),
              FailsSaying(ErrorCode::kInvalidArgument, "hosts"));
  EXPECT_THAT(room_.organisations.Erase({}, Operator(), *north), IsOk());
}

TEST_F(OrganisationsTest, WhatIsWrongIsSaid) {
  EXPECT_THAT(Create({}), FailsSaying(ErrorCode::kInvalidArgument, "name"));
  EXPECT_THAT(Create({.name = "N", .hosts = {"not a host"}}),
              FailsSaying(ErrorCode::kInvalidArgument, "hosts"));
  EXPECT_THAT(Create({.name = "N", .quota_bytes = -1}),
              FailsSaying(ErrorCode::kInvalidArgument, "quota_bytes"));
  EXPECT_THAT(Create({.name = "N", .settings = {{"", "x"}}}),
              FailsSaying(ErrorCode::kInvalidArgument, "settings"));
  EXPECT_THAT(Create({.name = "N", .settings = {{"k", std::string(5000, 'x')}}}),
              FailsSaying(ErrorCode::kInvalidArgument, "settings"));
  EXPECT_THAT(Create({.name = "N\xff"}), FailsSaying(ErrorCode::kInvalidArgument, "name"));
}

TEST_F(OrganisationsTest, TheUsageCountsPeople) {
  const OrgId org = Create({.name = "North"}).value().record.id;
  EXPECT_EQ(room_.organisations.Usage({}, org).value().users, 0);
  const auto bob = Add({.email = "bob@example.org"}, org);
  Add({.email = "eve@example.org"}, org);
  EXPECT_EQ(room_.organisations.Usage({}, org).value().users, 2);
  ASSERT_THAT(room_.accounts.Erase({}, Operator(), bob), IsOk());
  EXPECT_EQ(room_.organisations.Usage({}, org).value().users, 1);
}

TEST_F(OrganisationsTest, TheUsageOfAllIsTheSum) {
  const OrgId org = Create({.name = "North"}).value().record.id;
  Add({.email = "bob@example.org"}, org);
  const ServerUsage all = room_.organisations.UsageOfAll({}).value();
  EXPECT_EQ(all.orgs, 2U);
  // Ann, who looks after the server, and Bob.
  EXPECT_EQ(all.usage.users, 2);
}

TEST_F(OrganisationsTest, AQuotaCanBeTakenAway) {
  const auto org = Create({.name = "North", .quota_bytes = 5}).value();
  const auto kept = room_.organisations.Change({}, Operator(), org, {.name = "South"}).value();
  EXPECT_EQ(kept.record.quota_bytes, 5);
  const auto free =
      room_.organisations
          .Change({}, Operator(), kept, {.quota_bytes = std::optional<std::int64_t>()})
          .value();
  EXPECT_EQ(free.record.quota_bytes, std::nullopt);
}

TEST_F(OrganisationsTest, PeopleKeepTheirOrganisation) {
  const auto org = Create({.name = "North", .hosts = {"north.example.org"}}).value();
  const auto bob = Add({.email = "bob@example.org"}, org.record.id);
  EXPECT_THAT(room_.organisations.Erase({}, Operator(), org), FailsWith(ErrorCode::kConflict));
  ASSERT_THAT(room_.accounts.Erase({}, Operator(), bob), IsOk());
  ASSERT_THAT(room_.organisations.Erase({}, Operator(), org), IsOk());
  EXPECT_EQ(OrgOf("north.example.org"), DefaultOrg());
  EXPECT_THAT(room_.organisations.Load({}, org.record.id), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(LastLine(), AllOf(Field(&AuditLine::action, "org.erased"),
                                Field(&AuditLine::target, TargetOf(org.record.id))));
}

TEST_F(OrganisationsTest, SomebodyWhoComesInTheLastMomentKeepsItToo) {
  const auto org = Create({.name = "North"}).value();
  engine_.before_commits.emplace_back([&] { Add({.email = "bob@example.org"}, org.record.id); });
  EXPECT_THAT(room_.organisations.Erase({}, Operator(), org), FailsWith(ErrorCode::kConflict));
  EXPECT_THAT(room_.organisations.Load({}, org.record.id), IsOk());
}

TEST_F(OrganisationsTest, WhatIsErasedLeavesNothingBehind) {
  const std::uint64_t usage_rows = CountRows(kOrgUsage);
  const auto org = Create({.name = "North", .hosts = {"north.example.org"}}).value();
  const auto bob = Add({.email = "bob@example.org"}, org.record.id);
  ASSERT_THAT(room_.accounts.Erase({}, Operator(), bob), IsOk());
  ASSERT_THAT(room_.organisations.Erase({}, Operator(), org), IsOk());
  EXPECT_EQ(CountRows(kOrgUsage), usage_rows);
  EXPECT_EQ(CountRows(kOrgTable), 1U);
  EXPECT_EQ(CountRows(kOrgList), 1U);
  EXPECT_EQ(CountRows(kHostTable), 0U);
}

TEST_F(OrganisationsTest, TheDefaultOneStays) {
  const auto org = room_.organisations.Load({}, DefaultOrg()).value();
  EXPECT_THAT(room_.organisations.Erase({}, Operator(), org),
              FailsWith(ErrorCode::kInvalidArgument));
}

}  // namespace
}  // namespace atrium::identity

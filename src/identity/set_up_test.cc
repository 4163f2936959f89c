// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/set_up.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/testing.h"
#include "identity/room_testing.h"
#include "identity/secret_token.h"

namespace atrium::identity {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using testing::kPassword;

/// A second room, in a house where nobody lives yet.
class SetUpTest : public testing::RoomTest {
 protected:
  static FirstSteps First() {
    return {.user = {.email = "eve@example.org", .password = kPassword}};
  }
  Result<store::Stored<User>> Complete(const std::string& secret,
                                       const FirstSteps& first = First()) {
    return fresh_.set_up.Complete({}, Stranger(), secret, first);
  }

  engines::MemoryEngine empty_engine_{clock_};
  store::Store empty_{empty_engine_, clock_};
  Identity fresh_{{.ground = {.store = empty_, .clock = clock_, .ids = ids_},
                   .outbox = outbox_,
                   .sender = network_,
                   .box = box_},
                  {}};
};

TEST_F(SetUpTest, ThePrintedSecretMakesTheFirstAccountOnce) {
  const std::string secret = fresh_.set_up.NewSecret().value();
  EXPECT_EQ(KindOf(secret), TokenKind::kSetup);
  EXPECT_FALSE(fresh_.gatekeeper.IsSetUp());
  const auto eve = Complete(secret);
  ASSERT_THAT(eve, IsOk());
  EXPECT_EQ(eve->record.role, Role::kSuperadmin);
  EXPECT_EQ(eve->record.org, DefaultOrg());
  EXPECT_TRUE(fresh_.gatekeeper.IsSetUp());
  EXPECT_THAT(Complete(secret), FailsWith(ErrorCode::kAlreadyExists));
  EXPECT_EQ(fresh_.set_up.NewSecret(), std::nullopt);
}

TEST_F(SetUpTest, TheSetUpIsOneCommit) {
  const std::string secret = fresh_.set_up.NewSecret().value();
  EXPECT_EQ(CommitsOf([&](const store::OpContext& op) {
              return fresh_.set_up.Complete(op, Stranger(), secret, First());
            }),
            1U);
}

TEST_F(SetUpTest, TheOrganisationAndTheTimeZoneAreThoseThatWereAskedFor) {
  FirstSteps first = First();
  first.user.time_zone = "europe/berlin";
  first.organisation = "Hikers";
  EXPECT_EQ(Complete(fresh_.set_up.NewSecret().value(), first).value().record.time_zone,
            "Europe/Berlin");
  EXPECT_EQ(fresh_.organisations.Load({}, DefaultOrg()).value().record.name, "Hikers");
}

TEST_F(SetUpTest, WithoutANameTheOrganisationIsTheDefaultOne) {
  ASSERT_THAT(Complete(fresh_.set_up.NewSecret().value()), IsOk());
  EXPECT_EQ(fresh_.organisations.Load({}, DefaultOrg()).value().record.name, "Default");
}

TEST_F(SetUpTest, AnOrganisationWithABadNameIsNotSetUp) {
  const std::string secret = fresh_.set_up.NewSecret().value();
  for (const std::string& name : {std::string(), std::string(201, 'a'), std::string("\xFF")}) {
    FirstSteps first = First();
    first.organisation = name;
    EXPECT_THAT(Complete(secret, first), FailsSaying(ErrorCode::kInvalidArgument, "organisation"));
  }
  FirstSteps first = First();
  first.user.time_zone = "Europe/Atlantis";
  EXPECT_THAT(Complete(secret, first), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_FALSE(fresh_.gatekeeper.IsSetUp());
}

TEST_F(SetUpTest, AWrongSecretAndOneOfBeforeAreRefused) {
  EXPECT_THAT(Complete(""), FailsWith(ErrorCode::kUnauthenticated));
  const std::string before = fresh_.set_up.NewSecret().value();
  const std::string secret = fresh_.set_up.NewSecret().value();
  EXPECT_THAT(Complete(""), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(Complete(before), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(Complete(secret), IsOk());
}

TEST_F(SetUpTest, ABadAccountLeavesTheSecretUnused) {
  const std::string secret = fresh_.set_up.NewSecret().value();
  EXPECT_THAT(Complete(secret, {.user = {.email = "eve@example.org"}}),
              FailsSaying(ErrorCode::kInvalidArgument, "password"));
  EXPECT_THAT(Complete(secret, {.user = {.email = "eve@example.org", .password = "short"}}),
              FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(Complete(secret, {.user = {.email = "eve", .password = kPassword}}),
              FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_FALSE(fresh_.gatekeeper.IsSetUp());
  EXPECT_THAT(Complete(secret), IsOk());
}

TEST_F(SetUpTest, TheOperatorNeedsNoSecret) {
  EXPECT_THAT(
      fresh_.set_up.CompleteAsOperator({}, Operator(), {.user = {.email = "eve@example.org"}}),
      IsOk());
  EXPECT_TRUE(fresh_.gatekeeper.IsSetUp());
  EXPECT_THAT(
      fresh_.set_up.CompleteAsOperator({}, Operator(), {.user = {.email = "bob@example.org"}}),
      FailsWith(ErrorCode::kAlreadyExists));
}

TEST_F(SetUpTest, AServerThatAnotherOneSetUpLearnsOfIt) {
  Identity other({.ground = {.store = empty_, .clock = clock_, .ids = ids_},
                  .outbox = outbox_,
                  .sender = network_,
                  .box = box_},
                 {});
  const std::string secret = fresh_.set_up.NewSecret().value();
  ASSERT_THAT(other.set_up.CompleteAsOperator({}, Operator(), First()), IsOk());
  EXPECT_FALSE(fresh_.gatekeeper.IsSetUp());
  EXPECT_THAT(Complete(secret, {.user = {.email = "bob@example.org", .password = kPassword}}),
              FailsWith(ErrorCode::kAlreadyExists));
  EXPECT_TRUE(fresh_.gatekeeper.IsSetUp());
}

}  // namespace
}  // namespace atrium::identity

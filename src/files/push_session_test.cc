// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/push_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "base/testing.h"
#include "files/heads_testing.h"
#include "files/libraries.h"
#include "files/push_tokens.h"

namespace atrium::files {
namespace {

using ::testing::ElementsAre;
using testing::HeadsTest;
using ::testing::IsEmpty;

class PushSessionTest : public HeadsTest {
 protected:
  PushSessionTest() { EXPECT_THAT(Said(), IsEmpty()); }

  std::vector<std::string> Said() {
    std::vector<std::string> said;
    const auto turn = session_.Next([this] { ++wakes_; });
    EXPECT_THAT(turn, IsOk());
    for (const http::SocketMessage& message : turn.value_or(http::SocketTurn()).messages) {
      said.push_back(message.payload);
    }
    return said;
  }
  Result<void> Ask(const std::string& type, const std::string& library, const std::string& token) {
    return session_.Receive({.payload = R"({"type":")" + type + R"(","content":{"repos":[{"id":")" +
                                        library + R"(","jwt_token":")" + token + R"("}]}})"});
  }
  std::string Token() { return tokens_.Issue(ann_, id_).value(); }
  void Subscribe() { ASSERT_THAT(Ask("subscribe", id_.Render(), Token()), IsOk()); }
  std::string Update() {
    return R"({"type":"repo-update","content":{"repo_id":")" + id_.Render() + R"(","commit_id":")" +
           Now().head.Render() + R"("}})";
  }
  std::string Expiry() {
    return R"({"type":"jwt-expired","content":{"repo_id":")" + id_.Render() + R"("}})";
  }

  LibraryService libraries_{Ground(), heads_, people_};
  PushTokens tokens_{clock_, SecretKey{std::byte{1}}};
  int wakes_ = 0;
  PushSession session_{Ground(), people_, tokens_};
};

TEST_F(PushSessionTest, WhoSubscribesHearsOfTheNewestCommitAndOfEachAfterIt) {
  Subscribe();
  EXPECT_THAT(Said(), ElementsAre(Update()));
  EXPECT_THAT(Said(), IsEmpty());
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}}), IsOk());
  EXPECT_EQ(wakes_, 1);
  EXPECT_THAT(Said(), ElementsAre(Update()));
  ASSERT_THAT(Publish(Now(), {{"a", "bass"}}, "Changed."), IsOk());
  ASSERT_THAT(Publish(Now(), {{"a", "choir"}}, "Changed again."), IsOk());
  EXPECT_THAT(Said(), ElementsAre(Update()));
}

TEST_F(PushSessionTest, WhoUnsubscribesHearsNothing) {
  Subscribe();
  Said();
  ASSERT_THAT(Ask("unsubscribe", id_.Render(), ""), IsOk());
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}}), IsOk());
  EXPECT_THAT(Said(), IsEmpty());
  EXPECT_EQ(wakes_, 0);
}

TEST_F(PushSessionTest, ATokenThatIsNoneMakesTheClientAskForAnother) {
  ASSERT_THAT(Ask("subscribe", id_.Render(), "x.y.z"), IsOk());
  EXPECT_THAT(Said(), ElementsAre(Expiry()));
  const LibraryId other = libraries_.Create({}, ann_, {.name = "Other"}).value().record.id;
  ASSERT_THAT(Ask("subscribe", id_.Render(), tokens_.Issue(ann_, other).value()), IsOk());
  EXPECT_THAT(Said(), ElementsAre(Expiry()));
}

TEST_F(PushSessionTest, AnExpiredTokenIsToldInsteadOfAChange) {
  Subscribe();
  Said();
  clock_.Advance(kPushTokenTtl + std::chrono::minutes(1));
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}}), IsOk());
  EXPECT_THAT(Said(), ElementsAre(Expiry()));
  Subscribe();
  EXPECT_THAT(Said(), ElementsAre(Update()));
}

TEST_F(PushSessionTest, WhoMayNotSeeTheLibraryAnyMoreHearsNothing) {
  const Person bob = people_.Add("bob", org_);
  ASSERT_THAT(Ask("subscribe", id_.Render(), tokens_.Issue(bob, id_).value()), IsOk());
  EXPECT_THAT(Said(), IsEmpty());
  Subscribe();
  Said();
  Person ann = ann_;
  ann.generation = 7;
  people_.Change(ann);
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}}), IsOk());
  EXPECT_THAT(Said(), IsEmpty());
}

TEST_F(PushSessionTest, WhoseCredentialHasEndedHearsNothing) {
  Person by_laptop = ann_;
  by_laptop.by = {.kind = api::Credential::kApiToken, .id = "laptop", .user = ann_.id};
  ASSERT_THAT(Ask("subscribe", id_.Render(), tokens_.Issue(by_laptop, id_).value()), IsOk());
  EXPECT_THAT(Said(), ElementsAre(Update()));
  people_.End(by_laptop.by);
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}}), IsOk());
  EXPECT_THAT(Said(), IsEmpty());
}

TEST_F(PushSessionTest, ALibraryInTheTrashIsSilent) {
  Subscribe();
  Said();
  ASSERT_THAT(libraries_.Delete({}, ann_, id_), IsOk());
  EXPECT_THAT(Said(), IsEmpty());
}

TEST_F(PushSessionTest, WhatIsNoMessageIsRefused) {
  EXPECT_THAT(session_.Receive({.payload = "hello"}), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(Ask("subscribe", "no-library", ""), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(session_.Receive({.payload = R"({"type":"something","more":1})"}), IsOk());
}

TEST_F(PushSessionTest, OneClientHearsOfSoManyLibraries) {
  for (std::size_t i = 0; i < kPushLibrariesMax; ++i) {
    const LibraryId library(ids_.NewUuid());
    ASSERT_THAT(Ask("subscribe", library.Render(), tokens_.Issue(ann_, library).value()), IsOk());
  }
  EXPECT_THAT(Ask("subscribe", id_.Render(), Token()), FailsWith(ErrorCode::kLimitExceeded));
}

}  // namespace
}  // namespace atrium::files

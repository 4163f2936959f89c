// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/sync_tokens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/testing.h"
#include "files/heads.h"
#include "files/keys.h"
#include "files/libraries.h"
#include "files/room_testing.h"

namespace atrium::files {
namespace {

using ::testing::MatchesRegex;

class SyncTokensTest : public testing::RoomTest {
 protected:
  LibraryId Make(const std::string& name) {
    return libraries_.Create({}, ann_, {.name = name}).value().record.id;
  }
  std::string TokenFor(const Person& person) {
    const auto token = tokens_.Issue({}, person, library_);
    EXPECT_THAT(token, IsOk());
    return token.value_or("");
  }
  std::shared_ptr<const SyncCaller> Knock(const std::string& path, std::string_view header,
                                          std::string_view value) {
    http::Request request{.path = path};
    request.headers.Add(header, value);
    const auto principal = SyncAccess(tokens_).Admit(request);
    return principal ? std::dynamic_pointer_cast<const SyncCaller>(*principal) : nullptr;
  }

  Heads heads_{Ground(), *content_, people_};
  LibraryService libraries_{Ground(), heads_, people_};
  SyncTokenService tokens_{Ground(), people_, SecretKey{std::byte{1}}};
  const Person bob_ = people_.Add("bob", org_);
  const LibraryId library_ = Make("Scores");
};

TEST_F(SyncTokensTest, ATokenStaysTheSameAndOpensItsLibrary) {
  const std::string token = TokenFor(ann_);
  EXPECT_THAT(token, MatchesRegex("[0-9a-f]{40}"));
  EXPECT_EQ(TokenFor(ann_), token);
  const auto caller = tokens_.Admit({}, token, library_);
  ASSERT_THAT(caller, IsOk());
  EXPECT_EQ(caller->person.id, ann_.id);
  EXPECT_EQ(caller->permission, Permission::kWrite);
  EXPECT_FALSE(caller->is_gone);
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(SyncTokensTest, TheSecretItselfIsNotStored) {
  const std::string token = TokenFor(ann_);
  store::FunctionSink sink([&](const store::RowView& row) {
    EXPECT_EQ(row.document.find(token), std::string_view::npos);
    EXPECT_EQ(row.key.partition.find(token), std::string_view::npos);
  });
  EXPECT_THAT(store_.Walk({}, {.table = &kSyncTokenTable}, sink), IsOk());
}

TEST_F(SyncTokensTest, ATokenOpensNoOtherLibrary) {
  const LibraryId other = Make("Other");
  EXPECT_THAT(tokens_.Admit({}, TokenFor(ann_), other), FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_NE(tokens_.Issue({}, ann_, other).value(), TokenFor(ann_));
}

TEST_F(SyncTokensTest, WhatIsNoTokenOpensNothing) {
  EXPECT_THAT(tokens_.Admit({}, "", library_), FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_THAT(tokens_.Admit({}, std::string(40, '0'), library_),
              FailsWith(ErrorCode::kPermissionDenied));
}

TEST_F(SyncTokensTest, WhoMayNotSeeTheLibraryGetsNone) {
  EXPECT_THAT(tokens_.Issue({}, bob_, library_), FailsWith(ErrorCode::kNotFound));
}

TEST_F(SyncTokensTest, ATokenEndsWithTheCredentialItWasMadeFor) {
  Person by_laptop = ann_;
  by_laptop.by = {.kind = api::Credential::kApiToken, .id = "laptop", .user = ann_.id};
  Person by_phone = ann_;
  by_phone.by = {.kind = api::Credential::kAppPassword, .id = "phone", .user = ann_.id};
  const std::string lost = TokenFor(by_laptop);
  const std::string kept = TokenFor(by_phone);
  EXPECT_NE(lost, kept);
  EXPECT_EQ(TokenFor(by_laptop), lost);
  const auto caller = tokens_.Admit({}, lost, library_);
  ASSERT_THAT(caller, IsOk());
  EXPECT_EQ(caller->person.by, by_laptop.by);
  const SyncAccess rule(tokens_);
  const http::Admitted admitted{.principal = &*caller};
  EXPECT_THAT(rule.Readmit(admitted, http::Staleness::kNone), IsOk());
  people_.End(by_laptop.by);
  EXPECT_THAT(tokens_.Admit({}, lost, library_), FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_THAT(rule.Readmit(admitted, http::Staleness::kNone),
              FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_THAT(tokens_.Admit({}, kept, library_), IsOk());
}

TEST_F(SyncTokensTest, WhenAllCredentialsEndATokenEndsToo) {
  const std::string token = TokenFor(ann_);
  Person ann = ann_;
  ++ann.generation;
  people_.Change(ann);
  EXPECT_THAT(tokens_.Admit({}, token, library_), FailsWith(ErrorCode::kPermissionDenied));
  const std::string next = TokenFor(ann);
  EXPECT_NE(next, token);
  EXPECT_THAT(tokens_.Admit({}, next, library_), IsOk());
}

TEST_F(SyncTokensTest, WhoIsNotActiveOrGaveTheLibraryAwayIsRefused) {
  const std::string token = TokenFor(ann_);
  Person ann = ann_;
  ann.is_active = false;
  people_.Change(ann);
  EXPECT_THAT(tokens_.Admit({}, token, library_), FailsWith(ErrorCode::kPermissionDenied));
  people_.Change(ann_);
  ASSERT_THAT(libraries_.Transfer({}, ann_, library_, bob_.id), IsOk());
  EXPECT_THAT(tokens_.Admit({}, token, library_), FailsWith(ErrorCode::kPermissionDenied));
}

TEST_F(SyncTokensTest, WhoMayOnlyReadKeepsTheTokenAndReads) {
  const std::string token = TokenFor(ann_);
  Person ann = ann_;
  ann.may_write = false;
  people_.Change(ann);
  const auto caller = tokens_.Admit({}, token, library_);
  ASSERT_THAT(caller, IsOk());
  EXPECT_EQ(caller->permission, Permission::kRead);
}

TEST_F(SyncTokensTest, ATokenForReadingIsAnotherOneAndOnlyReads) {
  const auto token = tokens_.Issue({}, ann_, library_, Permission::kRead);
  ASSERT_THAT(token, IsOk());
  EXPECT_NE(*token, TokenFor(ann_));
  const auto caller = tokens_.Admit({}, *token, library_);
  ASSERT_THAT(caller, IsOk());
  EXPECT_EQ(caller->permission, Permission::kRead);
}

TEST_F(SyncTokensTest, ALibraryInTheTrashIsGoneUntilItIsRestored) {
  const std::string token = TokenFor(ann_);
  ASSERT_THAT(libraries_.Delete({}, ann_, library_), IsOk());
  EXPECT_TRUE(tokens_.Admit({}, token, library_).value().is_gone);
  ASSERT_THAT(libraries_.Restore({}, ann_, library_), IsOk());
  EXPECT_FALSE(tokens_.Admit({}, token, library_).value().is_gone);
  EXPECT_TRUE(tokens_.Admit({}, token, LibraryId(ids_.NewUuid())).value().is_gone);
}

TEST_F(SyncTokensTest, TheRuleReadsBothHeaders) {
  const std::string token = TokenFor(ann_);
  const std::string path = "/seafhttp/repo/" + library_.Render() + "/commit/HEAD";
  const auto caller = Knock(path, "Seafile-Repo-Token", token);
  ASSERT_NE(caller, nullptr);
  EXPECT_EQ(caller->library, library_);
  EXPECT_NE(Knock(path, "Authorization", "Token " + token), nullptr);
  EXPECT_EQ(Knock(path, "Authorization", "Bearer " + token), nullptr);
  EXPECT_EQ(Knock(path, "Accept", "*/*"), nullptr);
  EXPECT_EQ(Knock("/seafhttp/repo/nonsense", "Seafile-Repo-Token", token), nullptr);
  EXPECT_EQ(Knock("/seafhttp/protocol-version", "Seafile-Repo-Token", token), nullptr);
}

}  // namespace
}  // namespace atrium::files

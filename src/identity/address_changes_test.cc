// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/address_changes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/testing.h"
#include "identity/room_testing.h"

namespace atrium::identity {
namespace {

using std::chrono::minutes;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::kOtherPassword;
using testing::kPassword;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;
using testing::WithBearer;

constexpr const char* kBase = "https://atrium.example.org";

class AddressChangesTest : public testing::RoomTest {
 protected:
  Result<void> Request(const std::string& email) {
    return room_.addresses.Request({}, ActorFor(bob_.record), Reload(bob_).record,
                                   {.email = email, .base_url = kBase});
  }
  /// The secret of the last letter to the address.
  std::string SecretTo(const std::string& address) {
    std::string secret;
    for (const auto& letter : Letters()) {
      secret = letter.to == address ? SecretIn(letter.mime) : secret;
    }
    return secret;
  }
  void ChangeTo(const std::string& email) {
    ASSERT_THAT(Request(email), IsOk());
    ASSERT_THAT(room_.addresses.Confirm({}, Stranger(), From("192.0.2.1"), SecretTo(email), kBase),
                IsOk());
  }
  Result<ConsumedLink> Undo(const std::string& secret) {
    return room_.addresses.Undo({}, Stranger(), From("192.0.2.1"), secret, kOtherPassword);
  }
  /// A second factor and an account elsewhere, both from now on.
  void AddWaysIn() {
    const auto secrets = SecretsOf(bob_);
    UserSecrets taken = secrets.record;
    taken.totp_secret = "sealed";
    taken.totp_since = clock_.Now();
    store::Batch batch;
    batch.Replace(Secrets(), secrets, taken);
    batch.Create(ExternalIdentities(), ExternalIdentity{.issuer = "https://evil.test",
                                                        .subject = "1",
                                                        .user = bob_.record.id,
                                                        .linked_at = clock_.Now()});
    ASSERT_THAT(store_.Commit({}, std::move(batch)), IsOk());
  }
  std::string Address() { return Reload(bob_).record.email; }
  std::vector<std::string> Recipients() {
    std::vector<std::string> to;
    for (const auto& letter : Letters()) {
      to.push_back(letter.to);
    }
    return to;
  }

  const store::Stored<User> bob_ = AddBob();
};

TEST_F(AddressChangesTest, TheOldAddressHearsOfItAtOnceAndWhenItIsDone) {
  ASSERT_THAT(Request("new@example.org"), IsOk());
  EXPECT_THAT(Recipients(), ElementsAre("new@example.org", "bob@example.org"));
  ASSERT_THAT(room_.addresses.Confirm({}, Stranger(), From("192.0.2.1"),
                                      SecretTo("new@example.org"), kBase),
              IsOk());
  EXPECT_EQ(Address(), "new@example.org");
  EXPECT_THAT(Recipients(), ElementsAre("new@example.org", "bob@example.org", "bob@example.org"));
  EXPECT_THAT(Letters().back().mime, HasSubstr("was changed"));
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(AddressChangesTest, UndoingPutsTheAddressBackAndEndsEverything) {
  const OpenedSession stolen = OpenSession(bob_);
  const MadeToken made = MakeToken(bob_, {.name = "x"});
  ChangeTo("evil@example.org");
  const auto undone = Undo(SecretTo("bob@example.org"));
  ASSERT_THAT(undone, IsOk());
  EXPECT_EQ(Address(), "bob@example.org");
  EXPECT_THAT(Identify(WithBearer(stolen.secret)), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(Identify(WithBearer(made.secret)), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(Identify(WithBearer(undone->opened.secret)), IsOk());
  EXPECT_THAT(LogIn("bob@example.org", kPassword), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(LogIn("bob@example.org", kOtherPassword), IsOk());
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(AddressChangesTest, UndoingWorksOnceAndForAWeek) {
  ChangeTo("evil@example.org");
  const std::string secret = SecretTo("bob@example.org");
  clock_.Advance(kUndoLifetime - minutes(1));
  ASSERT_THAT(Undo(secret), IsOk());
  EXPECT_THAT(Undo(secret), FailsWith(ErrorCode::kUnauthenticated));
  ChangeTo("evil@example.org");
  const std::string late = SecretTo("bob@example.org");
  clock_.Advance(kUndoLifetime);
  EXPECT_THAT(Undo(late), FailsWith(ErrorCode::kUnauthenticated));
}

TEST_F(AddressChangesTest, AResetThroughTheNewAddressDoesNotLockTheOldOneOut) {
  ChangeTo("evil@example.org");
  const std::string undo = SecretTo("bob@example.org");
  ASSERT_THAT(room_.links.RequestReset({}, Stranger(), From("192.0.2.1"),
                                       {.email = "evil@example.org", .base_url = kBase}),
              IsOk());
  ASSERT_THAT(room_.links.Reset({}, Stranger(), From("192.0.2.1"), SecretTo("evil@example.org"),
                                "lantern orchard 85 loud"),
              IsOk());
  ASSERT_THAT(Undo(undo), IsOk());
  EXPECT_EQ(Address(), "bob@example.org");
}

TEST_F(AddressChangesTest, WhoTookTheAccountOverCannotUndoTheUndoing) {
  ChangeTo("evil@example.org");
  const std::string undo = SecretTo("bob@example.org");
  clock_.Advance(minutes(1));
  ChangeTo("worse@example.org");
  const std::string evil = SecretTo("evil@example.org");
  clock_.Advance(minutes(1));
  ASSERT_THAT(Undo(undo), IsOk());
  EXPECT_THAT(Undo(evil), FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_EQ(Address(), "bob@example.org");
}

TEST_F(AddressChangesTest, WhatWasAddedSinceTheLetterLeaves) {
  ChangeTo("evil@example.org");
  const std::string undo = SecretTo("bob@example.org");
  clock_.Advance(minutes(1));
  AddWaysIn();
  ASSERT_THAT(Undo(undo), IsOk());
  EXPECT_EQ(SecretsOf(bob_).record.totp_secret, "");
  EXPECT_EQ(CountRows(kExternalTable), 0U);
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(AddressChangesTest, WhatWasPreparedBeforeTheLetterLeaves) {
  AddWaysIn();
  clock_.Advance(kUndoLifetime - minutes(1));
  ChangeTo("evil@example.org");
  clock_.Advance(minutes(2));
  const auto undone = Undo(SecretTo("bob@example.org"));
  ASSERT_THAT(undone, IsOk());
  EXPECT_THAT(Identify(WithBearer(undone->opened.secret)), IsOk());
  EXPECT_EQ(SecretsOf(bob_).record.totp_secret, "");
  EXPECT_EQ(CountRows(kExternalTable), 0U);
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(AddressChangesTest, WhatWasThereLongBeforeTheLetterStays) {
  AddWaysIn();
  clock_.Advance(kUndoLifetime + minutes(1));
  ChangeTo("evil@example.org");
  const auto undone = Undo(SecretTo("bob@example.org"));
  ASSERT_THAT(undone, IsOk());
  EXPECT_EQ(undone->opened.secret, "") << "a mailbox alone does not get past a second factor";
  EXPECT_EQ(SecretsOf(bob_).record.totp_secret, "sealed");
  EXPECT_EQ(CountRows(kExternalTable), 1U);
}

TEST_F(AddressChangesTest, UndoingBeforeItIsConfirmedEndsTheChange) {
  ASSERT_THAT(Request("evil@example.org"), IsOk());
  const std::string confirm = SecretTo("evil@example.org");
  ASSERT_THAT(Undo(SecretTo("bob@example.org")), IsOk());
  EXPECT_THAT(room_.addresses.Confirm({}, Stranger(), From("192.0.2.1"), confirm, kBase),
              FailsWith(ErrorCode::kUnauthenticated));
}

TEST_F(AddressChangesTest, WhoExistsElsewhereIsNotTold) {
  const auto org = room_.organisations.Create({}, Operator(), {.name = "Else"}).value();
  Add({.email = "else@example.org", .name = "Else"}, org.record.id);
  ASSERT_THAT(Request("free@example.org"), IsOk());
  const std::uint64_t links = CountRows(kLinkTable);
  const AuditLine free = LastLine();
  ASSERT_THAT(Request("else@example.org"), IsOk());
  EXPECT_THAT(Recipients(), ElementsAre("free@example.org", "bob@example.org", "else@example.org",
                                        "bob@example.org"));
  EXPECT_THAT(Letters()[2].mime, HasSubstr("account already"));
  EXPECT_EQ(SecretIn(Letters()[2].mime), "");
  EXPECT_THAT(Letters()[3].mime, HasSubstr("about to change"));
  EXPECT_EQ(CountRows(kLinkTable), 2 * links);
  const AuditLine taken = LastLine();
  EXPECT_EQ((std::pair{taken.action, taken.target}), (std::pair{free.action, free.target}));
  EXPECT_THAT(taken.detail, UnorderedElementsAre(Pair("purpose", "confirm_email"),
                                                 Pair("email", "else@example.org")));
  EXPECT_THAT(Request("ann@example.org"), FailsWith(ErrorCode::kAlreadyExists));
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(AddressChangesTest, AnAddressThatIsTakenElsewhereIsUndoneLikeAnyOther) {
  const auto org = room_.organisations.Create({}, Operator(), {.name = "Else"}).value();
  Add({.email = "else@example.org", .name = "Else"}, org.record.id);
  ASSERT_THAT(Request("else@example.org"), IsOk());
  ASSERT_THAT(Undo(SecretTo("bob@example.org")), IsOk());
  EXPECT_THAT(LogIn("bob@example.org", kOtherPassword), IsOk());
}

}  // namespace
}  // namespace atrium::identity

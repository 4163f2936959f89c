// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/resealing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/testing.h"
#include "identity/keys.h"
#include "identity/provider_list.h"
#include "identity/room_testing.h"
#include "identity/second_factor.h"

namespace atrium::identity {
namespace {

using ::testing::StartsWith;

SealedBox BoxWith(const std::vector<std::string>& newest_first) {
  std::vector<SealingKey> keys;
  for (const std::string& id : newest_first) {
    keys.push_back(
        {.id = id, .bytes = DeriveKey("a secret of thirty-two bytes or more " + id, id).value()});
  }
  return SealedBox(KeyRing::Make(std::move(keys)).value());
}

class ResealingTest : public testing::RoomTest {
 protected:
  ResealingTest() {
    // What the room does not seal itself in these tests.
    SealFor(BoxWith({"old"}), "totp", "s3cret");
  }

  void SealFor(const SealedBox& box, const std::string& totp, const std::string& client) {
    const auto old = SecretsOf(ann_);
    UserSecrets secrets = old.record;
    secrets.totp_secret = box.Seal(totp, SecondFactor::SealedFor(secrets.user)).value();
    store::Batch batch;
    batch.Replace(Secrets(), old, secrets);
    batch.Create(
        Providers(),
        {.id = "home",
         .org = DefaultOrg(),
         .client_secret = box.Seal(client, ProviderList::SealedFor(DefaultOrg(), "home")).value()});
    ASSERT_THAT(store_.Commit({}, std::move(batch)), IsOk());
  }

  SealedTexts Run(const SealedBox& box) {
    jobs::JobContext context(std::stop_token{});
    return Resealing(room_.ground, box).Run(context).value();
  }
  SealedTexts Count(const SealedBox& box) { return Resealing(room_.ground, box).Count({}).value(); }
};

TEST_F(ResealingTest, WhatAnEarlierKeySealedIsSealedByTheNewest) {
  const SealedBox both = BoxWith({"new", "old"});
  EXPECT_EQ(Count(both), (SealedTexts{.all = 2, .old = 2}));
  EXPECT_EQ(Run(both), (SealedTexts{.all = 2, .old = 2}));
  EXPECT_EQ(Count(both), (SealedTexts{.all = 2}));

  const SealedBox after = BoxWith({"new"});
  EXPECT_EQ(Count(after), (SealedTexts{.all = 2}));
  const std::string sealed = SecretsOf(ann_).record.totp_secret;
  EXPECT_THAT(sealed, StartsWith("v1.new."));
  EXPECT_THAT(after.Open(sealed, SecondFactor::SealedFor(ann_.record.id)), Holds("totp"));
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(ResealingTest, WhatIsNewestIsNotWrittenAgain) {
  const SealedBox both = BoxWith({"new", "old"});
  Run(both);
  const auto before = SecretsOf(ann_).version;
  Run(both);
  EXPECT_EQ(SecretsOf(ann_).version, before);
}

TEST_F(ResealingTest, WhatNoKeyOpensStaysAndIsCounted) {
  const SealedBox strange = BoxWith({"new", "older"});
  const std::string before = SecretsOf(ann_).record.totp_secret;
  EXPECT_EQ(Run(strange), (SealedTexts{.all = 2, .lost = 2}));
  EXPECT_EQ(SecretsOf(ann_).record.totp_secret, before);
}

TEST_F(ResealingTest, WithoutAnEarlierKeyThereIsNothingToDo) {
  EXPECT_EQ(Run(BoxWith({"old"})), SealedTexts{});
}

TEST_F(ResealingTest, WhatSomebodyElseWritesMeanwhileIsKept) {
  engine_.before_commits.push_back([&] {
    const auto old = SecretsOf(ann_);
    UserSecrets changed = old.record;
    changed.totp_last_step = 7;
    store::Batch batch;
    batch.Replace(Secrets(), old, changed);
    EXPECT_THAT(store_.Commit({}, std::move(batch)), IsOk());
  });
  Run(BoxWith({"new", "old"}));
  EXPECT_EQ(SecretsOf(ann_).record.totp_last_step, 7U);
  EXPECT_THAT(SecretsOf(ann_).record.totp_secret, StartsWith("v1.new."));
}

}  // namespace
}  // namespace atrium::identity

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
// What it costs the store to find somebody.
#include <gtest/gtest.h>

#include "identity/keys.h"
#include "identity/room_testing.h"
#include "store/op_context.h"

namespace atrium::identity {
namespace {

using store::Tally;

class LookupTest : public testing::RoomTest {
 protected:
  template <typename Call>
  Tally Cost(const Call& call) {
    Tally tally;
    store::OpContext op;
    op.tally = &tally;
    EXPECT_THAT(call(op), IsOk());
    return tally;
  }
};

TEST_F(LookupTest, APersonByIdIsOneGet) {
  EXPECT_EQ(
      Cost([&](const store::OpContext& op) { return room_.accounts.Load(op, ann_.record.id); }),
      (Tally{.gets = 1}));
}

TEST_F(LookupTest, APersonByAddressIsTwoGets) {
  EXPECT_EQ(Cost([&](const store::OpContext& op) {
              return room_.accounts.FindByEmail(op, ann_.record.email);
            }),
            (Tally{.gets = 2}));
}

TEST_F(LookupTest, APersonByTheirAccountElsewhereIsTwoGets) {
  store::Batch batch;
  batch.Create(ExternalIdentities(), ExternalIdentity{.issuer = "https://id.example.net",
                                                      .subject = "1234",
                                                      .user = ann_.record.id,
                                                      .email = ann_.record.email});
  ASSERT_THAT(store_.Commit({}, std::move(batch)), IsOk());
  EXPECT_EQ(Cost([&](const store::OpContext& op) -> Result<void> {
              ASSIGN_OR_RETURN(const auto elsewhere,
                               store::Load(store_, op, ExternalIdentities(),
                                           ExternalKey("https://id.example.net", "1234")));
              RETURN_IF_ERROR(room_.accounts.Load(op, elsewhere.record.user));
              return {};
            }),
            (Tally{.gets = 2}));
}

}  // namespace
}  // namespace atrium::identity

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/provider_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/id_source.h"
#include "base/instant.h"
#include "base/json_write.h"
#include "base/sealed_box.h"
#include "base/testing.h"
#include "engines/memory/engine.h"
#include "identity/audit.h"
#include "identity/organisations.h"
#include "store/batch.h"
#include "store/store.h"

namespace atrium::identity {
namespace {

using ::testing::AllOf;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

class ProviderListTest : public ::testing::Test {
 protected:
  ProviderListTest() {
    store::Batch batch;
    Organisations(ground_).AddDefault(batch, "Default");
    EXPECT_THAT(store_.Commit(op_, std::move(batch)), IsOk());
    EXPECT_THAT(list_.Put(op_, admin_, DefaultOrg(), home_), IsOk());
  }

  std::string Audit() { return ReadAudit(store_, op_, {.org = DefaultOrg()}).value().lines; }

  FixedClock clock_{Instant(std::chrono::hours(500'000))};
  engines::MemoryEngine engine_{clock_};
  store::Store store_{engine_, clock_};
  store::OpContext op_{};
  SystemIdSource ids_{clock_};
  Ground ground_{.store = store_, .clock = clock_, .ids = ids_};
  SealedBox box_{KeyRing::Make({{.id = "one", .bytes = {}}}).value()};
  ProviderList list_{ground_, box_};
  const Actor admin_{.name = "user:a", .role = Role::kAdmin, .org = DefaultOrg()};
  const Actor operator_{.name = "operator", .is_operator = true};
  const NewProvider home_{.id = "home",
                          .name = "Home",
                          .issuer = "https://id.example",
                          .client_id = "atrium",
                          .client_secret = "s3cret"};
};

TEST_F(ProviderListTest, ASecretIsSealedAndOpensForItsProviderAlone) {
  const std::vector<Provider> providers = list_.List(op_, DefaultOrg()).value();
  ASSERT_THAT(providers, SizeIs(1));
  Provider provider = providers[0];
  EXPECT_THAT(provider.client_secret, StartsWith("v1.one."));
  EXPECT_THAT(ToJson(Show(provider)), AllOf(HasSubstr("atrium"), Not(HasSubstr("secret"))));
  EXPECT_THAT(list_.ClientOf(provider), Holds(Field(&oidc::Provider::client_secret, "s3cret")));
  provider.id = "other";
  EXPECT_THAT(list_.ClientOf(provider), FailsWith(ErrorCode::kCorrupt));
}

TEST_F(ProviderListTest, AProviderKeepsItsSecretUnlessItIsAnotherIssuer) {
  NewProvider renamed = home_;
  renamed.client_secret.reset();
  renamed.name = "Renamed";
  ASSERT_THAT(list_.Put(op_, admin_, DefaultOrg(), renamed), IsOk());
  EXPECT_THAT(list_.List(op_, DefaultOrg()).value()[0].client_secret, StartsWith("v1.one."));
  renamed.issuer = "https://evil.example";
  EXPECT_THAT(list_.Put(op_, admin_, DefaultOrg(), renamed),
              FailsSaying(ErrorCode::kInvalidArgument, "client_secret"));
  renamed.client_secret = "";
  ASSERT_THAT(list_.Put(op_, admin_, DefaultOrg(), renamed), IsOk());
  EXPECT_EQ(list_.List(op_, DefaultOrg()).value()[0].client_secret, "");
}

TEST_F(ProviderListTest, AProviderThatNobodyCouldUseIsNotEntered) {
  const auto refused = [this](auto&& spoil, const std::string& named) {
    NewProvider provider = home_;
    spoil(provider);
    EXPECT_THAT(list_.Put(op_, admin_, DefaultOrg(), provider),
                FailsSaying(ErrorCode::kInvalidArgument, named));
  };
  refused([](NewProvider& one) { one.id = "Home"; }, "id");
  refused([](NewProvider& one) { one.id = ""; }, "id");
  refused([](NewProvider& one) { one.id = std::string(33, 'a'); }, "id");
  refused([](NewProvider& one) { one.id = "unlink"; }, "id");
  refused([](NewProvider& one) { one.name = ""; }, "name");
  refused([](NewProvider& one) { one.issuer = "http://id.example"; }, "https");
  refused([](NewProvider& one) { one.client_id = ""; }, "client id");
}

TEST_F(ProviderListTest, ProvidersAreEnteredAndErasedByAdministratorsOfTheirOrganisation) {
  const Actor user{.name = "user:u", .role = Role::kUser, .org = DefaultOrg()};
  EXPECT_THAT(list_.Put(op_, user, DefaultOrg(), home_), FailsWith(ErrorCode::kPermissionDenied));
  const Actor foreign{.name = "user:f", .role = Role::kAdmin, .org = OrgId(ids_.NewUuid())};
  EXPECT_THAT(list_.Erase(op_, foreign, DefaultOrg(), "home"), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(list_.Put(op_, operator_, foreign.org, home_), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(list_.Erase(op_, admin_, DefaultOrg(), "home"), IsOk());
  EXPECT_THAT(list_.Erase(op_, admin_, DefaultOrg(), "home"), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(Audit(), HasSubstr("provider.erased"));
}

TEST_F(ProviderListTest, AnOrganisationHasSoManyProvidersAndNoMore) {
  NewProvider provider = home_;
  for (std::size_t number = 1; number < ProviderList::kProvidersMax; ++number) {
    provider.id = "p" + std::to_string(number);
    ASSERT_THAT(list_.Put(op_, admin_, DefaultOrg(), provider), IsOk());
  }
  provider.id = "one-too-many";
  EXPECT_THAT(list_.Put(op_, admin_, DefaultOrg(), provider), FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_THAT(list_.Put(op_, admin_, DefaultOrg(), home_), IsOk());
}

}  // namespace
}  // namespace atrium::identity

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/id_source.h"
#include "base/testing.h"
#include "blobs/local_blobs.h"
#include "engines/conformance/temporary_folder.h"
#include "engines/memory/engine.h"
#include "files/content.h"
#include "files/keys.h"
#include "files/people.h"
#include "store/store.h"
#include "store/verify.h"

/// Libraries on the memory engine with blobs in a folder, for the tests of this folder.
namespace atrium::files::testing {

/// People that a test makes up. Each knows only who was added.
class Acquaintances final : public People {
 public:
  /// What their organisations store; a room of its own in the real program.
  static constexpr store::Table kOrgSpace{.number = 500, .name = "space_of_orgs"};

  Person Add(const std::string& name, const OrgId& org) {
    Person person{.id = UserId(ids_.NewTimeUuid()),
                  .org = org,
                  .name = name,
                  .email = name + "@example.org",
                  .is_active = true,
                  .may_write = true};
    Change(person);
    return person;
  }
  void Change(const Person& person) { all_[person.id] = person; }

  Result<std::optional<Person>> Find(const store::OpContext& /*op*/,
                                     const UserId& user) const override {
    const auto found = all_.find(user);
    return found == all_.end() ? std::nullopt : std::optional(found->second);
  }
  /// Ends a credential.
  void End(const api::CredentialRef& credential) { ended_.insert(credential.id); }
  Result<bool> StillStands(const store::OpContext& /*op*/, const api::CredentialRef& credential,
                           http::Staleness /*allowed*/) const override {
    return !ended_.contains(credential.id);
  }
  Result<std::optional<Person>> FindByEmail(const store::OpContext& /*op*/,
                                            std::string_view email) const override {
    for (const auto& [id, person] : all_) {
      if (person.email == email) {
        return person;
      }
    }
    return std::nullopt;
  }
  Result<void> ReserveForOrg(const store::OpContext& /*op*/, const OrgId& org, std::int64_t bytes,
                             store::Batch& batch) const override {
    if (before_reserve) {
      before_reserve();
    }
    batch.Add(store::Add{.table = &kOrgSpace,
                         .key = {.partition = org.Render()},
                         .counter = "bytes",
                         .delta = bytes,
                         .at_most = org_quota});
    return {};
  }
  Result<bool> OrgHasRoomFor(const store::OpContext& /*op*/, const OrgId& /*org*/,
                             std::int64_t bytes) const override {
    return bytes <= org_quota;
  }
  Result<std::optional<std::int64_t>> BytesOfOrg(const store::OpContext& /*op*/,
                                                 const OrgId& org) const override {
    return count_of_org ? count_of_org(org) : std::nullopt;
  }
  Result<std::string> AddressOf(const store::OpContext& /*op*/,
                                const OrgId& /*org*/) const override {
    return "https://atrium.example.org";
  }
  void WriteDown(store::Batch& /*batch*/, const UserId& /*by*/, const Deed& deed) const override {
    const std::scoped_lock lock(mutex_);
    deeds_.push_back(deed.action);
  }

  std::vector<std::string> Deeds() const {
    const std::scoped_lock lock(mutex_);
    return deeds_;
  }

  /// Called between what a commit looked at and the commit itself.
  std::function<void()> before_reserve{};
  /// What the counter of an organisation says, for who asks.
  std::function<std::optional<std::int64_t>(const OrgId&)> count_of_org{};
  std::int64_t org_quota = std::int64_t{1} << 40;

 private:
  std::set<std::string> ended_{};
  FixedIdSource ids_;
  std::map<UserId, Person> all_;
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  mutable std::vector<std::string> deeds_;
};

/// Bytes that do not compress, always the same for one seed.
inline std::string Noise(std::size_t bytes, std::uint64_t seed = 1) {
  std::mt19937_64 random(seed);
  std::string noise(bytes, '\0');
  for (char& byte : noise) {
    byte = static_cast<char>(random());
  }
  return noise;
}

/// Ann is somebody of an organisation.
class RoomTest : public ::testing::Test {
 protected:
  RoomTest() { Open(); }

  void Open() {
    auto opened = blobs::LocalBlobs::Open({.folder = folder_.Path() / "blobs",
                                           .reserve_bytes = 0,
                                           .recovered =
                                               [this](std::span<const blobs::NotedBlob> some) {
                                                 recovered_.insert(recovered_.end(), some.begin(),
                                                                   some.end());
                                                 return Result<void>();
                                               }},
                                          Ground());
    ASSERT_THAT(opened, IsOk());
    blobs_ = *std::move(opened);
    content_ = std::make_unique<Content>(store_, *blobs_);
  }

  store::Ground Ground() { return {.store = store_, .clock = clock_, .ids = ids_}; }

  /// What store verify would find.
  std::uint64_t Defects() {
    const std::vector<const store::AnyCollection*> collections = Collections();
    const std::vector<const store::Table*> tables = BareTables();
    const auto report =
        store::Verify(store_, {}, {.collections = collections, .tables = tables}, {});
    EXPECT_THAT(report, IsOk());
    return report ? report->findings : 0;
  }
  std::int64_t CounterAt(const store::Table& table, const store::Key& key,
                         std::string_view counter) {
    const auto row = store_.Get({}, table, key);
    EXPECT_THAT(row, IsOk());
    return row && *row ? store::CounterOf((*row)->counters, counter) : 0;
  }

  FixedClock clock_{Instant(std::chrono::milliseconds(1'800'000'000'000))};
  FixedIdSource ids_{};
  engines::MemoryEngine engine_{clock_};
  store::Store store_{engine_, clock_};
  engines::TemporaryFolder folder_{};
  std::vector<blobs::NotedBlob> recovered_{};
  std::unique_ptr<blobs::LocalBlobs> blobs_{};
  std::unique_ptr<Content> content_{};
  const OrgId org_{ids_.NewUuid()};
  Acquaintances people_{};
  const Person ann_ = people_.Add("ann", org_);
};

}  // namespace atrium::files::testing

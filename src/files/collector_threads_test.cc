// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/testing.h"
#include "files/collector.h"
#include "files/heads_testing.h"
#include "files/keys.h"

namespace atrium::files {
namespace {

using testing::Files;
using testing::HeadsTest;

class CollectorThreadsTest : public HeadsTest {
 protected:
  /// A client that adds, changes and removes files of its own, and now and then sends something
  /// that it never publishes.
  void WorkAsClient(int client, std::uint64_t seed) {
    std::mt19937_64 random(seed + static_cast<std::uint64_t>(client));
    // Until they have met often enough.
    for (int round = 0; round < 40 || collections_ < 6; ++round) {
      const std::string name = std::to_string(client) + "-" + std::to_string(random() % 5);
      // Few different contents, so that garbage is put again while it is being removed.
      const std::string content = "content " + std::to_string(random() % 12);
      ASSERT_THAT(content_->PutBlock({}, id_, BlockIdOf(content), content), IsOk());
      if (random() % 4 == 0) {
        const std::string unused = name + " in round " + std::to_string(round);
        ASSERT_THAT(content_->PutBlock({}, id_, BlockIdOf(unused), unused), IsOk());
        continue;
      }
      const auto applied = random() % 3 == 0
                               ? heads_.Apply({}, author_, id_, Removing(name))
                               : heads_.Apply({}, author_, id_, Adding(name, content));
      // Without a grace period, what was put may be gone again: then nothing was changed.
      if (!applied) {
        ASSERT_THAT(applied, FailsWith(ErrorCode::kRefusedByState));
      }
    }
  }
  static Heads::Edit Removing(const std::string& name) {
    return
        [=](ObjectReader& reader, ObjectWriter& writer, const Library& library) -> Result<Change> {
          ASSIGN_OR_RETURN(const auto root, reader.ReadDirectory(library.root));
          Directory changed = *root;
          changed.Remove(name);
          ASSIGN_OR_RETURN(const ObjectId id, writer.Write(changed));
          return Change{.root = id, .description = "Removed."};
        };
  }
  /// Every state reads whole.
  void ExpectWhole() {
    LibraryReader reader(*content_, {}, id_);
    for (const Move& move : History()) {
      const auto root = reader.ReadDirectory(move.root);
      ASSERT_THAT(root, IsOk()) << move.number;
      for (const Dirent& entry : (*root)->Entries()) {
        const auto file = reader.ReadFile(entry.id);
        ASSERT_THAT(file, IsOk()) << entry.name;
        for (const BlockId& block : file->blocks) {
          const auto place = content_->FindBlock({}, id_, block);
          ASSERT_THAT(place, IsOk());
          ASSERT_TRUE(place->has_value()) << entry.name << " in state " << move.number;
          ASSERT_THAT(content_->ReadBlock({}, **place), IsOk());
        }
      }
    }
  }

  PartialUploads uploads_{folder_.Path() / "uploads", clock_};
  Collector collector_{{.ground = Ground(),
                        .blobs = *blobs_,
                        .content = *content_,
                        .heads = heads_,
                        .people = people_,
                        .uploads = uploads_}};
  std::atomic<int> collections_ = 0;
};

TEST_F(CollectorThreadsTest, NothingThatIsPublishedIsCollectedHoweverTheyMeet) {
  const std::uint64_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::atomic<bool> working = true;
  std::atomic<std::uint64_t> removed = 0;
  std::thread collecting([&] {
    // The hardest case: garbage goes the moment it is seen.
    while (working) {
      const auto done = collector_.Collect({.grace = std::chrono::seconds(0)}, {});
      ASSERT_THAT(done, IsOk());
      EXPECT_TRUE(done->damaged.empty());
      removed += done->blocks.count + done->objects.count;
      ++collections_;
    }
  });
  std::vector<std::thread> clients;
  for (int client = 0; client < 4; ++client) {
    clients.emplace_back([this, client, seed] { WorkAsClient(client, seed); });
  }
  for (std::thread& client : clients) {
    client.join();
  }
  working = false;
  collecting.join();
  ExpectWhole();
  EXPECT_EQ(Defects(), 0U);
  ASSERT_THAT(collector_.Collect({.grace = std::chrono::seconds(0)}, {}), IsOk());
  ExpectWhole();
  ExpectLinear(History());
  EXPECT_GT(removed, 0U);
}

TEST_F(CollectorThreadsTest, WithinTheGracePeriodEveryPublicationSucceeds) {
  const std::uint64_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::atomic<bool> working = true;
  std::thread collecting([&] {
    while (working) {
      ASSERT_THAT(collector_.Collect({}, {}), IsOk());
      // Condemned in one round, gone in the one after the next.
      clock_.Advance(kGrace / 2);
    }
  });
  std::mt19937_64 random(seed);
  for (int round = 0; round < 60; ++round) {
    Files files;
    for (std::uint64_t i = random() % 4; i < 6; ++i) {
      files["file " + std::to_string(i)] = "content " + std::to_string(random() % 20);
    }
    const auto published = Publish(Now(), files, "Round " + std::to_string(round));
    ASSERT_THAT(published, IsOk());
  }
  working = false;
  collecting.join();
  ExpectWhole();
}

}  // namespace
}  // namespace atrium::files

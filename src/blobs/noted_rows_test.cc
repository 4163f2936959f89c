// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/testing.h"
#include "blobs/blobs.h"
#include "blobs/blobs_testing.h"

namespace atrium::blobs {
namespace {

/// Remembers what it was to write.
class RecordingRows final : public NotedRows {
 public:
  Result<void> Write(std::span<const NotedBlob> noted) override {
    const std::scoped_lock lock(mutex_);
    if (fails_with_) {
      return FailPrivately(*fails_with_, "as the test wants it");
    }
    ++calls_;
    for (const NotedBlob& blob : noted) {
      notes_.insert(blob.note);
    }
    return {};
  }

  void FailWith(std::optional<ErrorCode> code) { fails_with_ = code; }
  bool Has(const std::string& note) {
    const std::scoped_lock lock(mutex_);
    return notes_.contains(note);
  }
  std::size_t Calls() const { return calls_; }

 private:
  std::mutex mutex_;
  // Guarded by mutex_ while threads put.
  std::optional<ErrorCode> fails_with_;
  std::set<std::string> notes_;
  std::size_t calls_ = 0;
};

class NotedRowsTest : public BlobsTest {
 protected:
  RecordingRows rows_;
};

TEST_F(NotedRowsTest, AreThereWhenTheBlobIs) {
  for (const std::string& bytes : {std::string("small"), std::string(5000, 'L')}) {
    const std::string name = bytes.substr(0, 1);
    ASSERT_THAT(Blobs().Put({}, bytes, {.note = "new " + name, .rows = &rows_}), IsOk());
    EXPECT_TRUE(rows_.Has("new " + name));
    ASSERT_THAT(Blobs().Put({}, bytes, {.note = "again " + name, .rows = &rows_}), IsOk());
    EXPECT_TRUE(rows_.Has("again " + name));
  }
}

TEST_F(NotedRowsTest, ThatCannotBeWrittenAreAnErrorOfThePut) {
  rows_.FailWith(ErrorCode::kUnavailable);
  EXPECT_THAT(Blobs().Put({}, "bytes", {.note = "first", .rows = &rows_}),
              FailsWith(ErrorCode::kUnavailable));
  rows_.FailWith(std::nullopt);
  ASSERT_THAT(Blobs().Put({}, "bytes", {.note = "second", .rows = &rows_}), IsOk());
  EXPECT_FALSE(rows_.Has("first"));
  EXPECT_TRUE(rows_.Has("second"));
  EXPECT_THAT(Blobs().Read({}, BlobId::Of("bytes")), Holds(std::string("bytes")));
}

TEST_F(NotedRowsTest, OfManyThatPutAtOnceAreAllThere) {
  constexpr int kThreads = 8;
  constexpr int kEach = 50;
  std::atomic<int> missing = 0;
  {
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < kThreads; ++thread) {
      threads.emplace_back([&, thread] {
        for (int i = 0; i < kEach; ++i) {
          const std::string name = std::to_string(thread) + "/" + std::to_string(i);
          const auto pin = Blobs().Put({}, name, {.note = name, .rows = &rows_});
          missing += pin.has_value() && rows_.Has(name) ? 0 : 1;
        }
      });
    }
  }
  EXPECT_EQ(missing, 0);
  EXPECT_LE(rows_.Calls(), Blobs().Statistics().groups) << "once for those who share a sync";
}

}  // namespace
}  // namespace atrium::blobs

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/list_within.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/testing.h"
#include "store/batch.h"
#include "store/notes_testing.h"

namespace atrium::store {
namespace {

using ::testing::ElementsAre;
using testing::Note;

class ListWithinTest : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* id : {"a", "b", "c"}) {
      Batch batch;
      batch.Create(testing::Notes(), {.id = id, .folder = "f", .title = std::string(1000, 'x')});
      ASSERT_THAT(notes_.store.Commit(notes_.op, std::move(batch)), IsOk());
    }
  }

  /// The ids of each page, page by page.
  std::vector<std::string> Pages(std::size_t limit, std::size_t bytes_max) {
    std::vector<std::string> pages;
    ScanRequest request{.table = &testing::kNotesByFolder, .partition = "f", .limit = limit};
    do {
      auto page = ListWithin<Note>(notes_.store, notes_.op, request, bytes_max);
      EXPECT_THAT(page, IsOk());
      std::string& ids = pages.emplace_back();
      for (const Stored<Note>& one : page->records) {
        ids += one.record.id;
      }
      request.after = std::move(page->resume);
    } while (request.after);
    return pages;
  }

  testing::NoteStore notes_;
};

TEST_F(ListWithinTest, APageEndsWithTheRecordThatReachesTheBound) {
  EXPECT_THAT(Pages(100, 1), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Pages(100, 1500), ElementsAre("ab", "c"));
}

TEST_F(ListWithinTest, WhatFitsIsOnePage) {
  EXPECT_THAT(Pages(100, 10'000), ElementsAre("abc"));
  EXPECT_THAT(Pages(100, 3000), ElementsAre("abc"));
}

TEST_F(ListWithinTest, TheNumberOfRecordsIsBoundedToo) {
  EXPECT_THAT(Pages(2, 10'000), ElementsAre("ab", "c"));
}

}  // namespace
}  // namespace atrium::store

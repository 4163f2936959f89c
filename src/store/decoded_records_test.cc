// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/decoded_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/testing.h"
#include "store/notes_testing.h"

namespace atrium::store {
namespace {

using testing::Note;

std::string DocumentOf(const std::string& title) {
  return EncodeRecord(Note{.id = "1", .title = title});
}

TEST(DecodedRecordsTest, EqualDocumentsAreEqualRecordsOfAnyVersion) {
  DecodedRecords<Note> decoded;
  for (std::uint64_t version = 1; version < 4; ++version) {
    const auto note = decoded.Decode(DocumentOf("tea"), {version});
    ASSERT_TRUE(note);
    EXPECT_EQ(note->record.title, "tea");
    EXPECT_EQ(note->version, Version{version});
  }
}

TEST(DecodedRecordsTest, AnotherDocumentIsNeverTakenForOneBefore) {
  DecodedRecords<Note> decoded;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 5000; ++i) {
      const auto note = decoded.Decode(DocumentOf(std::to_string(i)), {1});
      ASSERT_TRUE(note);
      ASSERT_EQ(note->record.title, std::to_string(i));
    }
  }
}

TEST(DecodedRecordsTest, KeepsMembersItDoesNotKnowAndRefusesWhatIsNoRecord) {
  DecodedRecords<Note> decoded;
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(decoded.Decode(R"({"id":"1","later":7})", {1})->unknown, R"("later":7)");
    EXPECT_FALSE(decoded.Decode(R"({"id":1})", {1}));
  }
}

}  // namespace
}  // namespace atrium::store

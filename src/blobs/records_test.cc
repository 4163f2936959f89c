// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>

#include "base/hex.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "base/testing.h"
#include "base/uuid.h"
#include "blobs/blobs_testing.h"
#include "blobs/keys.h"
#include "store/record.h"

namespace atrium::blobs {
namespace {

using ::testing::HasSubstr;

/// The document is written like this, read back, and shown in docs/formats/blobs.md.
template <typename Record>
void ExpectGolden(const Record& record, const std::string& document) {
  EXPECT_EQ(store::EncodeRecord(record), document);
  const auto read = store::DecodeRecord<Record>(document, {});
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ(store::EncodeRecord(read->record), document);
  const std::filesystem::path source = ATRIUM_SOURCE_DIR;
  EXPECT_THAT(ReadFile(source / "docs" / "formats" / "blobs.md"),
              HasSubstr("\n" + document + "\n"));
}

TEST(Records, HaveTheseDocuments) {
  ExpectGolden(Place{.pack = 1763246040123, .at = 64, .bytes = 3},
               R"({"pack":1763246040123,"at":64,"bytes":3})");
  ExpectGolden(Place{.pack = 1763246040123, .at = 131, .bytes = 8388608, .own = true},
               R"({"pack":1763246040123,"at":131,"bytes":8388608,"own":true})");
  ExpectGolden(
      PackFacts{.indexed = 4096, .replay_from = 131, .live = 12, .live_bytes = 3000},
      R"({"sealed":false,"emptied":false,"end":0,"indexed":4096,"replay_from":131,"live":12,"live_bytes":3000})");
  ExpectGolden(OwnFileFacts{.count = 1, .bytes = 8388608}, R"({"count":1,"bytes":8388608})");
  ExpectGolden(FolderFacts{.id = Uuid::Parse("0195f2a0-1111-4222-8333-444455556666").value()},
               R"({"id":"0195f2a0-1111-4222-8333-444455556666"})");
}

TEST(Keys, HaveTheseBytes) {
  const BlobId id = BlobId::Of("abc");
  EXPECT_EQ(EncodeHex(PlaceKey(id).partition), "ba");
  EXPECT_EQ(EncodeHex(PlaceKey(id).sort), id.Render());
  EXPECT_EQ(PackKey(0x0102).partition, "local");
  EXPECT_EQ(EncodeHex(PackKey(0x0102).sort), EncodeHex("pack") + "0000000000000102");
  EXPECT_EQ(OwnFilesKey().sort, "own");
  EXPECT_EQ(FolderKey().sort, "folder");
}

TEST(Keys, AreReadBack) {
  const BlobId id = BlobId::Of("abc");
  EXPECT_EQ(BlobOf(PlaceKey(id)), id);
  EXPECT_EQ(BlobOf({.partition = "x", .sort = id.Bytes()}), std::nullopt);
  EXPECT_EQ(BlobOf({.partition = "x", .sort = "x"}), std::nullopt);
  EXPECT_EQ(PackOf(PackKey(7).sort), 7U);
  EXPECT_EQ(PackOf(FolderKey().sort), std::nullopt);
  EXPECT_EQ(PackOf("pack"), std::nullopt);
}

}  // namespace
}  // namespace atrium::blobs

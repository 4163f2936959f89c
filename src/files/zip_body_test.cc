// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/zip_body.h"

#include <archive.h>
#include <archive_entry.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/testing.h"
#include "files/file_writer.h"
#include "files/room_testing.h"
#include "files/tree.h"

namespace atrium::files {
namespace {

using testing::Noise;

class ZipBodyTest : public testing::RoomTest {
 protected:
  Dirent File(std::string_view name, std::string_view bytes, std::uint32_t mode = kFileMode) {
    FileWriter writer(*content_, library_, nullptr);
    EXPECT_THAT(writer.Write({}, bytes), IsOk());
    auto file = writer.Finish({});
    EXPECT_THAT(file, IsOk());
    return {.id = *objects_.Write(*file),
            .mode = mode,
            .mtime = 1'800'000'000,
            .name = std::string(name),
            .size = file->size};
  }
  Dirent Folder(std::string_view name, std::vector<Dirent> entries) {
    const auto directory = Directory::Make(std::move(entries));
    EXPECT_THAT(directory, IsOk());
    return {.id = *objects_.Write(*directory), .mode = kDirectoryMode, .name = std::string(name)};
  }
  Result<std::string> Zip(const ObjectId& folder) {
    EXPECT_THAT(content_->PutObjects({}, library_, objects_.Objects()), IsOk());
    ZipBody body(*content_, {.library = library_, .folder = folder});
    std::string all;
    while (true) {
      ASSIGN_OR_RETURN(const auto piece, body.Next());
      if (!piece) {
        return all;
      }
      all += *piece;
    }
  }

  const LibraryId library_{ids_.NewUuid()};
  CollectedObjects objects_;
};

/// Names with content, as the library that made the archive reads it back from its end.
std::map<std::string, std::string> Unpacked(const std::string& zip) {
  std::map<std::string, std::string> found;
  struct archive* reader = ::archive_read_new();
  ::archive_read_support_format_zip_seekable(reader);
  EXPECT_EQ(::archive_read_open_memory(reader, zip.data(), zip.size()), ARCHIVE_OK);
  archive_entry* entry = nullptr;
  while (::archive_read_next_header(reader, &entry) == ARCHIVE_OK) {
    std::string content(static_cast<std::size_t>(::archive_entry_size(entry)), '\0');
    EXPECT_EQ(::archive_read_data(reader, content.data(), content.size()),
              static_cast<la_ssize_t>(content.size()));
    const char* name = ::archive_entry_pathname_utf8(entry);
    found[name != nullptr ? name : ::archive_entry_pathname(entry)] = content;
  }
  ::archive_read_free(reader);
  return found;
}

TEST_F(ZipBodyTest, FoldersFilesAndNamesAreAllThere) {
  const std::string large = Noise(7'000'000);
  const Dirent root =
      Folder("", {File("a.txt", "hello"), File("empty", ""), Folder("nothing", {}),
                  Folder("one", {File("run", "#!", kExecutableMode), File("large", large)})});
  const auto zip = Zip(root.id);
  ASSERT_THAT(zip, IsOk());
  const auto found = Unpacked(*zip);
  EXPECT_EQ(found.size(), 6U);
  EXPECT_EQ(found.at("a.txt"), "hello");
  EXPECT_EQ(found.at("empty"), "");
  EXPECT_TRUE(found.contains("nothing/"));
  EXPECT_EQ(found.at("one/run"), "#!");
  EXPECT_TRUE(found.at("one/large") == large);
}

TEST_F(ZipBodyTest, NamesAreMarkedAsUtf8) {
  const auto zip = Zip(Folder("", {File("Zähne 🦷", "x")}).id);
  ASSERT_THAT(zip, IsOk());
  ASSERT_TRUE(zip->starts_with("PK\x03\x04"));
  constexpr std::size_t kFlagsAt = 6;
  constexpr unsigned kUtf8Flag = 0x08;
  EXPECT_TRUE(static_cast<unsigned char>((*zip)[kFlagsAt + 1]) & kUtf8Flag);
  EXPECT_TRUE(zip->contains("Zähne 🦷"));
}

TEST_F(ZipBodyTest, AnEmptyFolderIsAnEmptyArchive) {
  const auto zip = Zip(ObjectId());
  ASSERT_THAT(zip, IsOk());
  EXPECT_TRUE(zip->starts_with("PK\x05\x06"));
}

TEST_F(ZipBodyTest, WhatCannotBeReadBreaksOff) {
  Dirent lost = File("lost", "hello");
  lost.id = ObjectIdOf("never stored");
  EXPECT_FALSE(Zip(Folder("", {File("a", "a"), lost}).id).has_value());
  Dirent longer = File("longer", "hello");
  longer.size = 6;
  EXPECT_FALSE(Zip(Folder("", {longer}).id).has_value());
}

}  // namespace
}  // namespace atrium::files

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/tree_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/testing.h"
#include "files/heads_testing.h"
#include "files/keys.h"
#include "files/library_cipher.h"

namespace atrium::files {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using testing::Files;
using testing::HeadsTest;
using ::testing::IsEmpty;
using ::testing::Pair;

class TreeExportTest : public HeadsTest {
 protected:
  Result<ExportedTree> Export(TreeToExport wanted) {
    wanted.library = id_;
    if (wanted.folder.empty()) {
      wanted.folder = out_;
    }
    return ExportTree(Ground(), *content_, wanted, {});
  }
  Files Written() const {
    Files files;
    for (const auto& entry : fs::recursive_directory_iterator(out_)) {
      if (entry.is_regular_file()) {
        std::ifstream file(entry.path(), std::ios::binary);
        files[fs::relative(entry.path(), out_).string()] =
            std::string(std::istreambuf_iterator<char>(file), {});
      }
    }
    return files;
  }

  const fs::path out_ = folder_.Path() / "out";
};

TEST_F(TreeExportTest, FoldersAndFilesAreWrittenAsTheyAre) {
  const auto nest = [](ObjectReader& /*reader*/, ObjectWriter& writer,
                       const Library& /*library*/) -> Result<Change> {
    Dirent run = EntryOf("run", "alto", writer);
    run.mode = kExecutableMode;
    run.mtime = 1'700'000'000;
    ASSIGN_OR_RETURN(const Directory inner, Directory::Make({run, EntryOf("empty", "", writer)}));
    ASSIGN_OR_RETURN(const ObjectId inner_id, writer.Write(inner));
    ASSIGN_OR_RETURN(
        const Directory root,
        Directory::Make({{.id = inner_id, .mode = kDirectoryMode, .name = "inner"},
                         {.id = ObjectId(), .mode = kDirectoryMode, .name = "nothing"}}));
    ASSIGN_OR_RETURN(const ObjectId root_id, writer.Write(root));
    return Change{.root = root_id, .description = "Added."};
  };
  PutBlocks({{"run", "alto"}});
  ASSERT_THAT(heads_.Apply({}, author_, id_, nest), IsOk());
  const auto done = Export({});
  ASSERT_THAT(done, IsOk());
  EXPECT_EQ(done->folders, 2U);
  EXPECT_EQ(done->files, 2U);
  EXPECT_EQ(done->bytes, 4U);
  EXPECT_EQ(done->name, "Scores");
  EXPECT_THAT(Written(), ElementsAre(Pair("inner/empty", ""), Pair("inner/run", "alto")));
  EXPECT_TRUE(fs::is_empty(out_ / "nothing"));
  EXPECT_NE(fs::status(out_ / "inner/run").permissions() & fs::perms::owner_exec, fs::perms::none);
  EXPECT_EQ(fs::status(out_ / "inner/empty").permissions() & fs::perms::owner_exec,
            fs::perms::none);
  const auto time = fs::last_write_time(out_ / "inner/run");
  EXPECT_EQ(std::chrono::file_clock::to_sys(time).time_since_epoch() / std::chrono::seconds(1),
            1'700'000'000);
}

TEST_F(TreeExportTest, AnEarlierStateIsThereToo) {
  ASSERT_THAT(Publish(Now(), {{"a", "first"}}), IsOk());
  const CommitId first = Now().head;
  ASSERT_THAT(Publish(Now(), {{"a", "second"}}, "Changed."), IsOk());
  ASSERT_THAT(Export({.commit = first}), IsOk());
  EXPECT_THAT(Written(), ElementsAre(Pair("a", "first")));
  EXPECT_THAT(Export({.commit = CommitId::Parse(std::string(40, '7')).value()}),
              FailsWith(ErrorCode::kNotFound));
}

TEST_F(TreeExportTest, NothingThatIsThereIsTouched) {
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}}), IsOk());
  fs::create_directories(out_);
  std::ofstream(out_ / "b") << "bass";
  EXPECT_THAT(Export({}), FailsWith(ErrorCode::kAlreadyExists));
  EXPECT_THAT(Written(), ElementsAre(Pair("b", "bass")));
}

TEST_F(TreeExportTest, DamagedFilesAreToldAndTheOthersWritten) {
  ASSERT_THAT(Publish(Now(), {{"a", "alto"}, {"b", "bass"}}), IsOk());
  store::WriteSet erase{
      {store::Erase{.table = &kBlockTable, .key = BlockKey(id_, BlockIdOf("alto"))}}};
  ASSERT_THAT(store_.Commit({}, std::move(erase)), IsOk());
  const auto done = Export({});
  ASSERT_THAT(done, IsOk());
  EXPECT_THAT(done->damaged, ElementsAre("/a"));
  EXPECT_THAT(Written(), ElementsAre(Pair("b", "bass")));
}

TEST_F(TreeExportTest, AnEncryptedLibraryNeedsItsPassword) {
  const LibraryLock lock = MakeLibraryLock(id_, "secret").value();
  auto stored = store::Load(store_, {}, Libraries(), LibraryRowKey(id_)).value();
  Library locked = stored.record;
  locked.lock = lock;
  store::Batch batch;
  batch.Replace(Libraries(), stored, locked);
  ASSERT_THAT(store_.Commit({}, std::move(batch)), IsOk());
  const std::string encrypted = UnlockLibrary(lock, id_, "secret").value().EncryptBlock("alto");
  ASSERT_THAT(content_->PutBlock({}, id_, BlockIdOf(encrypted), encrypted), IsOk());
  const auto add = [&](ObjectReader& /*reader*/, ObjectWriter& writer,
                       const Library& /*library*/) -> Result<Change> {
    ASSIGN_OR_RETURN(const ObjectId file,
                     writer.Write(FileObject{.blocks = {BlockIdOf(encrypted)}, .size = 4}));
    ASSIGN_OR_RETURN(const Directory root,
                     Directory::Make({{.id = file, .name = "a", .modifier = "ann", .size = 4}}));
    ASSIGN_OR_RETURN(const ObjectId root_id, writer.Write(root));
    return Change{.root = root_id, .description = "Added."};
  };
  ASSERT_THAT(heads_.Apply({}, author_, id_, add), IsOk());
  EXPECT_THAT(Export({}), FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_THAT(Export({.password = "guess"}), FailsWith(ErrorCode::kPermissionDenied));
  EXPECT_FALSE(fs::exists(out_));
  ASSERT_THAT(Export({.password = "secret"}), IsOk());
  EXPECT_THAT(Written(), ElementsAre(Pair("a", "alto")));
}

}  // namespace
}  // namespace atrium::files

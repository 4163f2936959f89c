// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/commit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/id_source.h"
#include "base/result.h"
#include "base/testing.h"

namespace atrium::files {
namespace {

constexpr std::string_view kLibrary = "5f1e2d3c-4b5a-4978-8695-a4b3c2d1e0ff";

std::string HexOf(char digit, std::size_t digits = 40) {
  return std::string(digits, digit);
}

/// What a real client sends.
std::string ClientText() {
  return R"({"commit_id": ")" + HexOf('c') + R"(", "root_id": ")" + HexOf('d') +
         R"(", "repo_id": ")" + std::string(kLibrary) +
         R"(", "creator_name": "alice@example.com", "creator": ")" + HexOf('4') +
         R"(", "description": "Added or modified \"n.txt\" and 2 more files.\n", "ctime": 1794771916, )"
         R"("parent_id": ")" +
         HexOf('b') +
         R"(", "second_parent_id": null, "repo_name": "demo", "repo_desc": "", )"
         R"("repo_category": null, "device_name": "unknown", "client_version": "8.0.10", )"
         R"("no_local_history": 1, "version": 1})";
}

/// The text of a client with one piece of it replaced.
std::string ClientTextWith(std::string_view piece, std::string_view replacement) {
  std::string text = ClientText();
  return text.replace(text.find(piece), piece.size(), replacement);
}

LibraryLock SomeLock(int version) {
  return {.version = version,
          .magic = HexOf('1', 64),
          .random_key = HexOf('2', 96),
          .salt = version >= 3 ? HexOf('3', 64) : ""};
}

TEST(CommitTest, TheIdOfARealClientIsReproduced) {
  const Commit commit{.root = ObjectId::Parse("897b65285c4c46db99a7d660bdf40b0b273bbb0e").value(),
                      .creator_name = "alice@example.com",
                      .creator = "a49cf155bd21e6a0f567c56cb965c75cf826dc2f",
                      .description = "Added or modified \"nëw.txt\" and 1 more files.\n",
                      .ctime = 1794772615};
  EXPECT_EQ(ClientCommitIdOf(commit).Render(), "c6f6629bcd75d79ddfa25156a0d5224aa1218890");
}

TEST(CommitTest, TheTextOfAClientIsReadAndRenderedByteForByte) {
  const Result<Commit> commit = ParseCommit(ClientText());
  ASSERT_THAT(commit, IsOk());
  EXPECT_EQ(commit->id.Render(), HexOf('c'));
  EXPECT_EQ(commit->root.Render(), HexOf('d'));
  EXPECT_EQ(commit->library.Render(), kLibrary);
  EXPECT_EQ(commit->creator_name, "alice@example.com");
  EXPECT_EQ(commit->creator, HexOf('4'));
  EXPECT_EQ(commit->description, "Added or modified \"n.txt\" and 2 more files.\n");
  EXPECT_EQ(commit->ctime, 1794771916);
  EXPECT_EQ(commit->parent, CommitId::Parse(HexOf('b')).value());
  EXPECT_EQ(commit->second_parent, std::nullopt);
  EXPECT_EQ(commit->library_name, "demo");
  EXPECT_EQ(commit->client_version, "8.0.10");
  EXPECT_EQ(commit->lock, std::nullopt);
  EXPECT_EQ(Render(*commit), ClientText());
}

TEST(CommitTest, WhatIsMadeHereReadsBack) {
  for (const int version : {2, 3, 4}) {
    Commit commit{.id = CommitId::Parse(HexOf('a')).value(),
                  .library = LibraryId::Parse(kLibrary).value(),
                  .creator_name = "bob@example.com",
                  .description = "Auto merge by system",
                  .ctime = -1,
                  .parent = CommitId::Parse(HexOf('b')).value(),
                  .second_parent = CommitId::Parse(HexOf('c')).value(),
                  .library_name = "Fotos \"2026\"\t",
                  .lock = SomeLock(version),
                  .new_merge = true,
                  .conflict = true,
                  .repaired = true};
    EXPECT_THAT(ParseCommit(Render(commit)), Holds(commit));
  }
}

TEST(CommitTest, AFirstCommitHasNoParentAndMayHaveAnEmptyRoot) {
  const Commit commit{.library = LibraryId::Parse(kLibrary).value(),
                      .description = "Created library"};
  EXPECT_THAT(Render(commit), testing::HasSubstr(R"("parent_id": null)"));
  EXPECT_THAT(Render(commit), testing::HasSubstr(R"("root_id": ")" + HexOf('0')));
  EXPECT_THAT(ParseCommit(Render(commit)), Holds(commit));
}

TEST(CommitTest, UnknownKeysAndLeftOutOnesAreNoMatter) {
  EXPECT_THAT(ParseCommit(ClientTextWith(R"("repo_category": null)", R"("repo_sound": [1.5])")),
              IsOk());
  EXPECT_THAT(ParseCommit(ClientTextWith(R"("device_name": "unknown", )", "")), IsOk());
  EXPECT_THAT(ParseCommit(ClientTextWith(R"("second_parent_id": null, )", "")), IsOk());
}

TEST(CommitTest, WhatClientsRefuseIsRefused) {
  const auto refused = [](std::string_view piece, std::string_view replacement,
                          const std::string& why) {
    EXPECT_THAT(ParseCommit(ClientTextWith(piece, replacement)),
                FailsSaying(ErrorCode::kInvalidArgument, why));
  };
  refused(HexOf('c'), HexOf('C'), "/commit_id");
  refused(HexOf('d'), "", "/root_id");
  refused(HexOf('b'), "b", "/parent_id");
  refused(kLibrary, "1234", "/repo_id");
  refused(HexOf('4'), HexOf('4', 39), "/creator: expected 40 characters");
  refused("1794771916", "\"now\"", "/ctime");
  refused("\"version\": 1", "\"version\": 0", "/version: expected 1");
  refused(", \"version\": 1", "", "/version");
  refused("\"demo\"", "7", "/repo_name");
  refused("\"no_local", "\"encrypted\": \"yes\", \"no_local", "/encrypted");
  refused("\"no_local", "\"encrypted\": \"true\", \"no_local", "enc_version");
  refused("{", "", "line 1");
}

TEST(CommitTest, FieldsOfEncryptionMustHaveTheirLengths) {
  EXPECT_THAT(CheckLibraryLock(SomeLock(2)), IsOk());
  EXPECT_THAT(CheckLibraryLock(SomeLock(4)), IsOk());
  const auto refused = [](const LibraryLock& lock, const std::string& field) {
    EXPECT_THAT(CheckLibraryLock(lock), FailsSaying(ErrorCode::kInvalidArgument, field + ": "));
  };
  LibraryLock lock = SomeLock(2);
  lock.magic.pop_back();
  refused(lock, "magic");
  lock = SomeLock(2);
  lock.random_key.back() = 'G';
  refused(lock, "random_key");
  lock = SomeLock(2);
  lock.salt = HexOf('3', 64);
  refused(lock, "salt");
  lock = SomeLock(3);
  lock.salt.clear();
  refused(lock, "salt");
  lock = SomeLock(2);
  lock.version = 1;
  refused(lock, "enc_version");
  lock.version = 5;
  refused(lock, "enc_version");
}

TEST(CommitTest, ACommitThatIsTooLongIsRefused) {
  EXPECT_THAT(ParseCommit(ClientTextWith("demo", std::string(kCommitBytesMax, 'x'))),
              FailsWith(ErrorCode::kLimitExceeded));
}

TEST(CommitTest, FreshIdsDifferWhereThoseOfClientsDoNot) {
  FixedIdSource ids;
  const Commit commit = ParseCommit(ClientText()).value();
  const Uuid nonce = ids.NewUuid();
  Commit other = commit;
  other.parent = CommitId::Parse(HexOf('e')).value();
  EXPECT_EQ(ClientCommitIdOf(commit), ClientCommitIdOf(other));
  EXPECT_NE(FreshCommitIdOf(commit, nonce), FreshCommitIdOf(other, nonce));
  EXPECT_NE(FreshCommitIdOf(commit, nonce), FreshCommitIdOf(commit, ids.NewUuid()));
  EXPECT_EQ(FreshCommitIdOf(commit, nonce), FreshCommitIdOf(commit, nonce));
}

}  // namespace
}  // namespace atrium::files

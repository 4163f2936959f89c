// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/operation_links.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>

#include "base/testing.h"
#include "files/room_testing.h"

namespace atrium::files {
namespace {

TreePath Path(std::string_view text) {
  return TreePath::Parse(text).value_or(TreePath());
}

class OperationLinksTest : public testing::RoomTest {
 protected:
  std::string Upload(std::string_view folder) {
    return links_.ForUpload(ann_, library_, LinkPurpose::kUpload, Path(folder));
  }

  const LibraryId library_{ids_.NewUuid()};
  const ObjectId object_ = ObjectIdOf("something");
  OperationLinks links_{clock_, people_, SecretKey{}};
};

TEST_F(OperationLinksTest, ALinkSaysWhatItIsFor) {
  const auto file =
      links_.Open({}, links_.ForFile(ann_, library_, object_), LinkPurpose::kDownload);
  ASSERT_THAT(file, IsOk());
  EXPECT_EQ(file->person.id, ann_.id);
  EXPECT_EQ(file->link.library, library_);
  EXPECT_EQ(file->link.object, object_);
  const auto folder =
      links_.Open({}, links_.ForFolder(ann_, library_, object_, "one.zip"), LinkPurpose::kZip);
  ASSERT_THAT(folder, IsOk());
  EXPECT_EQ(folder->link.name, "one.zip");
}

TEST_F(OperationLinksTest, ALinkIsForNothingElse) {
  const std::string token = links_.ForFile(ann_, library_, object_);
  for (const LinkPurpose purpose :
       {LinkPurpose::kUpload, LinkPurpose::kUpdate, LinkPurpose::kZip}) {
    EXPECT_THAT(links_.Open({}, token, purpose), FailsWith(ErrorCode::kUnauthenticated));
  }
}

TEST_F(OperationLinksTest, WhatWasAlteredOpensNothing) {
  const std::string token = Upload("/");
  for (std::size_t i = 0; i < token.size(); ++i) {
    std::string altered = token;
    altered[i] = altered[i] == 'A' ? 'B' : 'A';
    EXPECT_THAT(links_.Open({}, altered, LinkPurpose::kUpload),
                FailsWith(ErrorCode::kUnauthenticated))
        << i;
    EXPECT_THAT(links_.Open({}, token.substr(0, i), LinkPurpose::kUpload),
                FailsWith(ErrorCode::kUnauthenticated));
  }
  SecretKey other{};
  other.front() = std::byte{1};
  EXPECT_THAT(OperationLinks(clock_, people_, other).Open({}, token, LinkPurpose::kUpload),
              FailsWith(ErrorCode::kUnauthenticated));
}

TEST_F(OperationLinksTest, ALinkEndsWithItsTime) {
  const std::string token = links_.ForFile(ann_, library_, object_);
  clock_.Advance(kDownloadLinkKept - std::chrono::milliseconds(1));
  EXPECT_THAT(links_.Open({}, token, LinkPurpose::kDownload), IsOk());
  clock_.Advance(std::chrono::milliseconds(1));
  EXPECT_THAT(links_.Open({}, token, LinkPurpose::kDownload),
              FailsWith(ErrorCode::kUnauthenticated));
}

TEST_F(OperationLinksTest, ALinkEndsWithTheCredentialsOfThePerson) {
  const std::string token = Upload("/");
  Person changed = ann_;
  changed.generation = ann_.generation + 1;
  people_.Change(changed);
  EXPECT_THAT(links_.Open({}, token, LinkPurpose::kUpload), FailsWith(ErrorCode::kUnauthenticated));
  changed = ann_;
  changed.is_active = false;
  people_.Change(changed);
  EXPECT_THAT(links_.Open({}, token, LinkPurpose::kUpload), FailsWith(ErrorCode::kUnauthenticated));
}

TEST_F(OperationLinksTest, ALinkEndsWithTheCredentialThatAskedForIt) {
  Person by_laptop = ann_;
  by_laptop.by = {.kind = api::Credential::kApiToken, .id = "laptop", .user = ann_.id};
  Person by_phone = ann_;
  by_phone.by = {.kind = api::Credential::kAppPassword, .id = "phone", .user = ann_.id};
  const std::string lost = links_.ForFile(by_laptop, library_, object_);
  const std::string kept = links_.ForFolder(by_phone, library_, object_, "one.zip");
  const auto opened = links_.Open({}, lost, LinkPurpose::kDownload);
  ASSERT_THAT(opened, IsOk());
  EXPECT_EQ(opened->person.by, by_laptop.by);
  const LinkWarrant warrant(links_, opened->link);
  EXPECT_THAT(warrant.StillHolds({}), IsOk());
  people_.End(by_laptop.by);
  EXPECT_THAT(links_.Open({}, lost, LinkPurpose::kDownload),
              FailsWith(ErrorCode::kUnauthenticated));
  EXPECT_THAT(warrant.StillHolds({}), FailsWith(ErrorCode::kUnauthenticated));
  const auto folder = links_.Open({}, kept, LinkPurpose::kZip);
  ASSERT_THAT(folder, IsOk());
  EXPECT_EQ(folder->link.name, "one.zip");
}

TEST_F(OperationLinksTest, UploadsStayInTheirFolder) {
  const auto holder = links_.Open({}, Upload("/one/two"), LinkPurpose::kUpload);
  ASSERT_THAT(holder, IsOk());
  EXPECT_TRUE(holder->link.Confines(Path("/one/two")));
  EXPECT_TRUE(holder->link.Confines(Path("/one/two/three/four")));
  for (const std::string_view outside : {"/", "/one", "/one/two2", "/two"}) {
    EXPECT_FALSE(holder->link.Confines(Path(outside))) << outside;
  }
  const auto everywhere = links_.Open({}, Upload("/"), LinkPurpose::kUpload);
  ASSERT_THAT(everywhere, IsOk());
  EXPECT_TRUE(everywhere->link.Confines(Path("/any/where")));
}

}  // namespace
}  // namespace atrium::files

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/photos.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

#include "base/base64.h"
#include "base/testing.h"
#include "identity/room_testing.h"

namespace atrium::identity {
namespace {

using ::testing::Field;
using namespace std::string_literals;

/// Only what comes before the pixels: 256 by 256.
std::string Portrait(const std::string& pixels = "") {
  return "\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR\0\0\1\0\0\0\1\0\x08\x02\0\0\0"s + pixels;
}

class PhotosTest : public testing::RoomTest {
 protected:
  Result<store::Stored<User>> Put(const store::Stored<User>& user, const std::string& bytes) {
    return room_.photos.Put({}, ActorFor(user.record), Reload(user), bytes);
  }
  std::optional<UserPhoto> PhotoOf(const store::Stored<User>& user) {
    const auto found = room_.photos.Find({}, user.record.id).value();
    return found ? std::optional(found->record) : std::nullopt;
  }
};

TEST_F(PhotosTest, APhotoIsKeptWithItsVersionInTheRecordOfThePerson) {
  EXPECT_EQ(ann_.record.photo, std::nullopt);
  EXPECT_EQ(PhotoOf(ann_), std::nullopt);
  EXPECT_EQ(CommitsOf([&](const store::OpContext& op) {
              return room_.photos.Put(op, ActorFor(ann_.record), ann_, Portrait());
            }),
            1U);
  const UserPhoto photo = PhotoOf(ann_).value();
  EXPECT_EQ(DecodeBase64(photo.content).value(), Portrait());
  EXPECT_EQ(photo.type, PictureType::kPng);
  EXPECT_EQ(photo.version.size(), 16U);
  EXPECT_EQ(Reload(ann_).record.photo, photo.version);
  EXPECT_THAT(LastLine(), Field(&AuditLine::action, "photo.changed"));
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(PhotosTest, AnotherPhotoTakesItsPlace) {
  const auto before = Put(ann_, Portrait("a")).value();
  const auto after = Put(ann_, Portrait("b")).value();
  EXPECT_NE(after.record.photo, before.record.photo);
  EXPECT_EQ(Reload(ann_).version, after.version);
  EXPECT_EQ(DecodeBase64(PhotoOf(ann_).value().content).value(), Portrait("b"));
  EXPECT_EQ(CountRows(kPhotoTable), 1U);
}

TEST_F(PhotosTest, TheSamePhotoAgainChangesNothing) {
  const auto once = Put(ann_, Portrait()).value();
  EXPECT_EQ(CommitsOf([&](const store::OpContext& op) {
              return room_.photos.Put(op, ActorFor(ann_.record), once, Portrait());
            }),
            0U);
}

TEST_F(PhotosTest, WhatIsRemovedIsGone) {
  ASSERT_THAT(Put(ann_, Portrait()), IsOk());
  ASSERT_THAT(room_.photos.Remove({}, ActorFor(ann_.record), Reload(ann_)), IsOk());
  EXPECT_EQ(PhotoOf(ann_), std::nullopt);
  EXPECT_EQ(Reload(ann_).record.photo, std::nullopt);
  EXPECT_THAT(LastLine(), Field(&AuditLine::action, "photo.removed"));
  EXPECT_THAT(room_.photos.Remove({}, ActorFor(ann_.record), Reload(ann_)), IsOk());
  EXPECT_EQ(Defects(), 0U);
}

TEST_F(PhotosTest, WhatIsTooLargeOrNoPictureIsRefused) {
  EXPECT_THAT(Put(ann_, Portrait(std::string(kPhotoBytesMax, 'a'))),
              FailsWith(ErrorCode::kLimitExceeded));
  std::string wide = Portrait();
  wide[17] = '\x04';
  wide[18] = '\x04';
  wide[19] = '\x01';
  EXPECT_THAT(Put(ann_, wide), FailsWith(ErrorCode::kLimitExceeded));
  EXPECT_THAT(Put(ann_, "<svg/>"), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_EQ(CountRows(kPhotoTable), 0U);
}

TEST_F(PhotosTest, TheLargestPhotoFitsADocument) {
  const std::string head = Portrait();
  EXPECT_THAT(Put(ann_, Portrait(std::string(kPhotoBytesMax - head.size(), 'a'))), IsOk());
}

TEST_F(PhotosTest, SomebodyWhoLeavesTakesTheirPhotoAlong) {
  // With as many rows as one commit ever erases: a superadmin with accounts elsewhere.
  const auto bob = Change(AddBob(), {.role = Role::kSuperadmin});
  for (int i = 0; i < 5; ++i) {
    store::Batch batch;
    batch.Create(ExternalIdentities(), ExternalIdentity{.issuer = "https://id.example.net",
                                                        .subject = std::to_string(i),
                                                        .user = bob.record.id});
    ASSERT_THAT(store_.Commit({}, std::move(batch)), IsOk());
  }
  ASSERT_THAT(Put(bob, Portrait()), IsOk());
  ASSERT_THAT(room_.accounts.Erase({}, Operator(), Reload(bob)), IsOk());
  EXPECT_EQ(CountRows(kPhotoTable), 0U);
  EXPECT_EQ(CountRows(kExternalTable), 0U);
}

TEST_F(PhotosTest, APhotoForSomebodyWhoIsErasedMeanwhileIsNotKept) {
  const auto bob = AddBob();
  engine_.before_commits.emplace_back(
      [&] { EXPECT_THAT(room_.accounts.Erase({}, Operator(), bob), IsOk()); });
  EXPECT_THAT(Put(bob, Portrait()), FailsWith(ErrorCode::kConflict));
  EXPECT_EQ(CountRows(kPhotoTable), 0U);
}

}  // namespace
}  // namespace atrium::identity

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/photos.h"

#include <string>
#include <utility>

#include "base/base64.h"
#include "base/hash.h"
#include "base/hex.h"
#include "identity/keys.h"
#include "identity/picture.h"
#include "store/batch.h"

namespace atrium::identity {
namespace {

// Of the digest; enough to tell the photos of one person apart.
constexpr std::size_t kVersionDigits = 16;

Result<UserPhoto> Compose(const UserId& user, std::string_view bytes, Instant now) {
  if (bytes.size() > kPhotoBytesMax) {
    return Fail(ErrorCode::kLimitExceeded, "a photo has at most 40 KiB");
  }
  ASSIGN_OR_RETURN(const Picture picture, ReadPicture(bytes));
  if (picture.width > kPhotoSideMax || picture.height > kPhotoSideMax) {
    return Fail(ErrorCode::kLimitExceeded, "a photo has at most 1024 by 1024 pixels");
  }
  return UserPhoto{.user = user,
                   .version = EncodeHex(Sha256Of(bytes)).substr(0, kVersionDigits),
                   .type = picture.type,
                   .content = EncodeBase64(bytes),
                   .changed_at = now};
}

}  // namespace

Result<store::Stored<User>> Photos::Put(const store::OpContext& op, const Actor& actor,
                                        const store::Stored<User>& user, std::string_view bytes) {
  ASSIGN_OR_RETURN(const UserPhoto photo, Compose(user.record.id, bytes, ground_.clock.Now()));
  ASSIGN_OR_RETURN(const auto before, Find(op, user.record.id));
  if (before && before->record.content == photo.content) {
    return user;
  }
  store::Stored<User> changed = user;
  changed.record.photo = photo.version;
  store::Batch batch;
  batch.Replace(Users(), user, changed.record);
  if (before) {
    batch.Replace(UserPhotos(), *before, photo);
  } else {
    batch.Create(UserPhotos(), photo);
  }
  AddAudit(batch, actor, photo.changed_at,
           {.org = user.record.org, .action = "photo.changed", .target = TargetOf(user.record.id)});
  ASSIGN_OR_RETURN(const store::Receipt receipt, ground_.store.Commit(op, std::move(batch)));
  changed.version = receipt.version;
  return changed;
}

Result<void> Photos::Remove(const store::OpContext& op, const Actor& actor,
                            const store::Stored<User>& user) {
  ASSIGN_OR_RETURN(const auto before, Find(op, user.record.id));
  if (!before) {
    return {};
  }
  User changed = user.record;
  changed.photo.reset();
  store::Batch batch;
  batch.Replace(Users(), user, changed);
  batch.Erase(UserPhotos(), *before);
  AddAudit(batch, actor, ground_.clock.Now(),
           {.org = user.record.org, .action = "photo.removed", .target = TargetOf(user.record.id)});
  batch.SetAnswer({.status = 204});
  RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
  return {};
}

Result<std::optional<store::Stored<UserPhoto>>> Photos::Find(const store::OpContext& op,
                                                             const UserId& user) const {
  return store::Find(ground_.store, op, UserPhotos(), UserKeyOf(user));
}

}  // namespace atrium::identity

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "api/caller.h"
#include "base/base64.h"
#include "http/content_type.h"
#include "identity/identity.h"
#include "identity/picture.h"
#include "identity/route_parts.h"
#include "identity/routes.h"
#include "store/record.h"

namespace atrium::identity {
namespace {

using api::Call;
using http::Method;
using http::Reply;

constexpr std::array kTypes{PictureType::kPng, PictureType::kJpeg, PictureType::kWebp};

/// What it really is, the bytes tell; but a body that does not even claim to be one is no photo.
Result<void> ExpectPicture(const http::Request& request) {
  const auto header = request.headers.Find("Content-Type");
  const auto type = http::ParseContentType(header.value_or(""));
  const bool named = type && std::ranges::any_of(kTypes, [&](PictureType one) {
                       return type->Is(MediaTypeOf(one));
                     });
  if (!named) {
    return Fail(ErrorCode::kInvalidArgument, "Content-Type: image/png, image/jpeg or image/webp");
  }
  return {};
}

Result<Reply> PutPhoto(Identity& room, const Call& call) {
  RETURN_IF_ERROR(ExpectPicture(call.request));
  ASSIGN_OR_RETURN(const auto user, AccountFor(room, call));
  ASSIGN_OR_RETURN(const auto changed,
                   room.photos.Put(call.op, ActorOf(call.request), user, call.request.body));
  return Tagged(store::EncodeRecord(changed.record, changed.unknown), changed.version);
}

Result<Reply> RemovePhoto(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const auto user, AccountFor(room, call));
  RETURN_IF_ERROR(room.photos.Remove(call.op, ActorOf(call.request), user));
  return http::EmptyReply();
}

/// People of another organisation do not exist, whoever looks after them does.
bool MaySee(const api::Caller& caller, const User& user) {
  return caller.org == user.org || caller.role == Role::kSuperadmin;
}

Result<Reply> ShowPhoto(Identity& room, const Call& call, const UserId& id) {
  const auto user = room.accounts.Load(call.op, id);
  if (!user && user.error().code != ErrorCode::kNotFound) {
    return std::unexpected(user.error());
  }
  if (!user || !user->record.photo || !MaySee(api::CallerOf(call.request), user->record)) {
    return Fail(ErrorCode::kNotFound, "there is no photo");
  }
  ASSIGN_OR_RETURN(const auto photo, room.photos.Find(call.op, id));
  if (!photo) {
    return Fail(ErrorCode::kNotFound, "there is no photo");
  }
  ASSIGN_OR_RETURN(std::string bytes, DecodeBase64(photo->record.content));
  ASSIGN_OR_RETURN(const http::Form query, call.request.Query());
  Reply reply{.content_type = MediaTypeOf(photo->record.type), .body = std::move(bytes)};
  ASSIGN_OR_RETURN(reply.etag, http::ETag::Strong(photo->record.version));
  // Who names the version names bytes that never change.
  reply.cache_control = query.Find("v") == photo->record.version
                            ? "private, max-age=31536000, immutable"
                            : "private, no-cache";
  return reply;
}

}  // namespace

void AddPhotoRoutes(api::Api& api, Identity& room) {
  http::Route put =
      RouteOf(Method::kPut, "/api/me/photo", room.Rules().Self(), "Take a picture as one's photo");
  put.body_bytes_max = kPhotoBytesMax;
  api.Add(std::move(put), [&room](const Call& call) { return PutPhoto(room, call); });
  api.Add(RouteOf(Method::kDelete, "/api/me/photo", room.Rules().Self(), "Remove one's photo"),
          [&room](const Call& call) { return RemovePhoto(room, call); });
  api.Add(RouteOf(Method::kGet, "/api/users/{id}/photo", room.Rules().Member(api::Area::kAccount),
                  "The photo of somebody"),
          [&room](const Call& call, const UserId& id) { return ShowPhoto(room, call, id); });
}

}  // namespace atrium::identity

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "files/id_list.h"
#include "files/keys.h"
#include "files/object_body.h"
#include "files/object_intake.h"
#include "files/route_ids.h"
#include "files/routes.h"
#include "files/sync_parts.h"
#include "http/body.h"

namespace atrium::files {
namespace {

using api::Call;
using http::Method;
using http::Reply;

/// What pack-fs answers at once, and the one object that goes beyond; clients ask again for the
/// rest.
constexpr std::size_t kPackBytes = std::size_t{1} << 20;
constexpr std::string_view kPackType = "application/octet-stream";
/// One directory can be many megabytes, and comes whole.
constexpr std::size_t kIntakeBytesMax = std::size_t{256} << 20;

Result<CommitId> ReadCommit(std::string_view name, std::string_view text) {
  Result<CommitId> id = CommitId::Parse(text);
  return id ? id : Fail(ErrorCode::kInvalidArgument, std::string(name) + ": 40 digits of a commit");
}

/// What the client has. A client with a state that this server never had, because it was restored
/// from a backup, must not be told to go back: it would delete what is newer. One with a state that
/// is too old to be kept is told everything.
Result<ObjectId> RootOfClient(Room& room, const Call& call, const LibraryId& library,
                              const std::optional<std::string_view>& text) {
  if (!text) {
    return ObjectId();
  }
  ASSIGN_OR_RETURN(const CommitId id, ReadCommit("client-head", *text));
  ASSIGN_OR_RETURN(const auto state, room.heads.FindState(call.op, library, id));
  if (!state) {
    return Fail(ErrorCode::kRefusedByState,
                "client-head: a state that this server does not know; sync the folder anew");
  }
  return state->root.value_or(ObjectId());
}

Result<Reply> ListIds(Room& room, const Call& call, const LibraryId& library) {
  RETURN_IF_ERROR(ReaderOf(call.request));
  ASSIGN_OR_RETURN(const http::Form query, call.request.Query());
  ASSIGN_OR_RETURN(const CommitId wanted,
                   ReadCommit("server-head", query.Find("server-head").value_or("")));
  ASSIGN_OR_RETURN(const auto wants, room.content.FindCommit(call.op, library, wanted));
  if (!wants) {
    return Fail(ErrorCode::kNotFound, "server-head: there is no such commit");
  }
  ASSIGN_OR_RETURN(const ObjectId has,
                   RootOfClient(room, call, library, query.Find("client-head")));
  return Reply{.body = std::make_unique<IdList>(
                   room.content, WantedIds{.library = library,
                                           .has = has,
                                           .wants = wants->root,
                                           .folders_only = query.Find("dir-only") == "1"})};
}

Result<StoredObject> OpenObject(Room& room, const Call& call, const LibraryId& library,
                                const ObjectId& id) {
  ASSIGN_OR_RETURN(auto object, room.content.OpenObject(call.op, library, id));
  if (!object) {
    return Fail(ErrorCode::kNotFound, "there is no object " + id.Render());
  }
  return *std::move(object);
}

Result<Reply> PackObjects(Room& room, const Call& call, const LibraryId& library) {
  RETURN_IF_ERROR(ReaderOf(call.request));
  ASSIGN_OR_RETURN(const auto ids, ReadIds<ObjectId>(call.request.body));
  std::string pack;
  for (const ObjectId& id : ids) {
    ASSIGN_OR_RETURN(StoredObject object, OpenObject(room, call, library, id));
    AppendPackedHead(pack, id, object.bytes);
    if (pack.size() + object.bytes >= kPackBytes) {
      return Reply{
          .content_type = kPackType,
          .body = std::make_unique<PackBody>(room.content, std::move(pack), std::move(object))};
    }
    for (std::uint64_t piece = 0; piece < object.pieces; ++piece) {
      ASSIGN_OR_RETURN(const std::string more, room.content.ReadPiece(call.op, object, piece));
      pack += more;
    }
  }
  return Reply{.content_type = kPackType, .body = std::move(pack)};
}

Result<Reply> ShowObject(Room& room, const Call& call, const LibraryId& library,
                         const ObjectId& id) {
  RETURN_IF_ERROR(ReaderOf(call.request));
  ASSIGN_OR_RETURN(const StoredObject object, OpenObject(room, call, library, id));
  ASSIGN_OR_RETURN(http::Body text, ObjectText::Open(room.content, object));
  return Reply{.body = std::move(text)};
}

Result<Reply> CheckObjects(Room& room, const Call& call, const LibraryId& library) {
  RETURN_IF_ERROR(ReaderOf(call.request));
  ASSIGN_OR_RETURN(const auto ids, ReadIds<ObjectId>(call.request.body));
  std::vector<ObjectId> missing;
  for (const ObjectId& id : ids) {
    ASSIGN_OR_RETURN(const bool there, room.content.VouchesForObject(call.op, library, id));
    if (!there) {
      missing.push_back(id);
    }
  }
  return http::JsonReply(RenderIds(missing));
}

class IntakeSink final : public http::BodySink {
 public:
  IntakeSink(Content& content, const LibraryId& library, const api::Upload& upload)
      : upload_(upload), intake_(content, library, upload.request.memory) {}

  Result<void> Write(std::span<const std::byte> piece) override {
    return intake_.Write(upload_.Terms(), AsChars(piece));
  }
  Result<Reply> Finish() override {
    RETURN_IF_ERROR(intake_.Finish());
    return Done();
  }

 private:
  const api::Upload upload_;
  ObjectIntake intake_;
};

http::Route ObjectsRoute(const Room& room, std::string_view path, std::string summary) {
  http::Route route = SyncRoute(room, Method::kPost, path, std::move(summary));
  route.work = http::Work::kBlocking;
  route.body_bytes_max = kIdsBytesMax;
  return route;
}

}  // namespace

void AddSyncObjectRoutes(api::Api& api, Room& room) {
  http::Route list = SyncRoute(room, Method::kGet, "fs-id-list", "Which objects a client lacks");
  list.work = http::Work::kBlocking;
  list.rate = http::RateClass::kStandard;
  api.Add(list, [&room](const Call& call, const LibraryId& id) { return ListIds(room, call, id); });
  http::Route show = SyncRoute(room, Method::kGet, "fs/{object}", "An object as JSON");
  show.work = http::Work::kBlocking;
  api.Add(show, [&room](const Call& call, const LibraryId& library, const ObjectId& id) {
    return ShowObject(room, call, library, id);
  });
  api.Add(ObjectsRoute(room, "pack-fs", "Objects by their ids"),
          [&room](const Call& call, const LibraryId& id) { return PackObjects(room, call, id); });
  api.Add(ObjectsRoute(room, "check-fs", "Which objects are not here"),
          [&room](const Call& call, const LibraryId& id) { return CheckObjects(room, call, id); });
  http::Route take = ObjectsRoute(room, "recv-fs", "Takes objects");
  take.body_bytes_max = kIntakeBytesMax;
  api.AddUpload(take,
                [&room](const api::Upload& upload,
                        const LibraryId& library) -> Result<std::unique_ptr<http::BodySink>> {
                  RETURN_IF_ERROR(SyncWriterOf(upload.request));
                  return std::make_unique<IntakeSink>(room.content, library, upload);
                });
}

}  // namespace atrium::files

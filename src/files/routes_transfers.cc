// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "files/file_body.h"
#include "files/file_types.h"
#include "files/folder_reader.h"
#include "files/library_access.h"
#include "files/linked_upload.h"
#include "files/operation_links.h"
#include "files/route_parts.h"
#include "files/routes.h"
#include "files/zip_body.h"
#include "http/conditional.h"
#include "http/multipart_sink.h"
#include "http/path_params.h"
#include "http/range.h"

namespace atrium::files {
namespace {

using api::Call;
using api::RouteOf;
using http::Method;
using http::Reply;

/// What a form adds to the file in it.
constexpr std::size_t kFormBytes = std::size_t{16} << 20;
/// What a usual form adds.
constexpr std::int64_t kFormSlack = 16 << 10;

/// Browsers show such documents with a viewer of their own, which our pages put into a frame.
constexpr std::string_view kFramedType = "application/pdf";
constexpr std::string_view kFramedPolicy = "default-src 'none'; frame-ancestors 'self'";

/// Who follows a link, with what its library needs to be read or written.
struct Follower {
  LinkHolder holder{};
  std::shared_ptr<const LibraryKey> key{};
};

Result<Follower> Follow(Room& room, const store::OpContext& op, std::string_view token,
                        LinkPurpose purpose, Permission wanted) {
  ASSIGN_OR_RETURN(LinkHolder holder, room.links.Open(op, token, purpose));
  ASSIGN_OR_RETURN(const Entrance entrance,
                   Enter(room.ground.store, op, holder.person, holder.link.library, wanted));
  ASSIGN_OR_RETURN(auto key, room.unlocked.KeyFor(holder.person, entrance.library.record));
  return Follower{.holder = std::move(holder), .key = std::move(key)};
}

Result<std::optional<UploadPiece>> PieceOf(const http::Request& request) {
  const auto header = request.headers.Find("Content-Range");
  if (!header) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(const http::ContentRange range, http::ParseContentRange(*header));
  if (!range.size) {
    return Fail(ErrorCode::kInvalidArgument, "Content-Range: says how long the file is");
  }
  return UploadPiece{.first = range.part.first, .last = range.part.last, .total = *range.size};
}

using Sink = std::unique_ptr<http::BodySink>;

Result<Sink> Receive(Room& room, const api::Upload& upload, std::string_view token,
                     LinkPurpose purpose, bool wants_json) {
  ASSIGN_OR_RETURN(Follower follower,
                   Follow(room, upload.Terms(), token, purpose, Permission::kWrite));
  ASSIGN_OR_RETURN(const http::Form query, upload.request.Query());
  UploadOrder order{.holder = std::move(follower.holder),
                    .key = std::move(follower.key),
                    .wants_json = wants_json || query.Find("ret-json") == "1"};
  ASSIGN_OR_RETURN(order.piece, PieceOf(upload.request));
  LooseSpace::Hold announced;
  if (!order.piece) {
    // The form around the files does not count.
    ASSIGN_OR_RETURN(announced, room.loose.Announce(upload.Terms(), order.holder.link.library,
                                                    LengthOf(upload.request) - kFormSlack));
  }
  return http::MultipartSink::Open(
      upload.request,
      std::make_unique<LinkedUpload>(room, upload, std::move(order), std::move(announced)));
}

struct UploadPath {
  std::string path{};
  LinkPurpose purpose = LinkPurpose::kUpload;
  bool answers_json = false;
};

void AddUploadRoute(api::Api& api, Room& room, const http::AccessRule& anyone,
                    const UploadPath& path) {
  http::Route route = RouteOf(Method::kPost, path.path + "/{token}", anyone,
                              "Takes the files of a form, by a link that was asked for");
  route.body_bytes_max = static_cast<std::size_t>(kFileBytesMax) + kFormBytes;
  route.failure = &FailureReply;
  api.AddUpload(
      std::move(route),
      [&room, path](const api::Upload& upload, http::SecretSegment token) -> Result<Sink> {
        const std::string secret = std::move(token.text);
        return Receive(room, upload, secret, path.purpose, path.answers_json);
      });
}

/// What was asked for to be seen, and can do no harm, is shown.
Result<Reply> Download(Room& room, const Call& call, std::string_view token,
                       std::string_view name) {
  ASSIGN_OR_RETURN(const Follower follower,
                   Follow(room, call.op, token, LinkPurpose::kDownload, Permission::kRead));
  const OperationLink& link = follower.holder.link;
  ASSIGN_OR_RETURN(FileObject file, room.folders.ReadFile(call.op, link.library, link.object));
  ASSIGN_OR_RETURN(const http::Form query, call.request.Query());
  const FileType type = TypeOf(name);
  const bool is_shown = type.is_harmless && query.Find("op") == "view";
  Reply reply{.content_type = type.media_type};
  if (is_shown && type.media_type == kFramedType) {
    reply.content_security_policy = kFramedPolicy;
  }
  ASSIGN_OR_RETURN(reply.etag, http::ETag::Strong(link.object.Render()));
  reply.headers.emplace_back("Content-Disposition", DispositionOf(name, is_shown));
  ASSIGN_OR_RETURN(MemoryLease memory, FileBody::TakeMemory(room.content, file));
  reply.body = std::make_unique<FileBody>(room.content, link.library, std::move(file), follower.key,
                                          std::move(memory));
  return reply;
}

Result<Reply> DownloadZip(Room& room, const Call& call, std::string_view token) {
  ASSIGN_OR_RETURN(const Follower follower,
                   Follow(room, call.op, token, LinkPurpose::kZip, Permission::kRead));
  const OperationLink& link = follower.holder.link;
  Reply reply{.content_type = "application/zip"};
  reply.headers.emplace_back("Content-Disposition", DispositionOf(link.name, false));
  reply.body = std::make_unique<ZipBody>(
      room.content, ZipOrder{.library = link.library, .folder = link.object, .key = follower.key});
  return reply;
}

}  // namespace

void AddTransferRoutes(api::Api& api, Room& room, const http::AccessRule& anyone) {
  for (const UploadPath& path :
       {UploadPath{.path = "/seafhttp/upload-api"},
        UploadPath{.path = "/seafhttp/upload-aj", .answers_json = true},
        UploadPath{.path = "/seafhttp/update-api", .purpose = LinkPurpose::kUpdate},
        UploadPath{.path = "/seafhttp/update-aj",
                   .purpose = LinkPurpose::kUpdate,
                   .answers_json = true}}) {
    AddUploadRoute(api, room, anyone, path);
  }
  AddRoute(api,
           ReadingRoute("/seafhttp/files/{token}/{name...}", anyone,
                        "The content of a file, by a link that was asked for"),
           [&room](const Call& call, const http::SecretSegment& token, const http::RestOfPath& name)
               -> Result<Reply> { return Download(room, call, token.text, name.text); });
  AddRoute(api,
           ReadingRoute("/seafhttp/zip/{token}", anyone,
                        "Folders as an archive, by a link that was asked for"),
           [&room](const Call& call, const http::SecretSegment& token) -> Result<Reply> {
             return DownloadZip(room, call, token.text);
           });
}

}  // namespace atrium::files

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "base/json_text.h"
#include "base/memory_budget.h"
#include "files/block_writer.h"
#include "files/library_reader.h"
#include "files/object_body.h"
#include "files/route_ids.h"
#include "files/route_parts.h"
#include "files/routes.h"
#include "files/sync_parts.h"
#include "files/tree_memory.h"
#include "http/body.h"

namespace atrium::files {
namespace {

using api::Call;
using http::Method;
using http::Reply;

/// Clients make blocks of ten megabytes at most, unless they are told otherwise.
constexpr std::size_t kBlockBytesMax = std::size_t{64} << 20;
/// Up to here it is quicker to read a block than to hand out a file.
constexpr std::int64_t kReadBytesMax = 64 << 10;
/// What a block takes in a file and in the text that says how long it is.
constexpr std::size_t kMappedBlockBytes = 32;
/// A longer text counts until it is sent.
constexpr std::size_t kMapBytesAtOnce = std::size_t{1} << 20;

Result<BlockPlace> LoadPlace(Room& room, const Call& call, const LibraryId& library,
                             const BlockId& id) {
  ASSIGN_OR_RETURN(const auto place, room.content.FindBlock(call.op, library, id));
  if (!place) {
    return Fail(ErrorCode::kNotFound, "there is no such block");
  }
  return *place;
}

Result<Reply> ShowBlock(Room& room, const Call& call, const LibraryId& library, const BlockId& id) {
  RETURN_IF_ERROR(ReaderOf(call.request));
  ASSIGN_OR_RETURN(const BlockPlace place, LoadPlace(room, call, library, id));
  Reply reply{.content_type = "application/octet-stream"};
  if (place.bytes <= kReadBytesMax) {
    ASSIGN_OR_RETURN(reply.body, room.content.ReadBlock(call.op, place));
    return reply;
  }
  ASSIGN_OR_RETURN(const blobs::BlobSlice slice, room.content.OpenBlock(call.op, place));
  reply.body =
      http::FileSlice{.descriptor = slice.descriptor, .offset = slice.offset, .bytes = slice.bytes};
  return reply;
}

Result<Reply> CheckBlocks(Room& room, const Call& call, const LibraryId& library) {
  RETURN_IF_ERROR(ReaderOf(call.request));
  ASSIGN_OR_RETURN(const auto ids, ReadIds<BlockId>(call.request.body));
  ASSIGN_OR_RETURN(const auto missing, room.content.FindMissing(call.op, library, ids));
  return http::JsonReply(RenderIds(missing));
}

/// How long each block of a file is, so that a client can read from its middle.
Result<Reply> MapBlocks(Room& room, const Call& call, const LibraryId& library,
                        const ObjectId& id) {
  RETURN_IF_ERROR(ReaderOf(call.request));
  LibraryReader reader(room.content, call.op, library);
  ASSIGN_OR_RETURN(const FileObject file, reader.ReadFile(id));
  ASSIGN_OR_RETURN(MemoryLease memory, TakeForTree(room.content.MemoryForTrees(),
                                                   file.blocks.size() * kMappedBlockBytes));
  std::string sizes = "[";
  for (const BlockId& block : file.blocks) {
    ASSIGN_OR_RETURN(const BlockPlace place, LoadPlace(room, call, library, block));
    sizes += sizes.size() > 1 ? "," : "";
    AppendJsonNumber(sizes, place.bytes);
  }
  sizes += "]";
  if (sizes.size() <= kMapBytesAtOnce) {
    return http::JsonReply(std::move(sizes));
  }
  return Reply{.body = std::make_unique<HeldText>(std::move(sizes), std::move(memory))};
}

class BlockSink final : public http::BodySink {
 public:
  BlockSink(std::unique_ptr<BlockWriter> writer, const api::Upload& upload)
      : upload_(upload), writer_(std::move(writer)) {}

  Result<void> Write(std::span<const std::byte> piece) override {
    return writer_->Write(upload_.Terms(), AsChars(piece));
  }
  Result<Reply> Finish() override {
    RETURN_IF_ERROR(writer_->Finish(upload_.Terms()));
    return Done();
  }

 private:
  const api::Upload upload_;
  std::unique_ptr<BlockWriter> writer_;
};

}  // namespace

void AddSyncBlockRoutes(api::Api& api, Room& room) {
  api.Add(SyncRoute(room, Method::kGet, "block/{block}", "The bytes of a block"),
          [&room](const Call& call, const LibraryId& library, const BlockId& id) {
            return ShowBlock(room, call, library, id);
          });
  http::Route check = SyncRoute(room, Method::kPost, "check-blocks", "Which blocks are not here");
  check.work = http::Work::kBlocking;
  check.body_bytes_max = kIdsBytesMax;
  api.Add(check,
          [&room](const Call& call, const LibraryId& id) { return CheckBlocks(room, call, id); });
  http::Route map = SyncRoute(room, Method::kGet, "block-map/{file}", "How long its blocks are");
  map.work = http::Work::kBlocking;
  api.Add(map, [&room](const Call& call, const LibraryId& library, const ObjectId& id) {
    return MapBlocks(room, call, library, id);
  });
  http::Route take = SyncRoute(room, Method::kPut, "block/{block}", "Takes a block");
  take.work = http::Work::kBlocking;
  take.body_bytes_max = kBlockBytesMax;
  take.failure = &SyncFailureReply;
  api.AddUpload(
      take,
      [&room](const api::Upload& upload, const LibraryId& library,
              const BlockId& id) -> Result<std::unique_ptr<http::BodySink>> {
        RETURN_IF_ERROR(SyncWriterOf(upload.request));
        ASSIGN_OR_RETURN(LooseSpace::Hold space,
                         room.loose.Announce(upload.Terms(), library, LengthOf(upload.request)));
        ASSIGN_OR_RETURN(auto writer, room.content.BeginBlock(upload.Terms(), library, id));
        writer->Lend(std::move(space));
        return std::make_unique<BlockSink>(std::move(writer), upload);
      });
}

}  // namespace atrium::files

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/row_verification.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/bytes.h"
#include "base/error.h"
#include "files/commit.h"
#include "files/keys.h"
#include "files/packing.h"
#include "store/key_bytes.h"
#include "store/limits.h"
#include "store/record.h"

namespace atrium::files {
namespace {

std::string_view WordFor(ContentKind kind) {
  switch (kind) {
    case ContentKind::kCommit:
      return "commit";
    case ContentKind::kObject:
      return "object";
    case ContentKind::kBlock:
      return "block";
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

/// What stored bytes are at fault for; anything else is an error of the moment.
bool IsFault(const Error& error) {
  return error.code == ErrorCode::kCorrupt || error.code == ErrorCode::kNotFound ||
         error.code == ErrorCode::kInvalidArgument || error.code == ErrorCode::kLimitExceeded;
}

Result<std::string> FaultIn(Error error) {
  if (!IsFault(error)) {
    return std::unexpected(std::move(error));
  }
  return error.detail.empty() ? error.client_message : error.detail;
}

}  // namespace

Result<void> RowVerification::Run(Verification& seen, const std::stop_token& stop) {
  for (const ContentKind kind : kContentKinds) {
    for (int bucket = 0; bucket < kBuckets; ++bucket) {
      if (stop.stop_requested()) {
        return FailPrivately(ErrorCode::kUnavailable, "stopped before the end");
      }
      RETURN_IF_ERROR(VerifyBucket(kind, bucket, seen));
    }
  }
  return {};
}

Result<void> RowVerification::VerifyBucket(ContentKind kind, int bucket, Verification& seen) {
  const std::string partition = BucketOf(library_, bucket);
  store::ScanRequest request{
      .table = &TableOf(kind), .partition = partition, .limit = store::kScanRowsMax};
  do {
    std::vector<Sha1Id> ids;
    store::FunctionSink sink([&](const store::RowView& row) {
      if (row.key.sort.size() == sizeof(Sha1Id)) {
        ids.push_back(IdOfRow(row.key.sort));
      }
    });
    ASSIGN_OR_RETURN(store::ScanEnd end, parts_.store.Scan(op_, request, sink));
    for (const Sha1Id& id : ids) {
      RETURN_IF_ERROR(Verify(kind, id, seen));
    }
    request.after = std::move(end.resume);
  } while (request.after);
  return {};
}

Result<void> RowVerification::Verify(ContentKind kind, const Sha1Id& id, Verification& seen) {
  Result<std::string> fault;
  switch (kind) {
    case ContentKind::kCommit:
      ++seen.commits;
      fault = FaultOfCommit(CommitId(id));
      break;
    case ContentKind::kObject:
      ++seen.objects;
      fault = FaultOfObject(ObjectId(id));
      break;
    case ContentKind::kBlock:
      ++seen.blocks;
      fault = FaultOfBlock(BlockId(id), seen);
      break;
  }
  RETURN_IF_ERROR(fault);
  return fault->empty() ? Result<void>() : Tell(kind, id, *std::move(fault), seen);
}

Result<std::string> RowVerification::FaultOfCommit(const CommitId& id) const {
  ASSIGN_OR_RETURN(const auto text, parts_.content.FindCommitText(op_, library_, id));
  if (!text) {
    return std::string();
  }
  Result<Commit> commit = ParseCommit(*text);
  if (!commit) {
    return FaultIn(std::move(commit).error());
  }
  return std::string(commit->id == id && commit->library == library_ ? ""
                                                                     : "it is of another name");
}

Result<std::string> RowVerification::FaultOfObject(const ObjectId& id) const {
  Result<std::optional<std::string>> deflated = parts_.content.FindObject(op_, library_, id);
  if (!deflated) {
    return FaultIn(std::move(deflated).error());
  }
  if (!*deflated) {
    return std::string();
  }
  Result<VerifiedObject> verified = VerifyPacked({.id = id, .deflated = **deflated});
  return verified ? Result<std::string>() : FaultIn(std::move(verified).error());
}

Result<std::string> RowVerification::FaultOfBlock(const BlockId& id, Verification& seen) {
  Result<std::optional<BlockPlace>> place = parts_.content.FindBlock(op_, library_, id);
  if (!place) {
    return FaultIn(std::move(place).error());
  }
  if (!*place) {
    return std::string();
  }
  block_bytes_ += (*place)->bytes;
  Result<std::string> bytes = parts_.blobs.Read(op_, (*place)->blob);
  if (!bytes) {
    lost_.insert(id);
    return FaultIn(std::move(bytes).error());
  }
  seen.bytes += bytes->size();
  if (BlockIdOf(*bytes) != id || static_cast<std::int64_t>(bytes->size()) != (*place)->bytes) {
    lost_.insert(id);
    return std::string("its row names other bytes");
  }
  return std::string();
}

Result<void> RowVerification::Tell(ContentKind kind, const Sha1Id& id, std::string fault,
                                   Verification& seen) {
  // A block whose bytes are lost keeps its row: whoever sends it again heals it.
  const bool has_lost_bytes = kind == ContentKind::kBlock && lost_.contains(BlockId(id)) &&
                              fault != "its row names other bytes";
  Defect defect{.library = library_.Render(),
                .of = std::string(WordFor(kind)),
                .id = id.Render(),
                .explanation = std::move(fault)};
  if (!has_lost_bytes) {
    defect.remedy = "erase the row, so that it can be sent again";
    if (options_.Repairs()) {
      RETURN_IF_ERROR(EraseRows(kind, id));
      ++seen.repaired;
    }
  }
  seen.Add(std::move(defect));
  return {};
}

Result<void> RowVerification::EraseRows(ContentKind kind, const Sha1Id& id) {
  const std::string partition = BucketOf(library_, std::to_integer<int>(id.bytes.front()));
  const std::string prefix(AsChars(id.bytes));
  while (true) {
    store::WriteSet writes;
    store::FunctionSink sink([&](const store::RowView& row) {
      writes.mutations.emplace_back(
          store::Erase{.table = &TableOf(kind),
                       .key = {.partition = partition, .sort = std::string(row.key.sort)}});
    });
    RETURN_IF_ERROR(
        parts_.store.Scan(op_,
                          {.table = &TableOf(kind),
                           .partition = partition,
                           .range = {.from = prefix, .before = store::PrefixEnd(prefix)},
                           .limit = store::kRowsMax - 1},
                          sink));
    if (writes.mutations.empty()) {
      return {};
    }
    // Who is about to publish it looks again.
    writes.mutations.emplace_back(store::Add{.table = &kLibraryCounts,
                                             .key = SweepsKey(library_),
                                             .counter = std::string(kSweepsCounter),
                                             .delta = 1});
    RETURN_IF_ERROR(parts_.store.Commit(op_, std::move(writes)));
  }
}

}  // namespace atrium::files

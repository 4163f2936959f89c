// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/verification.h"

#include <charconv>
#include <cstddef>
#include <limits>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace atrium::blobs {
namespace {

constexpr std::size_t kRowsPerPage = 64;

// What a page goes on with: rows behind a key, or files whose ids begin with a byte.
constexpr std::string_view kRows = "rows:";
constexpr std::string_view kFiles = "files:";

std::string FilesFrom(unsigned first_byte) {
  return std::string(kFiles) + std::to_string(first_byte);
}

Result<std::uint8_t> FirstByteOf(std::string_view token) {
  unsigned number = 0;
  const char* const end = token.data() + token.size();
  const auto [read, failure] = std::from_chars(token.data(), end, number);
  if (failure != std::errc() || read != end || number > std::numeric_limits<std::uint8_t>::max()) {
    return Fail(ErrorCode::kInvalidArgument, "after: not the end of a page of this verification");
  }
  return static_cast<std::uint8_t>(number);
}

}  // namespace

Result<VerifyPage> Verification::Run(const store::OpContext& op) {
  std::string_view after = request_.after ? std::string_view(*request_.after) : kRows;
  Result<void> done;
  if (after.starts_with(kRows)) {
    after.remove_prefix(kRows.size());
    done = VerifyRows(op, after.empty() ? std::nullopt : std::optional(std::string(after)));
  } else {
    after.remove_prefix(after.starts_with(kFiles) ? kFiles.size() : 0);
    ASSIGN_OR_RETURN(const std::uint8_t first_byte, FirstByteOf(after));
    done = VerifyFiles(op, first_byte);
  }
  if (!done) {
    return While("verify blobs", std::move(done).error());
  }
  return std::move(page_);
}

Result<void> Verification::VerifyRows(const store::OpContext& op,
                                      std::optional<std::string> after) {
  ASSIGN_OR_RETURN(const Index::Page rows,
                   parts_.index.List(op, {.limit = kRowsPerPage, .after = std::move(after)}));
  for (const Index::Page::Row& row : rows.rows) {
    ++page_.blobs;
    page_.bytes += row.blob.place.bytes;
    if (!parts_.shelf.Prove(row.blob)) {
      RETURN_IF_ERROR(LookAgain(op, row.blob.id));
    }
  }
  page_.resume = rows.resume ? std::string(kRows) + *rows.resume : FilesFrom(0);
  return {};
}

Result<void> Verification::LookAgain(const store::OpContext& op, const BlobId& id) {
  const BlobLocks::Lock lock = parts_.locks.Take(id);
  ASSIGN_OR_RETURN(const std::optional<Place> place, parts_.index.Find(op, id));
  if (!place || parts_.index.IsMoving(id)) {
    return {};
  }
  const IndexedBlob blob{.id = id, .place = *place};
  const Result<void> proved = parts_.shelf.Prove(blob);
  return proved ? Result<void>() : Tell(op, blob, proved.error());
}

/// Bytes that are wrong, or that are not there, are one thing: the blob can be put anew. A disk
/// that does not answer is another: it may be mended, and then everything is there.
Result<void> Verification::Tell(const store::OpContext& op, const IndexedBlob& blob,
                                const Error& error) {
  Finding finding{.defect = Defect::kDamaged,
                  .id = blob.id,
                  .bytes = blob.place.bytes,
                  .explanation = error.detail};
  if (error.code == ErrorCode::kNotFound) {
    finding.defect = Defect::kMissing;
    finding.remedy = "taken out of the index";
    if (Repairs()) {
      RETURN_IF_ERROR(parts_.folder.CheckPresent());
      RETURN_IF_ERROR(EraseTogether(parts_, op, std::span(&blob, 1)));
    }
  } else if (error.code == ErrorCode::kCorrupt) {
    ASSIGN_OR_RETURN(finding.remedy, SetAside(op, blob));
  }
  page_.findings.push_back(std::move(finding));
  return {};
}

/// When only the head of its record is damaged, the blob itself can be written anew.
Result<std::string> Verification::SetAside(const store::OpContext& op, const IndexedBlob& blob) {
  const Result<std::string> bytes =
      blob.place.IsOwnFile() ? FailPrivately(ErrorCode::kCorrupt, "") : parts_.shelf.Read(blob);
  if (Repairs()) {
    RETURN_IF_ERROR(Discard(parts_, op, blob));
  }
  if (Repairs() && bytes) {
    RETURN_IF_ERROR(
        parts_.appender.Append({.id = blob.id, .bytes = bytes->size(), .payload = *bytes}));
  }
  return bytes ? "written anew" : "set aside";
}

Result<void> Verification::VerifyFiles(const store::OpContext& op, std::uint8_t first_byte) {
  ASSIGN_OR_RETURN(const std::vector<BlobId> ids, parts_.folder.ListFiles(first_byte));
  for (const BlobId& id : ids) {
    ASSIGN_OR_RETURN(const std::optional<Place> place, parts_.index.Find(op, id));
    if (!place || !place->IsOwnFile()) {
      RETURN_IF_ERROR(LookAtOrphan(op, id));
    }
  }
  if (first_byte < std::numeric_limits<std::uint8_t>::max()) {
    page_.resume = FilesFrom(first_byte + 1U);
  }
  return {};
}

Result<void> Verification::LookAtOrphan(const store::OpContext& op, const BlobId& id) {
  const BlobLocks::Lock lock = parts_.locks.Take(id);
  ASSIGN_OR_RETURN(const std::optional<Place> place, parts_.index.Find(op, id));
  const Result<Descriptor> file = OpenToRead(parts_.folder.FileAt(id));
  if (!file || (place && place->IsOwnFile())) {
    return {};  // It was being put or removed.
  }
  ASSIGN_OR_RETURN(const std::uint64_t bytes, SizeOf(file->Get()));
  const IndexedBlob blob{.id = id, .place = {.bytes = bytes, .own = true}};
  Finding finding{.defect = Defect::kOrphaned,
                  .id = id,
                  .bytes = bytes,
                  .explanation = "a file that the index does not know"};
  if (place) {
    finding.explanation = "a file of a blob that lies in a pack";
    finding.remedy = "removed";
    if (Repairs()) {
      RETURN_IF_ERROR(parts_.files.Remove(id));
    }
  } else {
    ASSIGN_OR_RETURN(finding.remedy, Adopt(blob));
  }
  page_.findings.push_back(std::move(finding));
  return {};
}

/// A file that is what its name says joins the index, and is removed by the next clean-up if nobody
/// wants it; any other is set aside. Answers what is done.
Result<std::string> Verification::Adopt(const IndexedBlob& file) {
  if (!parts_.shelf.Prove(file)) {
    if (Repairs()) {
      RETURN_IF_ERROR(parts_.files.SetAside(file.id));
    }
    return "set aside";
  }
  if (Repairs()) {
    RETURN_IF_ERROR(parts_.appender.Append(
        {.kind = RecordKind::kOwnFile, .id = file.id, .bytes = file.place.bytes}));
  }
  return "put into the index";
}

}  // namespace atrium::blobs

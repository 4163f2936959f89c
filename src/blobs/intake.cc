// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/intake.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/error.h"
#include "base/hash.h"

namespace atrium::blobs {
namespace {

/// Hashed and handed to the disk in turn, so that both work at the same time.
constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

Result<void> CheckLength(std::uint64_t bytes) {
  if (bytes > kBlobBytesMax) {
    return Fail(ErrorCode::kLimitExceeded,
                "a blob has at most " + std::to_string(kBlobBytesMax) + " bytes");
  }
  return {};
}

Result<void> CheckOptions(const BlobId& id, const PutOptions& options) {
  if (options.note.size() > kNoteBytesMax) {
    return FailPrivately(ErrorCode::kInvalidArgument,
                         "a note has at most " + std::to_string(kNoteBytesMax) + " bytes");
  }
  if (options.expected && *options.expected != id) {
    return Fail(ErrorCode::kInvalidArgument, "the bytes are those of blob " + id.Render() +
                                                 ", not of " + options.expected->Render());
  }
  Check(options.rows == nullptr || !options.note.empty(), "only a note tells of rows");
  return {};
}

}  // namespace

/// Holds small blobs in memory and writes large ones out as they come.
class Intake::Writer final : public BlobWriter {
 public:
  explicit Writer(Intake& intake) : intake_(intake) {}

  Result<void> Write(std::string_view bytes) override {
    RETURN_IF_ERROR(CheckLength(bytes_ + bytes.size()));
    while (!bytes.empty()) {
      RETURN_IF_ERROR(WritePiece(bytes.substr(0, kPieceBytes)));
      bytes.remove_prefix(std::min(bytes.size(), kPieceBytes));
    }
    return {};
  }

  Result<Pin> Finish(const store::OpContext& op, const PutOptions& options) override {
    return intake_.Keep(op,
                        {.id = {hash_.Finish()},
                         .bytes = bytes_,
                         .payload = buffer_,
                         .file = file_ ? &*file_ : nullptr},
                        options);
  }

 private:
  Result<void> WritePiece(std::string_view piece) {
    hash_.Update(piece);
    bytes_ += piece.size();
    if (!file_ && bytes_ < intake_.settings_.own_file_bytes) {
      buffer_ += piece;
      return {};
    }
    if (!file_) {
      RETURN_IF_ERROR(intake_.parts_.appender.CheckSpace(bytes_));
      ASSIGN_OR_RETURN(TemporaryFile file, intake_.parts_.files.Begin());
      file_.emplace(std::move(file));
      RETURN_IF_ERROR(file_->Write(buffer_));
      buffer_ = {};
    }
    return file_->Write(piece);
  }

  Intake& intake_;
  Sha256 hash_;
  std::uint64_t bytes_ = 0;
  std::string buffer_;
  std::optional<TemporaryFile> file_;
};

std::unique_ptr<BlobWriter> Intake::Begin() {
  return std::make_unique<Writer>(*this);
}

Result<Pin> Intake::Put(const store::OpContext& op, std::string_view bytes,
                        const PutOptions& options) {
  if (bytes.size() >= settings_.own_file_bytes) {
    Writer writer(*this);
    RETURN_IF_ERROR(writer.Write(bytes));
    return writer.Finish(op, options);
  }
  return Keep(op, {.id = BlobId::Of(bytes), .bytes = bytes.size(), .payload = bytes}, options);
}

Result<Pin> Intake::Keep(const store::OpContext& op, const Arrival& arrival,
                         const PutOptions& options) {
  RETURN_IF_ERROR(CheckOptions(arrival.id, options));
  BlobLocks::Lock lock = parts_.locks.Take(arrival.id);
  ASSIGN_OR_RETURN(const bool there, IsThere(op, arrival.id));
  if (there) {
    lock.TurnIntoPin();
    return Mention(MakePin(custody_, arrival.id, arrival.bytes, {}), options);
  }
  if (arrival.file != nullptr) {
    RETURN_IF_ERROR(parts_.files.Keep(std::move(*arrival.file), arrival.id));
  }
  ASSIGN_OR_RETURN(const Appender::Position position,
                   parts_.appender.Append(
                       {.kind = arrival.file != nullptr ? RecordKind::kOwnFile : RecordKind::kWhole,
                        .id = arrival.id,
                        .bytes = arrival.bytes,
                        .payload = arrival.payload,
                        .note = options.note,
                        .rows = options.rows}));
  lock.TurnIntoPin();
  return MakePin(custody_, arrival.id, arrival.bytes,
                 options.note.empty() ? std::nullopt : std::optional(position));
}

/// Makes a note about a blob that is there already, and is pinned.
Result<Pin> Intake::Mention(Pin pin, const PutOptions& options) {
  if (options.note.empty()) {
    return pin;
  }
  ASSIGN_OR_RETURN(const Appender::Position position,
                   parts_.appender.Append({.kind = RecordKind::kMention,
                                           .id = pin.Id(),
                                           .bytes = pin.Bytes(),
                                           .note = options.note,
                                           .rows = options.rows}));
  parts_.locks.Pin(pin.Id());
  return MakePin(custody_, pin.Id(), pin.Bytes(), position);
}

Result<bool> Intake::IsThere(const store::OpContext& op, const BlobId& id) {
  ASSIGN_OR_RETURN(const std::optional<Place> place, parts_.index.Find(op, id));
  if (!place) {
    return false;
  }
  const IndexedBlob blob{.id = id, .place = *place};
  // Whoever sends what is there already may do so because it cannot be read.
  Result<void> looked = parts_.shelf.Prove(blob);
  if (looked) {
    suspects_.Clear(id);
    return true;
  }
  if (looked.error().code == ErrorCode::kUnavailable) {
    return std::unexpected(std::move(looked).error());
  }
  if (parts_.index.IsMoving(id)) {
    return FailPrivately(ErrorCode::kUnavailable, "a damaged blob is being moved");
  }
  RETURN_IF_ERROR(Discard(parts_, op, blob));
  suspects_.Clear(id);
  return false;
}

}  // namespace atrium::blobs

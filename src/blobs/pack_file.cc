// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/pack_file.h"

#include <fcntl.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/random.h"

namespace atrium::blobs {
namespace {

/// So many descriptors are kept for reading.
constexpr std::size_t kOpenMax = 256;

/// How far ahead of the records zeros are written. Syncing bytes that the file had before is
/// cheaper than syncing a file that grew, or one with reserved room that is written for the first
/// time: then the file system has to write down that, too.
constexpr std::uint64_t kAheadBytes = std::uint64_t{1} << 20;

iovec PieceOf(std::string_view bytes) {
  // The interface of the system has no const; it only reads.
  return {.iov_base = const_cast<char*>(bytes.data()), .iov_len = bytes.size()};
}

Result<PackHead> ReadPackHead(int file, std::uint64_t number) {
  ASSIGN_OR_RETURN(const std::string bytes, ReadAt(file, 0, kHeadBytes));
  const std::optional<PackHead> head = DecodePackHead(bytes);
  if (!head || head->number != number) {
    return FailPrivately(ErrorCode::kCorrupt,
                         "pack " + std::to_string(number) + " does not begin as one");
  }
  return *head;
}

Result<RecordHead> OrNoRecord(const std::optional<RecordHead>& found, const PackHead& pack,
                              std::uint64_t at) {
  if (!found) {
    return FailPrivately(ErrorCode::kCorrupt, "no record begins at " + std::to_string(at) +
                                                  " of pack " + std::to_string(pack.number));
  }
  return *found;
}

/// The heads of some records, as they will lie one after the other.
std::string HeadsOf(std::span<const NewRecord> records, const PackHead& pack, std::uint64_t at) {
  std::string heads;
  heads.reserve(records.size() * kHeadBytes);
  for (const NewRecord& record : records) {
    AppendRecordHead(heads,
                     {.kind = record.kind,
                      .id = record.id,
                      .bytes = record.bytes,
                      .note_bytes = static_cast<std::uint16_t>(record.note.size()),
                      .note_check = CheckOf(record.note)},
                     pack, at);
    at += record.RecordBytes();
  }
  return heads;
}

std::vector<iovec> PiecesOf(std::span<const NewRecord> records, std::string_view heads) {
  std::vector<iovec> pieces;
  pieces.reserve(records.size() * 3);
  for (const NewRecord& record : records) {
    pieces.push_back(PieceOf(heads.substr(0, kHeadBytes)));
    heads.remove_prefix(kHeadBytes);
    for (const std::string_view part : {record.payload, record.note}) {
      if (!part.empty()) {
        pieces.push_back(PieceOf(part));
      }
    }
  }
  return pieces;
}

}  // namespace

Result<PackFile> PackFile::Open(const Folder& folder, std::uint64_t number) {
  ASSIGN_OR_RETURN(Descriptor file, OpenToRead(folder.PackAt(number)));
  ASSIGN_OR_RETURN(const PackHead head, ReadPackHead(file.Get(), number));
  return PackFile{.head = head, .descriptor = Share(std::move(file))};
}

Result<PackFile> PackFile::OpenAnyway(const Folder& folder, std::uint64_t number) {
  ASSIGN_OR_RETURN(Descriptor file, OpenToRead(folder.PackAt(number)));
  const Result<PackHead> head = ReadPackHead(file.Get(), number);
  if (!head && head.error().code != ErrorCode::kCorrupt) {
    return std::unexpected(head.error());
  }
  return PackFile{.head = head.value_or(PackHead{.number = number}),
                  .descriptor = Share(std::move(file))};
}

Result<RecordHead> PackFile::ReadHead(std::uint64_t at) const {
  std::array<char, kHeadBytes> bytes{};
  ASSIGN_OR_RETURN(const std::size_t count, ReadAt(*descriptor, at, std::span(bytes)));
  return OrNoRecord(DecodeRecordHead({bytes.data(), count}, head, at), head, at);
}

Result<RecordHead> PackFile::PeekHead(std::uint64_t at) const {
  std::array<char, kHeadBytes> bytes{};
  ASSIGN_OR_RETURN(const std::size_t count, ReadAt(*descriptor, at, std::span(bytes)));
  return OrNoRecord(PeekRecordHead({bytes.data(), count}), head, at);
}

Result<std::shared_ptr<const PackFile>> OpenPacks::Get(std::uint64_t number) {
  {
    const std::shared_lock lock(mutex_);
    if (const auto found = open_.find(number); found != open_.end()) {
      return found->second;
    }
  }
  ASSIGN_OR_RETURN(PackFile opened, PackFile::OpenAnyway(folder_, number));
  auto pack = std::make_shared<const PackFile>(std::move(opened));
  const std::scoped_lock lock(mutex_);
  if (open_.emplace(number, pack).second) {
    order_.push_back(number);
  }
  if (order_.size() > kOpenMax) {
    open_.erase(order_.front());
    order_.pop_front();
  }
  return pack;
}

void OpenPacks::Forget(std::uint64_t number) {
  const std::scoped_lock lock(mutex_);
  if (open_.erase(number) > 0) {
    std::erase(order_, number);
  }
}

Result<PackWriter> PackWriter::Create(const Folder& folder, std::uint64_t number, Disk& disk) {
  PackHead head{.number = number};
  FillRandom(head.salt);
  const std::filesystem::path path = folder.PackAt(number);
  ASSIGN_OR_RETURN(Descriptor file, CreateToWrite(path));
  const std::string bytes = EncodePackHead(head);
  iovec piece = PieceOf(bytes);
  Result<void> made = disk.Write(file.Get(), std::span(&piece, 1), 0);
  if (made) {
    made = disk.Sync(file.Get());
  }
  if (made) {
    made = disk.SyncFolder(folder.Packs());
  }
  if (!made) {
    // Without a record it means nothing, should it stay.
    static_cast<void>(RemoveFile(path));
    return While("begin a pack", std::move(made).error());
  }
  return PackWriter(head, std::move(file), kHeadBytes, disk);
}

Result<PackWriter> PackWriter::Resume(const Folder& folder, std::uint64_t number, std::uint64_t end,
                                      Disk& disk) {
  const std::filesystem::path path = folder.PackAt(number);
  Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (file.Get() < 0) {
    return SystemFailure("open " + path.string(), errno);
  }
  ASSIGN_OR_RETURN(const PackHead head, ReadPackHead(file.Get(), number));
  return PackWriter(head, std::move(file), end, disk);
}

void PackWriter::MakeRoom(std::uint64_t bytes) {
  if (end_ + bytes <= zeroed_) {
    return;
  }
  static const std::string zeros(kAheadBytes, '\0');
  // Only what lies behind the records: those are overwritten at once.
  const std::uint64_t from = end_ + bytes;
  iovec piece = PieceOf(zeros);
  if (disk_->Write(file_.Get(), std::span(&piece, 1), from)) {
    zeroed_ = from + zeros.size();
  }
}

Result<std::vector<std::uint64_t>> PackWriter::Append(std::span<const NewRecord> records) {
  const std::string heads = HeadsOf(records, head_, end_);
  std::vector<iovec> pieces = PiecesOf(records, heads);
  std::vector<std::uint64_t> places;
  places.reserve(records.size());
  std::uint64_t next = end_;
  for (const NewRecord& record : records) {
    places.push_back(next);
    next += record.RecordBytes();
  }
  MakeRoom(next - end_);
  if (Result<void> written = disk_->Write(file_.Get(), pieces, end_); !written) {
    if (!Cut()) {
      state_ = State::kDoubtful;
    }
    return While("append to a pack", std::move(written).error());
  }
  if (Result<void> synced = disk_->Sync(file_.Get()); !synced) {
    // The system may have dropped what it could not write, and call the next sync a success.
    state_ = State::kDoubtful;
    static_cast<void>(Cut());
    return While("append to a pack", std::move(synced).error());
  }
  end_ = next;
  return places;
}

Result<void> PackWriter::Cut() {
  zeroed_ = end_;
  return CutAt(file_.Get(), end_);
}

}  // namespace atrium::blobs

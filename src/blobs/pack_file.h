// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "blobs/blobs.h"
#include "blobs/disk.h"
#include "blobs/folder.h"
#include "blobs/pack_format.h"

namespace atrium::blobs {

/// A pack that is open for reading. Stays readable when the file is removed.
struct PackFile {
  PackHead head{};
  std::shared_ptr<const int> descriptor{};

  /// kNotFound without a file; kCorrupt when it does not begin as a pack of this number does.
  static Result<PackFile> Open(const Folder& folder, std::uint64_t number);
  /// The same, whatever it begins with: blobs whose places are known can be read all the same.
  static Result<PackFile> OpenAnyway(const Folder& folder, std::uint64_t number);

  /// What DecodeRecordHead() makes of the bytes there; kCorrupt when no record begins there.
  Result<RecordHead> ReadHead(std::uint64_t at) const;
  /// The same by PeekRecordHead().
  Result<RecordHead> PeekHead(std::uint64_t at) const;
};

/// Packs that were read lately, open. Any thread.
class OpenPacks {
 public:
  /// `folder` outlives it.
  explicit OpenPacks(const Folder& folder) : folder_(folder) {}

  /// As PackFile::OpenAnyway().
  Result<std::shared_ptr<const PackFile>> Get(std::uint64_t number);
  /// Its file is about to go.
  void Forget(std::uint64_t number);

 private:
  const Folder& folder_;
  std::shared_mutex mutex_;
  // Guarded by mutex_.
  std::unordered_map<std::uint64_t, std::shared_ptr<const PackFile>> open_;
  /// In the order in which they were opened.
  std::deque<std::uint64_t> order_;
};

/// One record to be written. Views: they live as long as the call.
struct NewRecord {
  RecordKind kind = RecordKind::kWhole;
  BlobId id{};
  std::uint64_t bytes = 0;
  /// Of a kWhole record, all bytes.
  std::string_view payload{};
  std::string_view note{};
  /// Who writes the rows of the note; null: whoever appends it.
  NotedRows* rows = nullptr;

  std::uint64_t RecordBytes() const {
    return kHeadBytes + (kind == RecordKind::kWhole ? bytes : 0) + note.size();
  }
};

/// The one end at which a pack grows. One thread at a time.
class PackWriter {
 public:
  /// Makes a new pack whose name is durable.
  static Result<PackWriter> Create(const Folder& folder, std::uint64_t number, Disk& disk);
  /// Goes on with a pack that ends at `end`; what lies behind it is zeros, or nothing.
  static Result<PackWriter> Resume(const Folder& folder, std::uint64_t number, std::uint64_t end,
                                   Disk& disk);

  std::uint64_t Number() const { return head_.number; }
  /// Up to here everything is on the disk.
  std::uint64_t End() const { return end_; }

  enum class State : std::uint8_t {
    kSound,
    /// What is behind the end is not known: nothing may be written here any more.
    kDoubtful,
  };
  State GetState() const { return state_; }

  /// Writes records and has them on the disk; answers where each begins. After an error the pack
  /// ends where it did, but may have become doubtful.
  Result<std::vector<std::uint64_t>> Append(std::span<const NewRecord> records);

  /// Gives back the room behind the end. Not needed: zeros behind the end are no records.
  Result<void> Cut();

 private:
  PackWriter(const PackHead& head, Descriptor file, std::uint64_t end, Disk& disk)
      : head_(head), file_(std::move(file)), end_(end), zeroed_(end), disk_(&disk) {}

  void MakeRoom(std::uint64_t bytes);

  PackHead head_{};
  Descriptor file_;
  std::uint64_t end_ = 0;
  /// Up to here the file has bytes.
  std::uint64_t zeroed_ = 0;
  State state_ = State::kSound;
  Disk* disk_;
};

}  // namespace atrium::blobs

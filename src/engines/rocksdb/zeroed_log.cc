// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/zeroed_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/descriptor.h"

namespace atrium::rocks {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

/// How far ahead: some hundred commits.
constexpr std::uint64_t kAheadBytes = std::uint64_t{256} << 10;

class ZeroedLog final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  ZeroedLog(std::unique_ptr<rocksdb::FSWritableFile> file, Descriptor ahead)
      : FSWritableFileOwnerWrapper(std::move(file)), ahead_(std::move(ahead)) {}

  IOStatus Append(const Slice& bytes, const IOOptions& options, IODebugContext* debug) override {
    MakeRoom(bytes.size());
    return Grown(bytes, target()->Append(bytes, options, debug));
  }
  IOStatus Append(const Slice& bytes, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& verification,
                  IODebugContext* debug) override {
    MakeRoom(bytes.size());
    return Grown(bytes, target()->Append(bytes, options, verification, debug));
  }

  /// Room that is only reserved must be marked as written by every sync; zeros need not.
  void PrepareWrite(std::size_t /*offset*/, std::size_t /*bytes*/, const IOOptions& /*options*/,
                    IODebugContext* /*debug*/) override {}

  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    if (ahead_.Get() >= 0 && zeroed_ > size_ && !failed_) {
      // Only to save space: a log that ends in zeros is read as well.
      [[maybe_unused]] const int cut = ::ftruncate(ahead_.Get(), static_cast<off_t>(size_));
    }
    return target()->Close(options, debug);
  }

 private:
  /// Whatever goes wrong here, the log works without.
  void MakeRoom(std::size_t bytes) {
    if (ahead_.Get() < 0 || failed_ || size_ + bytes <= zeroed_) {
      return;
    }
    static const std::vector<char> zeros(kAheadBytes);
    const std::uint64_t wanted = size_ + bytes + kAheadBytes;
    zeroed_ = std::max(zeroed_, size_);
    while (zeroed_ < wanted) {
      const std::size_t piece = std::min<std::uint64_t>(zeros.size(), wanted - zeroed_);
      const ssize_t written =
          ::pwrite(ahead_.Get(), zeros.data(), piece, static_cast<off_t>(zeroed_));
      if (written <= 0) {
        failed_ = true;
        return;
      }
      zeroed_ += static_cast<std::uint64_t>(written);
    }
  }

  IOStatus Grown(const Slice& bytes, IOStatus status) {
    if (status.ok()) {
      size_ += bytes.size();
    } else {
      // How much of it is in the file is not known: no zeros over it.
      failed_ = true;
    }
    return status;
  }

  const Descriptor ahead_;
  std::uint64_t size_ = 0;
  /// Up to here the file has bytes.
  std::uint64_t zeroed_ = 0;
  bool failed_ = false;
};

class ZeroedLogFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;

  const char* Name() const override { return "atrium.zeroed_logs"; }

  IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* file,
                           IODebugContext* debug) override {
    IOStatus opened = target()->NewWritableFile(path, options, file, debug);
    if (opened.ok() && IsWriteAheadLog(path)) {
      *file = std::make_unique<ZeroedLog>(std::move(*file),
                                          Descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC)));
    }
    return opened;
  }
};

}  // namespace

bool IsWriteAheadLog(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  constexpr std::string_view kEnding = ".log";
  return name.ends_with(kEnding) && name.size() > kEnding.size() &&
         std::ranges::all_of(name.substr(0, name.size() - kEnding.size()),
                             [](char c) { return c >= '0' && c <= '9'; });
}

std::shared_ptr<rocksdb::FileSystem> WithZeroedLogs(
    const std::shared_ptr<rocksdb::FileSystem>& file_system) {
  return std::make_shared<ZeroedLogFileSystem>(file_system);
}

}  // namespace atrium::rocks

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rocksdb/file_system.h>

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <system_error>
#include <utility>

namespace atrium::rocks {

/// The real file system, failing on demand. It also knows which bytes a loss of power would leave.
class FaultFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  /// Which calls on which files fail. Files are named by a part of their path: ".log", ".sst".
  struct Fault {
    enum class Call : std::uint8_t { kAppend, kSync, kCreate };
    Call call = Call::kAppend;
    std::string files;
    rocksdb::IOStatus status = rocksdb::IOStatus::IOError("injected");
  };

  FaultFileSystem() : FileSystemWrapper(FileSystem::Default()) {}

  const char* Name() const override { return "atrium.fault"; }

  void Break(Fault fault) {
    const std::scoped_lock lock(mutex_);
    fault_ = std::move(fault);
  }
  void Mend() {
    const std::scoped_lock lock(mutex_);
    fault_.reset();
  }
  void SetFreeSpace(std::optional<std::uint64_t> bytes) {
    const std::scoped_lock lock(mutex_);
    free_space_ = bytes;
  }

  /// Lets so many more syncs of the log through; those after them wait.
  void AllowLogSyncs(std::uint64_t count) {
    const std::scoped_lock lock(mutex_);
    allowed_ = count;
    changed_.notify_all();
  }
  void AllowAllLogSyncs() { AllowLogSyncs(std::numeric_limits<std::uint64_t>::max()); }
  /// Until one waits that is not allowed yet.
  void AwaitHeldSync() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return held_ > 0 && allowed_ == 0; });
  }

  /// Copies a folder as a loss of power at this moment would leave it.
  void CopyWithoutUnsynced(const std::string& from, const std::string& to) {
    // RocksDB erases files when it pleases; a copy of which one vanished meanwhile is no moment.
    while (!TryToCopy(from, to)) {
      std::filesystem::remove_all(to);
    }
  }

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override {
    if (rocksdb::IOStatus status = Failure(Fault::Call::kCreate, path); !status.ok()) {
      return status;
    }
    rocksdb::IOStatus status = target()->NewWritableFile(path, options, file, debug);
    if (status.ok()) {
      *file = std::make_unique<File>(std::move(*file), path, *this);
      const std::scoped_lock lock(mutex_);
      synced_[path] = 0;
    }
    return status;
  }

  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to,
                               const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* debug) override {
    rocksdb::IOStatus status = target()->RenameFile(from, to, options, debug);
    const std::scoped_lock lock(mutex_);
    if (const auto moved = synced_.extract(from); status.ok() && moved) {
      synced_[to] = moved.mapped();
    }
    return status;
  }

  rocksdb::IOStatus GetFreeSpace(const std::string& path, const rocksdb::IOOptions& options,
                                 std::uint64_t* bytes, rocksdb::IODebugContext* debug) override {
    const std::scoped_lock lock(mutex_);
    if (free_space_) {
      *bytes = *free_space_;
      return rocksdb::IOStatus::OK();
    }
    return target()->GetFreeSpace(path, options, bytes, debug);
  }

 private:
  class File final : public rocksdb::FSWritableFileOwnerWrapper {
   public:
    File(std::unique_ptr<rocksdb::FSWritableFile> file, std::string path, FaultFileSystem& system)
        : FSWritableFileOwnerWrapper(std::move(file)), path_(std::move(path)), system_(system) {}

    using FSWritableFileOwnerWrapper::Append;
    rocksdb::IOStatus Append(const rocksdb::Slice& bytes, const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* debug) override {
      if (rocksdb::IOStatus status = system_.Failure(Fault::Call::kAppend, path_); !status.ok()) {
        // As a disk that fills up: a part of it is written.
        const rocksdb::Slice part(bytes.data(), bytes.size() / 2);
        target()->Append(part, options, debug).PermitUncheckedError();
        return status;
      }
      return target()->Append(bytes, options, debug);
    }
    rocksdb::IOStatus Append(const rocksdb::Slice& bytes, const rocksdb::IOOptions& options,
                             const rocksdb::DataVerificationInfo& /*verification*/,
                             rocksdb::IODebugContext* debug) override {
      return Append(bytes, options, debug);
    }
    rocksdb::IOStatus Sync(const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* debug) override {
      system_.HoldSync(path_);
      if (rocksdb::IOStatus status = system_.Failure(Fault::Call::kSync, path_); !status.ok()) {
        return status;
      }
      const std::uint64_t size = target()->GetFileSize(options, debug);
      rocksdb::IOStatus status = target()->Sync(options, debug);
      if (status.ok()) {
        const std::scoped_lock lock(system_.mutex_);
        system_.synced_[path_] = size;
      }
      return status;
    }
    rocksdb::IOStatus Fsync(const rocksdb::IOOptions& options,
                            rocksdb::IODebugContext* debug) override {
      return Sync(options, debug);
    }

   private:
    std::string path_;
    FaultFileSystem& system_;
  };

  rocksdb::IOStatus Failure(Fault::Call call, const std::string& path) {
    const std::scoped_lock lock(mutex_);
    const bool fails = fault_ && fault_->call == call && path.find(fault_->files) != path.npos;
    return fails ? fault_->status : rocksdb::IOStatus::OK();
  }

  static std::set<std::string> FilesIn(const std::string& folder) {
    std::set<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      files.insert(entry.path().filename());
    }
    return files;
  }

  bool TryToCopy(const std::string& from, const std::string& to) {
    std::filesystem::create_directories(to);
    const std::set<std::string> files = FilesIn(from);
    for (const std::string& file : files) {
      const std::string original = std::filesystem::path(from) / file;
      const std::string copy = std::filesystem::path(to) / file;
      std::error_code vanished;
      if (!std::filesystem::copy_file(original, copy, vanished)) {
        return false;
      }
      const std::scoped_lock lock(mutex_);
      if (const auto synced = synced_.find(original); synced != synced_.end()) {
        std::filesystem::resize_file(copy, synced->second);
      }
    }
    return files == FilesIn(from);
  }

  void HoldSync(const std::string& path) {
    if (!path.ends_with(".log")) {
      return;
    }
    std::unique_lock lock(mutex_);
    ++held_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return allowed_ > 0; });
    --held_;
    if (allowed_ != std::numeric_limits<std::uint64_t>::max()) {
      --allowed_;
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_.
  std::optional<Fault> fault_;
  std::optional<std::uint64_t> free_space_;
  std::uint64_t allowed_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t held_ = 0;
  std::map<std::string, std::uint64_t> synced_;
};

}  // namespace atrium::rocks

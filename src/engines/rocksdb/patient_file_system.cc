// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/patient_file_system.h"

#include <cstdint>
#include <string>
#include <utility>

namespace atrium::rocks {
namespace {

using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;
using rocksdb::Slice;

/// Free space is looked after by the writer, so a full disk is an error like the others, and not
/// one for which RocksDB starts a watcher of its own.
IOStatus Patient(IOStatus status) {
  if (!status.IsIOError() || status.IsPathNotFound() || status.IsIOFenced()) {
    return status;
  }
  IOStatus patient =
      status.IsNoSpace() ? IOStatus::IOError("no space: " + status.ToString()) : std::move(status);
  patient.SetRetryable(true);
  return patient;
}

class PatientFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  using FSWritableFileOwnerWrapper::FSWritableFileOwnerWrapper;

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    return Patient(target()->Append(data, options, debug));
  }
  IOStatus Append(const Slice& data, const IOOptions& options,
                  const rocksdb::DataVerificationInfo& verification,
                  IODebugContext* debug) override {
    return Patient(target()->Append(data, options, verification, debug));
  }
  IOStatus Truncate(std::uint64_t size, const IOOptions& options, IODebugContext* debug) override {
    return Patient(target()->Truncate(size, options, debug));
  }
  IOStatus Close(const IOOptions& options, IODebugContext* debug) override {
    return Patient(target()->Close(options, debug));
  }
  IOStatus Flush(const IOOptions& options, IODebugContext* debug) override {
    return Patient(target()->Flush(options, debug));
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* debug) override {
    return Patient(target()->Sync(options, debug));
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return Patient(target()->Fsync(options, debug));
  }
  IOStatus RangeSync(std::uint64_t offset, std::uint64_t bytes, const IOOptions& options,
                     IODebugContext* debug) override {
    return Patient(target()->RangeSync(offset, bytes, options, debug));
  }
  IOStatus Allocate(std::uint64_t offset, std::uint64_t bytes, const IOOptions& options,
                    IODebugContext* debug) override {
    return Patient(target()->Allocate(offset, bytes, options, debug));
  }
};

class PatientDirectory final : public rocksdb::FSDirectoryWrapper {
 public:
  using FSDirectoryWrapper::FSDirectoryWrapper;

  IOStatus Fsync(const IOOptions& options, IODebugContext* debug) override {
    return Patient(FSDirectoryWrapper::Fsync(options, debug));
  }
  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* debug,
                               const rocksdb::DirFsyncOptions& what) override {
    return Patient(FSDirectoryWrapper::FsyncWithDirOptions(options, debug, what));
  }
};

class PatientFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;

  const char* Name() const override { return "atrium.patient"; }

  IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* file,
                           IODebugContext* debug) override {
    return Wrap(target()->NewWritableFile(path, options, file, debug), file);
  }
  IOStatus ReopenWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                              std::unique_ptr<rocksdb::FSWritableFile>* file,
                              IODebugContext* debug) override {
    return Wrap(target()->ReopenWritableFile(path, options, file, debug), file);
  }
  IOStatus NewDirectory(const std::string& path, const IOOptions& options,
                        std::unique_ptr<rocksdb::FSDirectory>* directory,
                        IODebugContext* debug) override {
    IOStatus status = Patient(target()->NewDirectory(path, options, directory, debug));
    if (status.ok()) {
      *directory = std::make_unique<PatientDirectory>(std::move(*directory));
    }
    return status;
  }
  IOStatus RenameFile(const std::string& from, const std::string& to, const IOOptions& options,
                      IODebugContext* debug) override {
    return Patient(target()->RenameFile(from, to, options, debug));
  }
  IOStatus LinkFile(const std::string& from, const std::string& to, const IOOptions& options,
                    IODebugContext* debug) override {
    return Patient(target()->LinkFile(from, to, options, debug));
  }

 private:
  static IOStatus Wrap(IOStatus opened, std::unique_ptr<rocksdb::FSWritableFile>* file) {
    if (opened.ok()) {
      *file = std::make_unique<PatientFile>(std::move(*file));
    }
    return Patient(std::move(opened));
  }
};

}  // namespace

std::shared_ptr<rocksdb::FileSystem> MakePatient(
    const std::shared_ptr<rocksdb::FileSystem>& file_system) {
  return std::make_shared<PatientFileSystem>(file_system);
}

}  // namespace atrium::rocks

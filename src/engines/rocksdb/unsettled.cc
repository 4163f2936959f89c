// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/unsettled.h"

#include <memory>

#include "engines/rocksdb/status.h"

namespace atrium::rocks {
namespace {

std::string MarkIn(const std::string& folder) {
  return folder + "/UNSETTLED";
}

rocksdb::Status SyncFolder(rocksdb::Env& env, const std::string& folder) {
  std::unique_ptr<rocksdb::Directory> directory;
  const rocksdb::Status opened = env.NewDirectory(folder, &directory);
  return opened.ok() ? directory->Fsync() : opened;
}

rocksdb::Status WriteMark(rocksdb::Env& env, const std::string& folder) {
  std::unique_ptr<rocksdb::WritableFile> file;
  rocksdb::Status status = env.NewWritableFile(MarkIn(folder), &file, rocksdb::EnvOptions());
  if (status.ok()) {
    status = file->Sync();
  }
  if (status.ok()) {
    status = file->Close();
  }
  return status.ok() ? SyncFolder(env, folder) : status;
}

}  // namespace

bool IsUnsettled(rocksdb::Env& env, const std::string& folder) {
  return env.FileExists(MarkIn(folder)).ok();
}

Result<void> MarkUnsettled(rocksdb::Env& env, const std::string& folder) {
  if (IsUnsettled(env, folder)) {
    return {};
  }
  return ToResult(WriteMark(env, folder), "mark the store in " + folder);
}

Result<void> MarkSettled(rocksdb::Env& env, const std::string& folder) {
  if (!IsUnsettled(env, folder)) {
    return {};
  }
  RETURN_IF_ERROR(ToResult(env.DeleteFile(MarkIn(folder)), "unmark the store in " + folder));
  return ToResult(SyncFolder(env, folder), "unmark the store in " + folder);
}

}  // namespace atrium::rocks

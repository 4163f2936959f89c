// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "base/uuid.h"
#include "blobs/blob_id.h"
#include "blobs/disk.h"

namespace atrium::blobs {

/// The folder that holds the blobs, and the names in it:
///
///   FORMAT               which layout this is, and whose folder
///   LOCK                 locked while a process has it open
///   packs/<16 hex>.pack
///   files/ab/cd/<64 hex>
///   temporary/           files being written; emptied when the folder is opened
///   set-aside/           damaged bytes, for people to look at
class Folder {
 public:
  /// Makes the folder when it is not there. kUnavailable while another process has it open;
  /// kRefusedByState when a newer version of the program wrote it, or when it is not empty and not
  /// a folder of blobs. `new_id` is the name that a folder made now is given.
  static Result<Folder> Open(const std::filesystem::path& path, const Uuid& new_id, Disk& disk);

  /// kUnavailable when the folder is not where it was: a disk that went away. Asked before anything
  /// is concluded from a file that is not there.
  Result<void> CheckPresent() const;

  const std::filesystem::path& Path() const { return path_; }
  const Uuid& Id() const { return id_; }

  std::filesystem::path Packs() const { return path_ / "packs"; }
  std::filesystem::path Files() const { return path_ / "files"; }
  std::filesystem::path PackAt(std::uint64_t number) const;
  std::filesystem::path FileAt(const BlobId& id) const;
  std::filesystem::path Temporary() const { return path_ / "temporary"; }
  /// A name under set-aside/ that is not taken.
  std::filesystem::path NewSetAside(const BlobId& id) const;

  /// The numbers of the pack files there are, ascending.
  Result<std::vector<std::uint64_t>> ListPacks() const;
  /// The blobs that have a file of their own below files/ab.
  Result<std::vector<BlobId>> ListFiles(std::uint8_t first_byte) const;

 private:
  Folder(std::filesystem::path path, Descriptor lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}

  Result<void> MakeFolders(Disk& disk) const;
  Result<void> Identify(const Uuid& new_id, Disk& disk);
  Result<void> EmptyTemporary() const;

  std::filesystem::path path_;
  Descriptor lock_;
  Uuid id_{};
};

}  // namespace atrium::blobs

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/api.h"
#include "base/result.h"
#include "files/file_changes.h"
#include "files/file_writer.h"
#include "files/library_cipher.h"
#include "files/loose_space.h"
#include "files/operation_links.h"
#include "files/partial_uploads.h"
#include "files/room.h"
#include "http/multipart_sink.h"
#include "http/reply.h"
#include "http/urlencoded.h"

namespace atrium::files {

/// What is known of an upload before its body.
struct UploadOrder {
  LinkHolder holder{};
  std::shared_ptr<const LibraryKey> key{};
  /// Of a file that comes in pieces.
  std::optional<UploadPiece> piece{};
  /// [{"name", "id", "size"}] instead of the bare ids.
  bool wants_json = false;
};

/// A form of files that is sent to an upload or update link. All of its files become one commit.
/// One that comes in pieces (Content-Range) is kept aside until its last piece, and its form names
/// the folder before the file.
///
///   upload  parent_dir, relative_path (made when missing), replace=1: else a taken name gets a
///           number
///   update  target_file
class LinkedUpload final : public http::FormUpload {
 public:
  /// `announced`: space that is held for all that comes, as far as that is known.
  LinkedUpload(Room& room, const api::Upload& upload, UploadOrder order,
               LooseSpace::Hold announced);

  Result<void> BeginFile(const http::PartHead& head, const http::Form& before) override;
  Result<void> Write(std::span<const std::byte> piece) override;
  Result<void> EndFile() override;
  Result<http::Reply> Finish(const http::Form& fields) override;

 private:
  /// A file that has arrived, whose folder may not be known yet.
  struct Arrived {
    std::string name{};
    FileObject content{};
  };

  Result<TreePath> FolderOf(const http::Form& fields) const;
  Result<TreePath> TargetOf(const http::Form& fields) const;
  Result<void> CheckConfined(const TreePath& path) const;
  Result<void> BeginPiece(const http::Form& before);
  Result<void> ResumePiece(const PartialUploadKey& key);
  /// Nothing while pieces are still to come.
  Result<std::optional<FileObject>> EndPiece();
  Result<std::vector<ChangedEntry>> Put(const http::Form& fields);
  Result<std::vector<ChangedEntry>> PutUpdate(const http::Form& fields);
  http::Reply ReplyFor(std::span<const ChangedEntry> changed, bool wants_json) const;
  ChangeOf Target() const;
  store::OpContext Terms() const;

  Room& room_;
  const api::Upload upload_;
  const UploadOrder order_;
  const LinkWarrant warrant_;
  LooseSpace::Hold announced_;
  std::vector<Arrived> arrived_;
  // The file that arrives, one way or the other.
  std::string name_;
  bool is_skipped_ = false;
  std::optional<FileWriter> writer_;
  std::unique_ptr<PartialUpload> partial_;
  /// Until what has come is counted where it lies.
  std::optional<LooseSpace::Hold> piece_space_;
};

}  // namespace atrium::files

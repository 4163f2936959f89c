// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "files/archive_names.h"
#include "files/content.h"
#include "files/file_body.h"
#include "files/library_cipher.h"
#include "files/library_reader.h"
#include "files/object_id.h"
#include "files/tree_diff.h"
#include "http/body.h"
#include "store/op_context.h"

struct archive;

namespace atrium::files {

/// The list at the end of an archive is made while it is written, so this bounds the memory.
inline constexpr std::uint64_t kZipEntriesMax = 100'000;

/// What is put into an archive.
struct ZipOrder {
  LibraryId library{};
  ObjectId folder{};
  /// Of an encrypted library, else null.
  std::shared_ptr<const LibraryKey> key{};
};

/// All that is in a folder as a ZIP archive, made while it is sent. Nothing is compressed; files
/// and archives beyond 4 GiB and 65,535 entries are ZIP64, names are UTF-8, and safe to unpack
/// (archive_names.h). Breaks off, so that clients can tell, when something cannot be read, and at
/// more than kZipEntriesMax.
class ZipBody final : public http::BodySource {
 public:
  /// Content outlives the body.
  ZipBody(const Content& content, ZipOrder order);
  ~ZipBody() override;

  Result<std::optional<std::string>> Next() override;

 private:
  struct ArchiveDeleter {
    void operator()(struct archive* archive) const;
  };

  Result<void> Begin();
  Result<void> Advance();
  Result<void> BeginEntry(const TreeChange& change);
  Result<void> WriteHead(const TreeChange& change);
  Result<void> WritePiece(std::string_view piece);
  std::unexpected<Error> Failed() const;

  const store::OpContext op_ = store::OpContext::ForWork("files.zip");
  const Content& content_;
  const ZipOrder order_;
  LibraryReader reader_;
  TreeDiff walk_;
  ArchiveNames names_;
  /// What was made and not yet handed on.
  std::string made_;
  std::unique_ptr<struct archive, ArchiveDeleter> archive_;
  std::optional<FileBody> file_;
  enum class Stage : std::uint8_t { kBegin, kEntries, kOver };
  Stage stage_ = Stage::kBegin;
};

}  // namespace atrium::files

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/zip_body.h"

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

#include <cstddef>
#include <string_view>
#include <utility>

namespace atrium::files {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{256} << 10;
constexpr unsigned kFileRights = 0644;
constexpr unsigned kAllRights = 0755;
constexpr unsigned kOwnerMayExecute = 0100;

la_ssize_t Collect(struct archive* /*archive*/, void* made, const void* bytes, size_t count) {
  static_cast<std::string*>(made)->append(static_cast<const char*>(bytes), count);
  return static_cast<la_ssize_t>(count);
}

/// The library marks names as UTF-8 where the locale of the thread says that they are.
class Utf8Names {
 public:
  Utf8Names() : before_(::uselocale(Locale())) {}
  Utf8Names(const Utf8Names&) = delete;
  Utf8Names& operator=(const Utf8Names&) = delete;
  ~Utf8Names() { ::uselocale(before_); }

 private:
  static locale_t Locale() {
    static const locale_t locale = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    return locale;
  }
  const locale_t before_;
};

struct EntryDeleter {
  void operator()(archive_entry* entry) const { ::archive_entry_free(entry); }
};
using Entry = std::unique_ptr<archive_entry, EntryDeleter>;

unsigned RightsOf(const Dirent& entry) {
  const bool all = entry.IsDirectory() || (entry.mode & kOwnerMayExecute) != 0;
  return all ? kAllRights : kFileRights;
}

}  // namespace

/// Of an archive that is not finished the end is written, too, where nobody reads it: one that was
/// told to fail does not give all of its memory back.
void ZipBody::ArchiveDeleter::operator()(struct archive* archive) const {
  ::archive_write_free(archive);
}

ZipBody::ZipBody(const Content& content, ZipOrder order)
    : content_(content),
      order_(std::move(order)),
      reader_(content, op_, order_.library),
      walk_(reader_, {}, order_.folder, {.entries_max = kZipEntriesMax}),
      names_(reader_, order_.folder) {}

ZipBody::~ZipBody() = default;

std::unexpected<Error> ZipBody::Failed() const {
  const char* why = ::archive_error_string(archive_.get());
  return FailPrivately(ErrorCode::kInternal,
                       std::string("cannot make an archive: ") + (why != nullptr ? why : "?"));
}

Result<void> ZipBody::Begin() {
  archive_.reset(::archive_write_new());
  struct archive* archive = archive_.get();
  if (archive == nullptr || ::archive_write_set_format_zip(archive) != ARCHIVE_OK ||
      ::archive_write_zip_set_compression_store(archive) != ARCHIVE_OK ||
      ::archive_write_set_bytes_per_block(archive, 0) != ARCHIVE_OK ||
      ::archive_write_open2(archive, &made_, nullptr, Collect, nullptr, nullptr) != ARCHIVE_OK) {
    return Failed();
  }
  stage_ = Stage::kEntries;
  return {};
}

Result<void> ZipBody::WriteHead(const TreeChange& change) {
  const Dirent& dirent = *change.after;
  const Entry entry(::archive_entry_new());
  ASSIGN_OR_RETURN(const std::string name, names_.PathOf(change));
  const Utf8Names names;
  ::archive_entry_copy_pathname(entry.get(), name.c_str());
  ::archive_entry_set_filetype(entry.get(), dirent.IsDirectory() ? AE_IFDIR : AE_IFREG);
  ::archive_entry_set_perm(entry.get(), RightsOf(dirent));
  ::archive_entry_set_mtime(entry.get(), dirent.mtime, 0);
  if (!dirent.IsDirectory()) {
    ::archive_entry_set_size(entry.get(), dirent.size);
  }
  return ::archive_write_header(archive_.get(), entry.get()) == ARCHIVE_OK ? Result<void>()
                                                                           : Failed();
}

Result<void> ZipBody::BeginEntry(const TreeChange& change) {
  const Dirent& dirent = *change.after;
  RETURN_IF_ERROR(WriteHead(change));
  if (!dirent.IsDirectory()) {
    ASSIGN_OR_RETURN(FileObject file, reader_.ReadFile(dirent.id));
    if (file.size != dirent.size) {
      return FailPrivately(ErrorCode::kCorrupt, "a folder says another size than the file");
    }
    ASSIGN_OR_RETURN(MemoryLease memory, FileBody::TakeMemory(content_, file));
    file_.emplace(content_, order_.library, std::move(file), order_.key, std::move(memory));
  }
  return {};
}

Result<void> ZipBody::WritePiece(std::string_view piece) {
  while (!piece.empty()) {
    const la_ssize_t put = ::archive_write_data(archive_.get(), piece.data(), piece.size());
    if (put <= 0) {
      return Failed();
    }
    piece.remove_prefix(static_cast<std::size_t>(put));
  }
  return {};
}

Result<void> ZipBody::Advance() {
  if (file_) {
    ASSIGN_OR_RETURN(const std::optional<std::string> piece, file_->Next());
    if (piece) {
      return WritePiece(*piece);
    }
    file_.reset();
  }
  ASSIGN_OR_RETURN(const std::optional<TreeChange> change, walk_.Next());
  if (change) {
    return BeginEntry(*change);
  }
  stage_ = Stage::kOver;
  return ::archive_write_close(archive_.get()) == ARCHIVE_OK ? Result<void>() : Failed();
}

Result<std::optional<std::string>> ZipBody::Next() {
  if (stage_ == Stage::kBegin) {
    RETURN_IF_ERROR(Begin());
  }
  while (stage_ == Stage::kEntries && made_.size() < kPieceBytes) {
    RETURN_IF_ERROR(Advance());
  }
  if (made_.empty()) {
    return std::nullopt;
  }
  return std::optional(std::exchange(made_, {}));
}

}  // namespace atrium::files

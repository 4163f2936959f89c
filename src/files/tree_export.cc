// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/tree_export.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/descriptor.h"
#include "base/error.h"
#include "files/file_body.h"
#include "files/keys.h"
#include "files/library_cipher.h"
#include "files/library_reader.h"
#include "files/state_verification.h"
#include "files/tree_diff.h"
#include "store/store.h"

namespace atrium::files {
namespace {

namespace fs = std::filesystem;

constexpr store::OpContext kOp = store::OpContext::ForWork("files.export");
constexpr std::size_t kDamagedListed = 1000;
constexpr std::uint64_t kFilesBetweenReports = 100;

std::unexpected<Error> CannotWrite(const fs::path& path, int error) {
  return Fail(ErrorCode::kUnavailable,
              "cannot write " + path.string() + ": " + std::strerror(error));
}

Result<void> MakeEmptyFolder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    return CannotWrite(folder, error.value());
  }
  const bool is_empty = fs::is_empty(folder, error);
  if (error) {
    return CannotWrite(folder, error.value());
  }
  return is_empty ? Result<void>()
                  : Fail(ErrorCode::kAlreadyExists, folder.string() + " is not empty");
}

Result<std::shared_ptr<const LibraryKey>> KeyFor(const Library& library,
                                                 const std::optional<std::string>& password) {
  if (!library.lock) {
    return nullptr;
  }
  if (!password) {
    return Fail(ErrorCode::kPermissionDenied, "the library is encrypted: its password is needed");
  }
  ASSIGN_OR_RETURN(LibraryKey key, UnlockLibrary(*library.lock, library.id, *password));
  return std::make_shared<const LibraryKey>(std::move(key));
}

Result<void> WriteAll(int descriptor, std::string_view bytes, const fs::path& path) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) {
      return CannotWrite(path, errno);
    }
    bytes.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
  }
  return {};
}

/// What is wrong with what is stored, not with the folder.
bool IsDamage(const Error& error) {
  return error.code == ErrorCode::kCorrupt || error.code == ErrorCode::kNotFound ||
         error.code == ErrorCode::kInvalidArgument;
}

class Exporter {
 public:
  Exporter(const Content& content, const TreeToExport& wanted,
           std::shared_ptr<const LibraryKey> key, ExportedTree& done)
      : content_(content), wanted_(wanted), key_(std::move(key)), done_(done) {}

  Result<void> Run(const ObjectId& root, const WorkSigns& signs) {
    LibraryReader objects(content_, kOp, wanted_.library);
    PatientReader reader(objects);
    std::uint64_t holes = 0;
    std::string path = "/";
    TreeDiff diff(reader, ObjectId(), root);
    while (!signs.stop.stop_requested()) {
      ASSIGN_OR_RETURN(const auto change, diff.Next());
      if (reader.Holes() != holes) {
        holes = reader.Holes();
        TellDamage(path);
      }
      if (!change) {
        return {};
      }
      path = change->path;
      RETURN_IF_ERROR(Write(reader, *change));
      if (done_.files % kFilesBetweenReports == 0) {
        signs.progress(std::to_string(done_.files) + " files");
      }
    }
    return FailPrivately(ErrorCode::kUnavailable, "stopped before the end");
  }

 private:
  void TellDamage(const std::string& path) {
    ++done_.damaged_count;
    if (done_.damaged.size() < kDamagedListed) {
      done_.damaged.push_back(path);
    }
  }

  Result<void> Write(ObjectReader& reader, const TreeChange& change) {
    // Names in trees hold neither slashes nor dots alone, so this stays below the folder.
    fs::path path = wanted_.folder;
    path += change.path;
    if (change.after->IsDirectory()) {
      if (::mkdir(path.c_str(), 0777) != 0) {
        return CannotWrite(path, errno);
      }
      ++done_.folders;
      return {};
    }
    Result<void> written = WriteFile(reader, *change.after, path);
    if (written || !IsDamage(written.error())) {
      return written;
    }
    ::unlink(path.c_str());
    TellDamage(std::string(change.path));
    return {};
  }

  Result<void> WriteFile(ObjectReader& reader, const Dirent& entry, const fs::path& path) {
    ASSIGN_OR_RETURN(FileObject file, reader.ReadFile(entry.id));
    const mode_t mode = (entry.mode & 0100U) != 0 ? 0777 : 0666;
    const Descriptor out(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (out.Get() < 0) {
      return CannotWrite(path, errno);
    }
    std::uint64_t bytes = 0;
    FileBody body(content_, wanted_.library, std::move(file), key_);
    while (true) {
      ASSIGN_OR_RETURN(const auto piece, body.Next());
      if (!piece) {
        break;
      }
      RETURN_IF_ERROR(WriteAll(out.Get(), *piece, path));
      bytes += piece->size();
    }
    const timespec when{.tv_sec = entry.mtime, .tv_nsec = 0};
    const timespec times[2] = {when, when};
    // A time that this file system does not know is no loss of content.
    static_cast<void>(::futimens(out.Get(), times));
    ++done_.files;
    done_.bytes += bytes;
    return {};
  }

  const Content& content_;
  const TreeToExport& wanted_;
  const std::shared_ptr<const LibraryKey> key_;
  ExportedTree& done_;
};

}  // namespace

Result<ExportedTree> ExportTree(const store::Ground& ground, const Content& content,
                                const TreeToExport& wanted, const WorkSigns& signs) {
  ASSIGN_OR_RETURN(const auto found,
                   store::Find(ground.store, kOp, Libraries(), LibraryRowKey(wanted.library)));
  if (!found) {
    return Fail(ErrorCode::kNotFound, "there is no such library");
  }
  const Library& library = found->record;
  ObjectId root = library.root;
  if (wanted.commit) {
    ASSIGN_OR_RETURN(const auto commit, content.FindCommit(kOp, library.id, *wanted.commit));
    if (!commit) {
      return Fail(ErrorCode::kNotFound, "the library has no commit " + wanted.commit->Render());
    }
    root = commit->root;
  }
  ASSIGN_OR_RETURN(auto key, KeyFor(library, wanted.password));
  RETURN_IF_ERROR(MakeEmptyFolder(wanted.folder));
  ExportedTree done{.name = library.name, .commit = wanted.commit.value_or(library.head).Render()};
  RETURN_IF_ERROR(Exporter(content, wanted, std::move(key), done).Run(root, signs));
  return done;
}

}  // namespace atrium::files

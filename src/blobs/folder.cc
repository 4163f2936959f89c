// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <boost/describe/class.hpp>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "base/json_read.h"
#include "base/json_write.h"

namespace atrium::blobs {
namespace {

namespace fs = std::filesystem;

constexpr unsigned kFormat = 1;
constexpr std::size_t kFormatFileBytesMax = 4096;
constexpr std::string_view kPackEnding = ".pack";
constexpr std::size_t kNumberDigits = 16;

/// What the file FORMAT says.
struct FormatFile {
  unsigned atrium_blobs = kFormat;
  Uuid folder{};
};
BOOST_DESCRIBE_STRUCT(FormatFile, (), (atrium_blobs, folder))

std::unexpected<Error> Refuse(const fs::path& path, const std::string& why) {
  return Fail(ErrorCode::kRefusedByState, path.string() + ": " + why);
}

Result<Descriptor> Lock(const fs::path& path) {
  const fs::path file = path / "LOCK";
  Descriptor lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (lock.Get() < 0) {
    return SystemFailure("open " + file.string(), errno);
  }
  if (::flock(lock.Get(), LOCK_EX | LOCK_NB) != 0) {
    return Fail(ErrorCode::kUnavailable, path.string() + ": another process has these blobs open");
  }
  return lock;
}

/// Names in a folder, files and folders alike.
Result<std::vector<fs::path>> NamesIn(const fs::path& folder) {
  std::error_code failure;
  std::vector<fs::path> names;
  for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    names.push_back(entry->path().filename());
  }
  if (failure && failure != std::errc::no_such_file_or_directory) {
    return SystemFailure("list " + folder.string(), failure.value());
  }
  return names;
}

std::optional<std::uint64_t> PackNumberOf(const std::string& name) {
  if (name.size() != kNumberDigits + kPackEnding.size() || !name.ends_with(kPackEnding)) {
    return std::nullopt;
  }
  std::uint64_t number = 0;
  const char* const end = name.data() + kNumberDigits;
  const auto [read, failure] = std::from_chars(name.data(), end, number, 16);
  return failure == std::errc() && read == end ? std::optional(number) : std::nullopt;
}

Result<FormatFile> ReadFormat(const fs::path& path, std::string_view text) {
  // An older or newer format may have other members, so its number is looked at first.
  Result<FormatFile> read = FromJson<FormatFile>(
      text, {.unknown = OnUnknown::kIgnore, .missing = OnMissing::kKeepDefault});
  if (!read) {
    return Refuse(path, "FORMAT cannot be read: " + read.error().detail);
  }
  if (read->atrium_blobs > kFormat) {
    return Refuse(path, "these blobs were written by a newer version of Atrium");
  }
  return read;
}

Result<void> WriteFormat(const fs::path& path, const FormatFile& format, Disk& disk) {
  const fs::path unfinished = path / "FORMAT.new";
  RETURN_IF_ERROR(RemoveFile(unfinished));
  ASSIGN_OR_RETURN(const Descriptor file, CreateToWrite(unfinished));
  std::string text = ToJson(format) + "\n";
  iovec piece{.iov_base = text.data(), .iov_len = text.size()};
  RETURN_IF_ERROR(disk.Write(file.Get(), std::span(&piece, 1), 0));
  RETURN_IF_ERROR(disk.Sync(file.Get()));
  RETURN_IF_ERROR(MoveFile(unfinished, path / "FORMAT"));
  return disk.SyncFolder(path);
}

}  // namespace

Result<Folder> Folder::Open(const fs::path& path, const Uuid& new_id, Disk& disk) {
  std::error_code failure;
  fs::create_directories(path.parent_path(), failure);
  RETURN_IF_ERROR(MakeFolder(path));
  ASSIGN_OR_RETURN(Descriptor lock, Lock(path));
  Folder folder(path, std::move(lock));
  RETURN_IF_ERROR(folder.Identify(new_id, disk));
  RETURN_IF_ERROR(folder.MakeFolders(disk));
  RETURN_IF_ERROR(folder.EmptyTemporary());
  return folder;
}

Result<void> Folder::Identify(const Uuid& new_id, Disk& disk) {
  if (const Result<Descriptor> file = OpenToRead(path_ / "FORMAT"); file) {
    ASSIGN_OR_RETURN(const std::string text, ReadAt(file->Get(), 0, kFormatFileBytesMax));
    ASSIGN_OR_RETURN(const FormatFile format, ReadFormat(path_, text));
    id_ = format.folder;
    return {};
  } else if (file.error().code != ErrorCode::kNotFound) {
    return std::unexpected(file.error());
  }
  ASSIGN_OR_RETURN(const std::vector<fs::path> names, NamesIn(path_));
  for (const fs::path& name : names) {
    if (name != "LOCK" && name != "FORMAT.new") {
      return Refuse(path_, "not empty, and not a folder of blobs: FORMAT is missing");
    }
  }
  id_ = new_id;
  return WriteFormat(path_, {.folder = id_}, disk);
}

Result<void> Folder::CheckPresent() const {
  if (const Result<Descriptor> format = OpenToRead(path_ / "FORMAT"); !format) {
    return FailPrivately(ErrorCode::kUnavailable,
                         "the folder of the blobs went away: " + format.error().detail);
  }
  return {};
}

Result<void> Folder::MakeFolders(Disk& disk) const {
  for (const char* name : {"packs", "files", "temporary", "set-aside"}) {
    RETURN_IF_ERROR(MakeFolder(path_ / name));
  }
  RETURN_IF_ERROR(disk.SyncFolder(path_));
  const fs::path parent = path_.parent_path();
  return disk.SyncFolder(parent.empty() ? "." : parent);
}

Result<void> Folder::EmptyTemporary() const {
  ASSIGN_OR_RETURN(const std::vector<fs::path> names, NamesIn(Temporary()));
  for (const fs::path& name : names) {
    RETURN_IF_ERROR(RemoveFile(Temporary() / name));
  }
  return {};
}

fs::path Folder::PackAt(std::uint64_t number) const {
  return Packs() / fmt::format("{:016x}{}", number, kPackEnding);
}

fs::path Folder::FileAt(const BlobId& id) const {
  const std::string name = id.Render();
  return Files() / name.substr(0, 2) / name.substr(2, 2) / name;
}

fs::path Folder::NewSetAside(const BlobId& id) const {
  const fs::path path = path_ / "set-aside" / id.Render();
  std::error_code failure;
  fs::path free = path;
  for (int number = 2; fs::exists(free, failure); ++number) {
    free = path.string() + fmt::format(".{}", number);
  }
  return free;
}

Result<std::vector<std::uint64_t>> Folder::ListPacks() const {
  ASSIGN_OR_RETURN(const std::vector<fs::path> names, NamesIn(Packs()));
  std::vector<std::uint64_t> numbers;
  for (const fs::path& name : names) {
    if (const auto number = PackNumberOf(name.string())) {
      numbers.push_back(*number);
    }
  }
  std::ranges::sort(numbers);
  return numbers;
}

Result<std::vector<BlobId>> Folder::ListFiles(std::uint8_t first_byte) const {
  const fs::path first = Files() / fmt::format("{:02x}", first_byte);
  ASSIGN_OR_RETURN(const std::vector<fs::path> seconds, NamesIn(first));
  std::vector<BlobId> ids;
  for (const fs::path& second : seconds) {
    ASSIGN_OR_RETURN(const std::vector<fs::path> names, NamesIn(first / second));
    for (const fs::path& name : names) {
      const Result<BlobId> id = BlobId::Parse(name.string());
      if (id && FileAt(*id) == first / second / name) {
        ids.push_back(*id);
      }
    }
  }
  std::ranges::sort(ids);
  return ids;
}

}  // namespace atrium::blobs

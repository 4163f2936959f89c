// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "files/json_scanner.h"
#include "files/names.h"
#include "files/objects.h"

namespace atrium::files {
namespace {

constexpr std::int64_t kFileType = 1;
constexpr std::int64_t kDirectoryType = 3;

struct EntryFields {
  std::optional<ObjectId> id{};
  std::optional<std::int64_t> mode{};
  std::optional<std::string> modifier{};
  std::optional<std::int64_t> mtime{};
  std::optional<std::string> name{};
  std::optional<std::int64_t> size{};
};

struct ObjectFields {
  std::optional<std::vector<Dirent>> entries{};
  std::optional<std::vector<BlockId>> blocks{};
  std::optional<std::int64_t> size{};
  std::optional<std::int64_t> type{};
  std::optional<std::int64_t> version{};
};

std::unexpected<Error> Missing(const JsonScanner& scanner, std::string_view key) {
  return scanner.Fault(std::string("there is no \"").append(key).append("\" before this"));
}

Result<void> ReadEntryField(JsonScanner& scanner, std::string_view key, EntryFields& fields) {
  if (key == "id") {
    return scanner.ReadOnce(fields.id);
  }
  if (key == "mode") {
    return scanner.ReadOnce(fields.mode);
  }
  if (key == "modifier") {
    return scanner.ReadOnce(fields.modifier);
  }
  if (key == "mtime") {
    return scanner.ReadOnce(fields.mtime);
  }
  if (key == "name") {
    return scanner.ReadOnce(fields.name);
  }
  return key == "size" ? scanner.ReadOnce(fields.size) : scanner.Skip();
}

bool IsKnownMode(std::int64_t mode) {
  constexpr std::int64_t kRights = 0777;
  const std::int64_t kind = mode & ~kRights;
  return kind == kDirectoryMode || kind == (kFileMode & ~kRights);
}

Result<void> RequireEntryFields(const JsonScanner& scanner, const EntryFields& fields) {
  if (!fields.id) {
    return Missing(scanner, "id");
  }
  if (!fields.mode) {
    return Missing(scanner, "mode");
  }
  if (!fields.mtime) {
    return Missing(scanner, "mtime");
  }
  if (!fields.name) {
    return Missing(scanner, "name");
  }
  if (!IsKnownMode(*fields.mode)) {
    return scanner.Fault("the mode is neither that of a file nor that of a directory");
  }
  if (const Result<void> named = CheckName(*fields.name); !named) {
    return scanner.Fault(named.error().client_message);
  }
  return {};
}

/// Only files have these; some writers give them to directories, too, and mean nothing by it.
Result<void> TakeFileFields(const JsonScanner& scanner, EntryFields& fields, Dirent& entry) {
  if (!fields.modifier) {
    return Missing(scanner, "modifier");
  }
  if (!fields.size) {
    return Missing(scanner, "size");
  }
  if (*fields.size < 0) {
    return scanner.Fault("the size is negative");
  }
  entry.modifier = std::move(*fields.modifier);
  entry.size = *fields.size;
  return {};
}

Result<Dirent> ReadEntry(JsonScanner& scanner) {
  EntryFields fields;
  RETURN_IF_ERROR(scanner.ReadObject(
      [&](std::string_view key) { return ReadEntryField(scanner, key, fields); }));
  RETURN_IF_ERROR(RequireEntryFields(scanner, fields));
  Dirent entry{.id = *fields.id,
               .mode = static_cast<std::uint32_t>(*fields.mode),
               .mtime = *fields.mtime,
               .name = std::move(*fields.name)};
  if (!entry.IsDirectory()) {
    RETURN_IF_ERROR(TakeFileFields(scanner, fields, entry));
  }
  return entry;
}

Result<void> ReadEntries(JsonScanner& scanner, std::optional<std::vector<Dirent>>& entries) {
  if (entries) {
    return scanner.Fault("the key comes twice");
  }
  entries.emplace();
  return scanner.ReadArray([&]() -> Result<void> {
    ASSIGN_OR_RETURN(Dirent entry, ReadEntry(scanner));
    if (!entries->empty() && entry.name == entries->back().name) {
      return scanner.Fault("two entries are named " + entry.name);
    }
    if (!entries->empty() && entry.name > entries->back().name) {
      return scanner.Fault("the entries are not in descending order of their names");
    }
    entries->push_back(std::move(entry));
    return {};
  });
}

Result<void> ReadBlocks(JsonScanner& scanner, std::optional<std::vector<BlockId>>& blocks) {
  if (blocks) {
    return scanner.Fault("the key comes twice");
  }
  blocks.emplace();
  return scanner.ReadArray([&]() -> Result<void> {
    RETURN_IF_ERROR(scanner.Read(blocks->emplace_back()));
    if (IsZero(blocks->back())) {
      return scanner.Fault("the zero id is no block");
    }
    return {};
  });
}

Result<void> ReadObjectField(JsonScanner& scanner, std::string_view key, ObjectFields& fields) {
  if (key == "dirents") {
    return ReadEntries(scanner, fields.entries);
  }
  if (key == "block_ids") {
    return ReadBlocks(scanner, fields.blocks);
  }
  if (key == "size") {
    return scanner.ReadOnce(fields.size);
  }
  if (key == "type") {
    return scanner.ReadOnce(fields.type);
  }
  return key == "version" ? scanner.ReadOnce(fields.version) : scanner.Skip();
}

Result<FsObject> MakeFile(const JsonScanner& scanner, ObjectFields& fields) {
  if (!fields.blocks) {
    return Missing(scanner, "block_ids");
  }
  if (!fields.size) {
    return Missing(scanner, "size");
  }
  if (*fields.size < 0) {
    return scanner.Fault("the size is negative");
  }
  if (*fields.size > 0 && fields.blocks->empty()) {
    return scanner.Fault("a file with a size has no blocks");
  }
  return FileObject{.blocks = std::move(*fields.blocks), .size = *fields.size};
}

Result<FsObject> MakeDirectory(const JsonScanner& scanner, ObjectFields& fields) {
  if (!fields.entries) {
    return Missing(scanner, "dirents");
  }
  ASSIGN_OR_RETURN(Directory directory, Directory::Make(std::move(*fields.entries)));
  return directory;
}

template <typename Kind>
Result<Kind> ParseKind(std::string_view text, std::string_view kind) {
  ASSIGN_OR_RETURN(FsObject object, ParseObject(text));
  if (Kind* wanted = std::get_if<Kind>(&object)) {
    return std::move(*wanted);
  }
  return Fail(ErrorCode::kInvalidArgument, std::string("type: expected that of ").append(kind));
}

}  // namespace

Result<FsObject> ParseObject(std::string_view text) {
  if (text.size() > kObjectBytesMax) {
    return Fail(ErrorCode::kLimitExceeded,
                "an object has at most " + std::to_string(kObjectBytesMax) + " bytes");
  }
  JsonScanner scanner(text);
  ObjectFields fields;
  RETURN_IF_ERROR(scanner.ReadObject(
      [&](std::string_view key) { return ReadObjectField(scanner, key, fields); }));
  RETURN_IF_ERROR(scanner.Finish());
  if (fields.version != 1) {
    return Fail(ErrorCode::kInvalidArgument, "version: expected 1");
  }
  if (fields.type == kDirectoryType) {
    return MakeDirectory(scanner, fields);
  }
  if (fields.type == kFileType) {
    return MakeFile(scanner, fields);
  }
  return Fail(ErrorCode::kInvalidArgument, "type: expected 1 or 3");
}

Result<Directory> ParseDirectory(std::string_view text) {
  return ParseKind<Directory>(text, "a directory");
}

Result<FileObject> ParseFile(std::string_view text) {
  return ParseKind<FileObject>(text, "a file");
}

}  // namespace atrium::files

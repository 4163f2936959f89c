// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/result.h"
#include "files/object_id.h"
#include "files/objects.h"

namespace atrium::files {

/// How deep folders may nest: as deep as the longest path of a Mac. Deeper trees are kLimitExceeded
/// wherever they are walked. What the directories of all levels take of memory has a bound of its
/// own (tree_memory.h).
inline constexpr std::size_t kTreeDepthMax = 512;

/// How many entries one walk looks at unless it is told otherwise. A tree can be far larger than
/// what is stored of it, since one folder can be in many others: walks that have no use for all
/// paths remember folders (tree_diff.h), and what is remembered counts, too.
inline constexpr std::uint64_t kWalkedEntriesMax = 20'000'000;

/// How many entries a tree may have that becomes the state of a library, and a change of one: no
/// client could hold more. So walks that need all paths end, too.
inline constexpr std::uint64_t kPublishedEntriesMax = 10'000'000;

/// Where the objects of one library are. What all rules about trees read from.
class ObjectReader {
 public:
  ObjectReader() = default;
  ObjectReader(const ObjectReader&) = delete;
  ObjectReader& operator=(const ObjectReader&) = delete;
  virtual ~ObjectReader() = default;

  /// The zero id is the empty directory. An object that is not there or is of another kind is an
  /// error: what names an id promises that it exists.
  Result<std::shared_ptr<const Directory>> ReadDirectory(const ObjectId& id);

  /// The zero id is the empty file.
  Result<FileObject> ReadFile(const ObjectId& id);

 private:
  /// Neither is called with the zero id.
  virtual Result<std::shared_ptr<const Directory>> LoadDirectory(const ObjectId& id) = 0;
  virtual Result<FileObject> LoadFile(const ObjectId& id) = 0;
};

/// An object that was made here and is to be stored.
struct NewObject {
  ObjectId id{};
  /// Canonical, not compressed.
  std::string text{};
};

/// Takes the objects that rules about trees make, each after those that it names.
class ObjectWriter {
 public:
  ObjectWriter() = default;
  ObjectWriter(const ObjectWriter&) = delete;
  ObjectWriter& operator=(const ObjectWriter&) = delete;
  virtual ~ObjectWriter() = default;

  /// The id of the object, which is stored unless it is empty. kLimitExceeded when it is longer
  /// than kObjectBytesMax.
  Result<ObjectId> Write(const Directory& directory);
  Result<ObjectId> Write(const FileObject& file);

 private:
  Result<ObjectId> WriteText(std::string text);

  /// The same object may come more than once, and may be stored already.
  virtual Result<void> Store(NewObject object) = 0;
};

/// Keeps what is written, each object once, for a commit that follows.
class CollectedObjects final : public ObjectWriter {
 public:
  const std::vector<NewObject>& Objects() const { return objects_; }

 private:
  Result<void> Store(NewObject object) override;

  std::vector<NewObject> objects_;
  std::unordered_set<ObjectId> ids_;
};

}  // namespace atrium::files

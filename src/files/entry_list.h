// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "files/content.h"
#include "files/library_reader.h"
#include "files/object_id.h"
#include "files/objects.h"
#include "files/tree_diff.h"
#include "http/body.h"
#include "store/op_context.h"

namespace atrium::files {

/// What of a folder is listed, and how.
struct EntryListOrder {
  LibraryId library{};
  ObjectId folder{};
  /// Where it is: "/" or "/folder".
  std::string path{};
  enum class Kinds : std::uint8_t { kAll, kFiles, kFolders };
  Kinds kinds = Kinds::kAll;
  /// With all folders in it.
  bool is_recursive = false;
  /// Appends one entry of that folder as a JSON document.
  std::function<void(std::string& out, const Dirent& entry, std::string_view folder)> append{};
  /// Around the list of entries.
  std::string before = "[";
  std::string after = "]";
};

/// The entries of a folder as JSON, made while it is sent: one folder of each level is in memory,
/// however much is listed. Folders come first and names ascend where one folder is listed.
class EntryList final : public http::BodySource {
 public:
  /// Fails where the folder cannot be read. Content outlives the list.
  static Result<std::unique_ptr<http::BodySource>> Open(const Content& content,
                                                        const store::OpContext& op,
                                                        EntryListOrder order);

  Result<std::optional<std::string>> Next() override;

 private:
  EntryList(const Content& content, EntryListOrder order,
            std::shared_ptr<const Directory> directory);

  void SortEntries();
  bool IsWanted(const Dirent& entry) const;
  void Append(std::string& piece, const Dirent& entry, std::string_view folder);
  /// False at the end.
  Result<bool> AppendNext(std::string& piece);
  Result<bool> AppendNextBelow(std::string& piece);

  const store::OpContext op_ = store::OpContext::ForWork("files.list");
  const EntryListOrder order_;
  const std::shared_ptr<const Directory> directory_;
  LibraryReader reader_;
  TreeDiff walk_;
  std::vector<const Dirent*> sorted_;
  std::size_t at_ = 0;
  enum class Stage : std::uint8_t { kBegin, kEntries, kOver };
  Stage stage_ = Stage::kBegin;
  bool is_first_ = true;
};

}  // namespace atrium::files

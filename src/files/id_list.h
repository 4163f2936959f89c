// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "files/content.h"
#include "files/library_reader.h"
#include "files/object_id.h"
#include "files/tree_diff.h"
#include "http/body.h"
#include "store/op_context.h"

namespace atrium::files {

/// Which objects a client is to ask for.
struct WantedIds {
  LibraryId library{};
  /// What the client has, all of it; zero: nothing.
  ObjectId has{};
  /// What it is to have.
  ObjectId wants{};
  /// Only those of folders.
  bool folders_only = false;
};

/// The ids of objects that a client lacks as a JSON array, made while it is sent, so that a library
/// of any size needs no more memory than the folders between the root and where the walk is, and
/// what a walk remembers. An id that is in several places may come several times.
class IdList final : public http::BodySource {
 public:
  /// Content outlives the list.
  IdList(const Content& content, const WantedIds& wanted);

  Result<std::optional<std::string>> Next() override;

 private:
  void Append(const ObjectId& id, std::string& piece);
  Result<void> AppendNext(std::string& piece);

  const store::OpContext op_ = store::OpContext::ForWork("files.ids");
  const WantedIds wanted_;
  LibraryReader reader_;
  FolderMemory folders_;
  TreeDiff diff_;
  enum class Stage : std::uint8_t { kBegin, kWalk, kEnd, kOver };
  Stage stage_ = Stage::kBegin;
  bool is_first_ = true;
};

}  // namespace atrium::files

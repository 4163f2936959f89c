// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/entry_list.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace atrium::files {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{64} << 10;

}  // namespace

Result<std::unique_ptr<http::BodySource>> EntryList::Open(const Content& content,
                                                          const store::OpContext& op,
                                                          EntryListOrder order) {
  ASSIGN_OR_RETURN(std::shared_ptr<const Directory> directory,
                   LibraryReader(content, op, order.library).ReadDirectory(order.folder));
  return std::unique_ptr<http::BodySource>(
      new EntryList(content, std::move(order), std::move(directory)));
}

EntryList::EntryList(const Content& content, EntryListOrder order,
                     std::shared_ptr<const Directory> directory)
    : order_(std::move(order)),
      directory_(std::move(directory)),
      reader_(content, op_, order_.library),
      walk_(reader_, {}, order_.folder) {
  if (!order_.is_recursive) {
    SortEntries();
  }
}

bool EntryList::IsWanted(const Dirent& entry) const {
  using Kinds = EntryListOrder::Kinds;
  return order_.kinds == Kinds::kAll || entry.IsDirectory() == (order_.kinds == Kinds::kFolders);
}

void EntryList::SortEntries() {
  for (const Dirent& entry : directory_->Entries()) {
    if (IsWanted(entry)) {
      sorted_.push_back(&entry);
    }
  }
  std::ranges::sort(sorted_, [](const Dirent* one, const Dirent* other) {
    return std::tuple(!one->IsDirectory(), std::string_view(one->name)) <
           std::tuple(!other->IsDirectory(), std::string_view(other->name));
  });
}

void EntryList::Append(std::string& piece, const Dirent& entry, std::string_view folder) {
  if (!is_first_) {
    piece += ",";
  }
  is_first_ = false;
  order_.append(piece, entry, folder);
}

Result<bool> EntryList::AppendNextBelow(std::string& piece) {
  ASSIGN_OR_RETURN(const std::optional<TreeChange> change, walk_.Next());
  if (!change) {
    return false;
  }
  if (IsWanted(*change->after)) {
    // "/name" or "/folder/name", from where the list begins.
    const std::string_view below = change->path.substr(0, change->path.rfind('/'));
    std::string folder = order_.path == "/" ? "" : order_.path;
    folder += below;
    Append(piece, *change->after, folder.empty() ? "/" : folder);
  }
  return true;
}

Result<bool> EntryList::AppendNext(std::string& piece) {
  if (order_.is_recursive) {
    return AppendNextBelow(piece);
  }
  if (at_ == sorted_.size()) {
    return false;
  }
  Append(piece, *sorted_[at_++], order_.path);
  return true;
}

Result<std::optional<std::string>> EntryList::Next() {
  if (stage_ == Stage::kOver) {
    return std::nullopt;
  }
  std::string piece;
  if (stage_ == Stage::kBegin) {
    piece = order_.before;
    stage_ = Stage::kEntries;
  }
  while (piece.size() < kPieceBytes) {
    ASSIGN_OR_RETURN(const bool more, AppendNext(piece));
    if (!more) {
      piece += order_.after;
      stage_ = Stage::kOver;
      break;
    }
  }
  return std::optional(std::move(piece));
}

}  // namespace atrium::files

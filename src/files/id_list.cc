// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/id_list.h"

#include <cstddef>
#include <utility>

namespace atrium::files {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{32} << 10;

}  // namespace

IdList::IdList(const Content& content, const WantedIds& wanted)
    : wanted_(wanted),
      reader_(content, op_, wanted.library),
      diff_(reader_, wanted.has, wanted.wants,
            {.removed = RemovedFolders::kSkip, .memory = &folders_}) {}

void IdList::Append(const ObjectId& id, std::string& piece) {
  piece += is_first_ ? "\"" : ",\"";
  is_first_ = false;
  id.value().AppendTo(piece);
  piece += '"';
}

Result<void> IdList::AppendNext(std::string& piece) {
  ASSIGN_OR_RETURN(const std::optional<TreeChange> change, diff_.Next());
  if (!change) {
    stage_ = Stage::kEnd;
    return {};
  }
  const Dirent* after = change->after;
  const bool is_new = after != nullptr && !IsZero(after->id) &&
                      (change->before == nullptr || change->before->id != after->id);
  if (is_new && (after->IsDirectory() || !wanted_.folders_only)) {
    Append(after->id, piece);
  }
  return {};
}

Result<std::optional<std::string>> IdList::Next() {
  if (stage_ == Stage::kOver) {
    return std::nullopt;
  }
  std::string piece;
  if (stage_ == Stage::kBegin) {
    piece += '[';
    if (wanted_.wants != wanted_.has && !IsZero(wanted_.wants)) {
      Append(wanted_.wants, piece);
    }
    stage_ = Stage::kWalk;
  }
  while (stage_ == Stage::kWalk && piece.size() < kPieceBytes) {
    RETURN_IF_ERROR(AppendNext(piece));
  }
  if (stage_ == Stage::kEnd) {
    piece += ']';
    stage_ = Stage::kOver;
  }
  return std::optional(std::move(piece));
}

}  // namespace atrium::files

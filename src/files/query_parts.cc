// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/query_parts.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace atrium::files {

Result<std::optional<CommitId>> FindCommitField(const Fields& fields, std::string_view name) {
  const auto text = fields.Find(name);
  if (!text || text->empty()) {
    return std::nullopt;
  }
  const Result<CommitId> commit = CommitId::Parse(*text);
  if (!commit) {
    return Fail(ErrorCode::kInvalidArgument,
                std::string(name) + ": 40 hexadecimal digits in lower case");
  }
  return std::optional(*commit);
}

Result<CommitId> RequireCommit(const Fields& fields, std::string_view name) {
  ASSIGN_OR_RETURN(const auto commit, FindCommitField(fields, name));
  if (!commit) {
    return Fail(ErrorCode::kInvalidArgument, std::string(name) + ": is required");
  }
  return *commit;
}

Result<std::uint64_t> ReadCount(const Fields& fields, std::string_view name,
                                const CountRange& range) {
  const auto text = fields.Find(name);
  if (!text || text->empty()) {
    return range.otherwise;
  }
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), count);
  if (error != std::errc() || end != text->data() + text->size() || count == 0) {
    return Fail(ErrorCode::kInvalidArgument, std::string(name) + ": a number from 1 on");
  }
  return std::min(count, range.most);
}

Result<PageFields> ReadPage(const Fields& fields, const CountRange& per_page) {
  PageFields page;
  ASSIGN_OR_RETURN(page.page, ReadCount(fields, "page", {}));
  ASSIGN_OR_RETURN(page.per_page, ReadCount(fields, "per_page", per_page));
  return page;
}

Result<TreePath> RequirePastPath(const Fields& fields) {
  return fields.RequirePath(fields.Find("path") ? "path" : "p");
}

}  // namespace atrium::files

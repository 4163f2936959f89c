// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/tree_path.h"

#include <algorithm>
#include <span>

#include "files/names.h"
#include "files/tree.h"

namespace atrium::files {

Result<TreePath> TreePath::Parse(std::string_view text) {
  if (text.size() > kPathBytesMax) {
    return Fail(ErrorCode::kLimitExceeded,
                "path: longer than " + std::to_string(kPathBytesMax) + " bytes");
  }
  TreePath path;
  while (!text.empty()) {
    const std::size_t slash = std::min(text.find('/'), text.size());
    if (slash > 0) {
      RETURN_IF_ERROR(path.Append(text.substr(0, slash)));
    }
    text.remove_prefix(std::min(slash + 1, text.size()));
  }
  return path;
}

std::string TreePath::Render() const {
  std::string text;
  for (const std::string& part : parts_) {
    text.append("/").append(part);
  }
  return IsRoot() ? "/" : text;
}

TreePath TreePath::Parent() const {
  return TreePath({parts_.begin(), parts_.end() - 1});
}

Result<TreePath> TreePath::Child(std::string_view name) const {
  TreePath child = *this;
  RETURN_IF_ERROR(child.Append(name));
  return child;
}

Result<void> TreePath::Append(std::string_view name) {
  if (const Result<void> named = CheckName(name); !named) {
    return Fail(ErrorCode::kInvalidArgument, "path: " + named.error().client_message);
  }
  if (parts_.size() >= kTreeDepthMax) {
    return Fail(ErrorCode::kLimitExceeded, "path: nested too deeply");
  }
  parts_.emplace_back(name);
  return {};
}

bool TreePath::IsWithin(const TreePath& folder) const {
  return parts_.size() >= folder.parts_.size() &&
         std::ranges::equal(folder.parts_, std::span(parts_).first(folder.parts_.size()));
}

}  // namespace atrium::files

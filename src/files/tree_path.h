// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace atrium::files {

/// What the longest path of Linux is, too.
inline constexpr std::size_t kPathBytesMax = 4096;

/// The way from the root of a library to one of its entries, each part of which is a valid name.
/// Starts as the root itself.
class TreePath {
 public:
  TreePath() = default;

  /// Reads "/folder/name". Clients are not careful with slashes, so one at the front may be
  /// missing, one at the end and doubled ones mean nothing; "" and "/" are the root.
  /// kInvalidArgument, "path: ...", when a part is not a valid name, as ".." is none;
  /// kLimitExceeded above kPathBytesMax or kTreeDepthMax.
  static Result<TreePath> Parse(std::string_view text);

  /// "/folder/name", or "/" for the root.
  std::string Render() const;

  const std::vector<std::string>& Parts() const { return parts_; }
  bool IsRoot() const { return parts_.empty(); }

  /// The last part. Not of the root.
  const std::string& Name() const { return parts_.back(); }
  /// Without the last part. Not of the root.
  TreePath Parent() const;
  /// With one part more. As Parse when the name is not valid.
  Result<TreePath> Child(std::string_view name) const;

  /// Whether this is `folder` or somewhere in it.
  bool IsWithin(const TreePath& folder) const;

  friend bool operator==(const TreePath&, const TreePath&) = default;

 private:
  explicit TreePath(std::vector<std::string> parts) : parts_(std::move(parts)) {}

  Result<void> Append(std::string_view name);

  std::vector<std::string> parts_;
};

}  // namespace atrium::files

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace atrium::app {

/// A piece of YAML with the line on which it begins, counted from 1.
struct YamlNode {
  enum class Kind : std::uint8_t { kNothing, kScalar, kList, kMap };

  Kind kind = Kind::kNothing;
  std::size_t line = 1;
  /// Of a scalar.
  std::string text;
  /// Items of a list; of a map, key and value in turns, duplicates included.
  std::vector<YamlNode> children;
};

/// Why a text is not YAML, or not YAML that we read.
struct YamlMistake {
  std::size_t line = 1;
  std::string message;
};

/// The one document of `text`; kNothing when it is empty. Every scalar is its text, whatever YAML
/// takes its type to be, but for a plain null, which is kNothing.
///
/// Bounded on hostile input: 256 KiB, 8 levels, and no anchors, aliases or tags, so nothing in the
/// result is larger than what was written. Refuses bytes that are not UTF-8, control characters
/// and tabs in the indentation before the parser sees them, because its own words about these are
/// of no use.
std::expected<YamlNode, YamlMistake> ParseYaml(std::string_view text);

}  // namespace atrium::app

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace atrium::files {

/// Cuts the content of a file into blocks exactly where clients cut it, so that a file that comes
/// through the web has the id and the blocks of the same file from a desktop.
///
/// A block ends where the fingerprint of the last 48 bytes has a certain value, not before
/// kBlockBytesMin and at kBlockBytesMax at the latest: what is inserted into a file moves no cut
/// further on. The last block ends with the file. An empty file has no blocks. Memory is constant.
class Chunker {
 public:
  static constexpr std::size_t kBlockBytesMin = std::size_t{6} << 20;
  static constexpr std::size_t kBlockBytesMax = std::size_t{10} << 20;

  struct Cut {
    /// How many bytes at the front of the piece belong to the current block. Zero only of an empty
    /// piece.
    std::size_t bytes = 0;
    /// Whether the block ends with them; what is left of the piece begins the next one, and is to
    /// be handed over again.
    bool ends_block = false;
  };

  /// Takes the next bytes of the file, in pieces of any size.
  Cut Take(std::string_view piece);

 private:
  static constexpr std::size_t kWindow = 48;

  std::size_t Skip(std::string_view piece) const;
  void BeginFingerprint(std::string_view taken);
  bool IsCut() const;
  std::size_t Roll(std::string_view piece, std::size_t at, std::size_t end);
  void Remember(std::string_view taken);

  /// How much of the current block was taken.
  std::size_t position_ = 0;
  std::uint32_t fingerprint_ = 0;
  /// What came last before the piece, the oldest byte first.
  std::array<char, kWindow> window_{};
};

}  // namespace atrium::files

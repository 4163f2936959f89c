// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "base/result.h"
#include "base/strong_id.h"
#include "base/uuid.h"

namespace atrium::files {

/// The 20 bytes by which clients name what they store: the SHA-1 of its bytes, or of what a commit
/// says. Starts as the zero id, which names nothing that is stored. Ordered as bytes, which is the
/// order of the texts.
struct Sha1Id {
  Sha1Digest bytes{};

  static constexpr std::size_t kTextLength = 40;

  /// Reads 40 hexadecimal digits in lower case, the only spelling that clients know; anything else
  /// is kInvalidArgument.
  static Result<Sha1Id> Parse(std::string_view text);

  std::string Render() const;
  void AppendTo(std::string& out) const;

  friend auto operator<=>(const Sha1Id&, const Sha1Id&) = default;
};

/// A directory or a file object. Zero is the empty directory and the empty file.
using ObjectId = StrongId<struct ObjectTag, Sha1Id>;
/// Raw bytes of a file; of an encrypted library, the bytes after encryption.
using BlockId = StrongId<struct BlockTag, Sha1Id>;
using CommitId = StrongId<struct CommitTag, Sha1Id>;
using LibraryId = StrongId<struct LibraryTag, Uuid>;

template <typename Tag>
bool IsZero(const StrongId<Tag, Sha1Id>& id) {
  return id == StrongId<Tag, Sha1Id>();
}

/// The name of an object by the bytes of its text, as they were sent and before compression.
ObjectId ObjectIdOf(std::string_view text);
BlockId BlockIdOf(std::string_view bytes);

}  // namespace atrium::files

template <>
struct std::hash<atrium::files::Sha1Id> {
  std::size_t operator()(const atrium::files::Sha1Id& id) const noexcept {
    // A hash already; any eight of its bytes are as good as all.
    std::size_t front = 0;
    std::memcpy(&front, id.bytes.data(), sizeof(front));
    return front;
  }
};

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "files/object_id.h"
#include "files/objects.h"

namespace atrium::files {

/// Of zlib.
class InflateStream;

/// An object on its way between client and server:
///
///   40 bytes  the id, in hexadecimal digits
///    4 bytes  the length of what follows, big-endian
///    n bytes  the text, compressed (RFC 1950)
struct PackedObject {
  ObjectId id{};
  /// Lives as long as what it was read from.
  std::string_view deflated{};
};

/// The longest that compressed text may be: what does not compress at all, and some.
inline constexpr std::size_t kDeflatedBytesMax = kObjectBytesMax + (std::size_t{1} << 20);

void AppendPacked(std::string& out, const PackedObject& object);
/// What goes before the text of an object.
void AppendPackedHead(std::string& out, const ObjectId& id, std::size_t bytes);

/// Takes objects out of a body that arrives in pieces of any size, of which it keeps no more than
/// one object. Each error names the byte of the body at which the object begins; after one, there
/// is nothing more to ask.
class PackReader {
 public:
  void Feed(std::string_view piece);

  /// The next object that has arrived as a whole; it lives until the next call of Feed. nullopt:
  /// more must be fed. kInvalidArgument for an id that is none or is zero, and for an empty object;
  /// kLimitExceeded above kDeflatedBytesMax.
  Result<std::optional<PackedObject>> Next();

  /// How much of what was fed is not handed out yet, and therefore kept.
  std::size_t Kept() const { return Rest().size(); }

  /// kInvalidArgument when the body ended within an object.
  Result<void> Finish() const;

 private:
  std::string_view Rest() const { return std::string_view(buffer_).substr(taken_); }
  std::unexpected<Error> Fault(ErrorCode code, std::string_view problem) const;

  std::string buffer_;
  /// How much of the buffer was handed out.
  std::size_t taken_ = 0;
  /// Where in the body the buffer begins.
  std::uint64_t offset_ = 0;
};

/// Compresses as clients do.
std::string Deflate(std::string_view text);

/// kInvalidArgument for what is not one whole compressed text and nothing else; kLimitExceeded as
/// soon as more than `bytes_max` come out, whatever else would have come.
Result<std::string> Inflate(std::string_view deflated, std::size_t bytes_max = kObjectBytesMax);

/// The same piece by piece, for texts that need not be in memory as a whole. One thread.
class Inflation {
 public:
  Inflation();
  Inflation(const Inflation&) = delete;
  Inflation& operator=(const Inflation&) = delete;
  ~Inflation();

  /// The next compressed bytes; once Take has used up those before.
  void Feed(std::string deflated);
  /// The next bytes of the text, up to `bytes_max` of them. Empty: more must be fed, unless it is
  /// over. kInvalidArgument for what is not a compressed text.
  Result<std::string> Take(std::size_t bytes_max);
  bool IsOver() const { return is_over_; }

 private:
  std::string deflated_;
  std::unique_ptr<InflateStream> stream_;
  bool is_over_ = false;
};

/// An object whose text has its id, and is whole.
struct VerifiedObject {
  std::string text{};
  FsObject object{};
};

/// Inflates, compares the id and parses. kInvalidArgument, naming the id, when any of it fails;
/// kLimitExceeded when the text has more than `bytes_max`.
Result<VerifiedObject> VerifyPacked(const PackedObject& packed,
                                    std::size_t bytes_max = kObjectBytesMax);

}  // namespace atrium::files

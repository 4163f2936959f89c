// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace atrium::http {

/// Bytes `first` to `last`, both included, as HTTP counts them.
struct ByteRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;

  std::uint64_t size() const { return last - first + 1; }
  bool operator==(const ByteRange&) const = default;
};

/// What a Range header asks of a body of known size.
struct RangeChoice {
  enum class Kind : std::uint8_t {
    kWhole,          ///< 200 with everything: the header is to be ignored.
    kParts,          ///< 206 with `parts`: one or more, none overlapping, all inside the body.
    kUnsatisfiable,  ///< 416: every range lies behind the end.
  };

  Kind kind = Kind::kWhole;
  std::vector<ByteRange> parts = {};
};

/// More ranges than this in one header is not reading but an attack; the header is then ignored.
inline constexpr std::size_t kRangesMax = 16;

/// Reads a Range header (RFC 9110 §14.2) for a body of `size` bytes. Never fails: another unit, a
/// syntax error or too many ranges mean the whole body, as the RFC wants.
///
/// Ranges keep the order they were asked in; those that overlap or touch are joined at the place of
/// the first. An empty body cannot be cut: any range in bytes of it is unsatisfiable, except "the
/// last n bytes", which is the whole.
RangeChoice ParseRange(std::string_view header, std::uint64_t size);

/// What the Content-Range of a request says of its body: which part of the whole it is.
struct ContentRange {
  ByteRange part;
  /// Of the whole; absent when the sender did not know it ("bytes 0-99/*").
  std::optional<std::uint64_t> size = {};

  bool operator==(const ContentRange&) const = default;
};

/// Reads "bytes 0-99/1234". kInvalidArgument for any other unit or form, for a part that ends
/// before it begins or behind the whole, and for numbers that do not fit.
Result<ContentRange> ParseContentRange(std::string_view header);

/// The Content-Range of one part: "bytes 0-99/1234".
std::string RenderContentRange(const ByteRange& part, std::uint64_t size);

/// The Content-Range that goes with a 416: "bytes */1234".
std::string RenderUnsatisfiedRange(std::uint64_t size);

}  // namespace atrium::http

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/range.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/grammar.h"
#include "http/headers.h"

namespace atrium::http {
namespace {

constexpr std::uint64_t kOpenEnd = ~std::uint64_t{0};

/// One range as written: "5-9", "5-" or "-5".
struct RangeSpec {
  enum class Kind : std::uint8_t { kFromTo, kSuffix };

  Kind kind = Kind::kFromTo;
  std::uint64_t first = 0;        // kFromTo.
  std::uint64_t last = kOpenEnd;  // kFromTo.
  std::uint64_t length = 0;       // kSuffix.
};

std::optional<RangeSpec> ParseSpec(std::string_view text) {
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) {
    return std::nullopt;
  }
  const std::optional<std::uint64_t> left = ParseDigits(text.substr(0, dash));
  const std::optional<std::uint64_t> right = ParseDigits(text.substr(dash + 1));
  if (dash == 0) {
    if (!right) {
      return std::nullopt;
    }
    return RangeSpec{.kind = RangeSpec::Kind::kSuffix, .length = *right};
  }
  const bool open_ended = dash + 1 == text.size();
  if (!left || (!right && !open_ended) || (right && *right < *left)) {
    return std::nullopt;
  }
  return RangeSpec{.first = *left, .last = right.value_or(kOpenEnd)};
}

/// nullopt for a syntax error, another unit or too many ranges.
std::optional<std::vector<RangeSpec>> ParseSpecs(std::string_view header) {
  const std::string_view unit = TakeUntil(header, '=');
  if (!EqualsIgnoringCase(unit, "bytes")) {
    return std::nullopt;
  }
  std::vector<RangeSpec> specs;
  while (!header.empty()) {
    const std::string_view element = TakeUntil(header, ',');
    if (element.empty()) {
      continue;  // RFC 9110 §5.6.1.2: empty list elements mean nothing.
    }
    const std::optional<RangeSpec> spec = ParseSpec(element);
    if (!spec || specs.size() == kRangesMax) {
      return std::nullopt;
    }
    specs.push_back(*spec);
  }
  if (specs.empty()) {
    return std::nullopt;
  }
  return specs;
}

/// The bytes of a non-empty body that `spec` names; nullopt when it names none.
std::optional<ByteRange> Place(const RangeSpec& spec, std::uint64_t size) {
  if (spec.kind == RangeSpec::Kind::kSuffix) {
    if (spec.length == 0) {
      return std::nullopt;
    }
    return ByteRange{.first = size - std::min(spec.length, size), .last = size - 1};
  }
  if (spec.first >= size) {
    return std::nullopt;
  }
  return ByteRange{.first = spec.first, .last = std::min(spec.last, size - 1)};
}

/// No `+ 1` here can overflow: `last` is below the size of a body.
bool Touch(const ByteRange& left, const ByteRange& right) {
  return left.first <= right.last + 1 && right.first <= left.last + 1;
}

/// Adds `added`, swallowing the parts it touches; the joined part stands where the first of them
/// did.
void Join(std::vector<ByteRange>& parts, ByteRange added) {
  std::size_t place = parts.size();
  // Growing can make it touch a part that was passed already, so start over after each join.
  for (std::size_t i = 0; i < parts.size();) {
    if (!Touch(parts[i], added)) {
      ++i;
      continue;
    }
    added = {.first = std::min(parts[i].first, added.first),
             .last = std::max(parts[i].last, added.last)};
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(i));
    place = std::min(place, i);
    i = 0;
  }
  place = std::min(place, parts.size());
  parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(place), added);
}

bool IsSuffixOfSomething(const RangeSpec& spec) {
  return spec.kind == RangeSpec::Kind::kSuffix && spec.length > 0;
}

}  // namespace

RangeChoice ParseRange(std::string_view header, std::uint64_t size) {
  using Kind = RangeChoice::Kind;
  const std::optional<std::vector<RangeSpec>> specs = ParseSpecs(header);
  if (!specs) {
    return {};
  }
  if (size == 0) {
    const bool whole = std::ranges::any_of(*specs, IsSuffixOfSomething);
    return {.kind = whole ? Kind::kWhole : Kind::kUnsatisfiable, .parts = {}};
  }
  std::vector<ByteRange> parts;
  for (const RangeSpec& spec : *specs) {
    if (const std::optional<ByteRange> part = Place(spec, size)) {
      Join(parts, *part);
    }
  }
  const Kind kind = parts.empty() ? Kind::kUnsatisfiable : Kind::kParts;
  return {.kind = kind, .parts = std::move(parts)};
}

Result<ContentRange> ParseContentRange(std::string_view header) {
  const bool bytes = EqualsIgnoringCase(TakeToken(header), "bytes") && header.starts_with(' ');
  const std::optional<std::uint64_t> first = ParseDigits(TakeUntil(header, '-'));
  const std::optional<std::uint64_t> last = ParseDigits(TakeUntil(header, '/'));
  const std::optional<std::uint64_t> size = ParseDigits(TrimSpace(header));
  const bool well_formed = bytes && first && last && (size || TrimSpace(header) == "*");
  // Digits that do not fit become the largest number there is.
  if (!well_formed || size == kOpenEnd || *first > *last || *last >= size.value_or(kOpenEnd)) {
    return Fail(ErrorCode::kInvalidArgument,
                "Content-Range is \"bytes first-last/size\", with the last byte within the size");
  }
  return ContentRange{.part = {.first = *first, .last = *last}, .size = size};
}

std::string RenderContentRange(const ByteRange& part, std::uint64_t size) {
  return "bytes " + std::to_string(part.first) + "-" + std::to_string(part.last) + "/" +
         std::to_string(size);
}

std::string RenderUnsatisfiedRange(std::uint64_t size) {
  return "bytes */" + std::to_string(size);
}

}  // namespace atrium::http

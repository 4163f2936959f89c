// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/range.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/result.h"
#include "fuzz/fuzzing.h"

namespace atrium::fuzz {
namespace {

using http::ByteRange;
using http::RangeChoice;
using Kind = RangeChoice::Kind;

std::string RenderRange(const std::vector<ByteRange>& parts) {
  std::string header = "bytes=";
  for (const ByteRange& part : parts) {
    header += std::to_string(part.first) + "-" + std::to_string(part.last) + ",";
  }
  return header;
}

bool Apart(const ByteRange& left, const ByteRange& right) {
  return left.last + 1 < right.first || right.last + 1 < left.first;
}

void CheckParts(const std::vector<ByteRange>& parts, std::uint64_t size) {
  Check(!parts.empty() && parts.size() <= http::kRangesMax, "some parts, but not too many");
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Check(parts[i].first <= parts[i].last && parts[i].last < size, "parts lie in the body");
    for (std::size_t j = 0; j < i; ++j) {
      Check(Apart(parts[i], parts[j]), "parts neither overlap nor touch");
    }
  }
}

void CheckContentRange(std::string_view header) {
  const Result<http::ContentRange> range = http::ParseContentRange(header);
  if (!range || !range->size) {
    return;
  }
  Check(range->part.first <= range->part.last && range->part.last < *range->size,
        "a part lies in its whole");
  Check(http::ParseContentRange(http::RenderContentRange(range->part, *range->size)) == *range,
        "what is rendered reads back");
}

}  // namespace

/// The size of the body in the first eight bytes, then the header.
void TryInput(std::string_view input) {
  std::uint64_t size = 0;
  if (input.size() < sizeof(size)) {
    return;
  }
  std::memcpy(&size, input.data(), sizeof(size));
  CheckContentRange(input.substr(sizeof(size)));
  const RangeChoice choice = http::ParseRange(input.substr(sizeof(size)), size);
  if (choice.kind != Kind::kParts) {
    Check(choice.parts.empty(), "no parts without a partial reply");
    return;
  }
  CheckParts(choice.parts, size);
  const RangeChoice back = http::ParseRange(RenderRange(choice.parts), size);
  Check(back.kind == Kind::kParts && back.parts == choice.parts, "parts ask for themselves");
}

}  // namespace atrium::fuzz

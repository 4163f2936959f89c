// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/time_zone.h"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <ios>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/result.h"

namespace atrium::identity {
namespace {

constexpr const char* kDatabase = "/usr/share/zoneinfo/tzdata.zi";
constexpr std::string_view kUtc = "UTC";
// What a machine has whose zone nobody has set. Nobody lives there.
constexpr std::string_view kUnset = "Factory";

char Lower(char c) {
  return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool SameName(std::string_view one, std::string_view other) {
  return std::ranges::equal(one, other, {}, Lower, Lower);
}

/// Cuts the text up to the next `end`, or all of it, off the front of `rest`.
std::string_view CutFront(std::string_view& rest, char end) {
  const std::size_t length = std::min(rest.find(end), rest.size());
  const std::string_view front = rest.substr(0, length);
  rest.remove_prefix(std::min(length + 1, rest.size()));
  return front;
}

/// The name that a line of a tzdata.zi defines; empty for rules, continuations and comments.
///
///   Z Europe/Rome 0:49:56 - LMT 1866 D 12
///   L Europe/Rome Europe/Vatican
std::string_view DefinedName(std::string_view line) {
  const std::string_view kind = CutFront(line, ' ');
  if (kind == "L") {
    CutFront(line, ' ');
  } else if (kind != "Z") {
    return {};
  }
  return CutFront(line, ' ');
}

std::optional<std::string_view> FindZone(std::string_view tzdata, std::string_view name) {
  while (!tzdata.empty()) {
    const std::string_view known = DefinedName(CutFront(tzdata, '\n'));
    if (!known.empty() && known != kUnset && SameName(known, name)) {
      return known;
    }
  }
  return std::nullopt;
}

}  // namespace

Result<std::string> CheckTimeZone(std::string_view name) {
  if (SameName(name, kUtc)) {
    return std::string(kUtc);
  }
  std::ifstream file(kDatabase, std::ios::binary);
  const std::string tzdata(std::istreambuf_iterator<char>(file), {});
  if (tzdata.empty()) {
    return FailPrivately(ErrorCode::kUnavailable,
                         std::string("no tz database can be read at ") + kDatabase);
  }
  return CheckTimeZoneIn(tzdata, name);
}

Result<std::string> CheckTimeZoneIn(std::string_view tzdata, std::string_view name) {
  if (SameName(name, kUtc)) {
    return std::string(kUtc);
  }
  const std::optional<std::string_view> known = FindZone(tzdata, name);
  if (!known) {
    return Fail(ErrorCode::kInvalidArgument,
                "the time zone is not known; write it like \"Europe/Rome\" or \"UTC\"");
  }
  return std::string(*known);
}

}  // namespace atrium::identity

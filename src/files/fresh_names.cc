// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/fresh_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "almanac/local_time.h"
#include "base/instant.h"
#include "base/utf8.h"
#include "files/names.h"

namespace atrium::files {
namespace {

/// A name and where to put something between its parts: before the dot, or at the end.
struct SplitName {
  std::string_view stem;
  std::string_view extension;  ///< With its dot, or empty.
};

SplitName SplitAt(std::string_view name, std::size_t dot) {
  return {.stem = name.substr(0, dot),
          .extension = dot == std::string_view::npos ? "" : name.substr(dot)};
}

std::string WithMark(SplitName name, std::string_view mark) {
  if (mark.size() + name.extension.size() >= kNameBytesMax) {
    // An extension so long is none.
    name.extension = {};
  }
  const std::size_t room = kNameBytesMax - mark.size() - name.extension.size();
  return std::string(TruncateUtf8(name.stem, room)).append(mark).append(name.extension);
}

std::string LocalText(std::int64_t mtime, const almanac::Zone& zone) {
  // Outside the years 0001 to 9999, of which alone a LocalTime tells, and far inside an Instant.
  constexpr std::int64_t kFar = 1'000'000'000'000;
  const Instant instant{std::chrono::seconds(std::clamp(mtime, -kFar, kFar))};
  const almanac::LocalTime local = zone.In(instant);
  const int seconds = local.time.Seconds();
  return fmt::format("{:04}-{:02}-{:02}-{:02}-{:02}-{:02}", local.date.Year(), local.date.Month(),
                     local.date.Day(), seconds / 3600, seconds / 60 % 60, seconds % 60);
}

std::string PrintableModifier(std::string_view modifier) {
  constexpr std::size_t kModifierBytesMax = 100;
  std::string printable(TruncateUtf8(modifier, kModifierBytesMax));
  std::ranges::replace(printable, '/', '_');
  std::ranges::replace(printable, '\0', '_');
  return printable;
}

}  // namespace

Result<std::string> FreeName(std::string_view wanted, const NameTaken& taken) {
  constexpr int kNumberMax = 10'000;
  if (!taken(wanted)) {
    return std::string(wanted);
  }
  // A dot at the front hides a file, and begins no extension.
  const std::size_t dot = wanted.rfind('.');
  const SplitName name = SplitAt(wanted, dot == 0 ? std::string_view::npos : dot);
  for (int number = 1; number <= kNumberMax; ++number) {
    std::string numbered = WithMark(name, fmt::format(" ({})", number));
    if (!taken(numbered)) {
      return numbered;
    }
  }
  return Fail(ErrorCode::kLimitExceeded,
              "name: too many entries are named like " + std::string(wanted));
}

std::string ConflictName(std::string_view name, const ConflictMark& mark) {
  const std::string modifier = PrintableModifier(mark.modifier);
  return WithMark(SplitAt(name, name.rfind('.')),
                  fmt::format(" (SFConflict {}{}{})", modifier, modifier.empty() ? "" : " ",
                              LocalText(mark.mtime, mark.zone)));
}

}  // namespace atrium::files

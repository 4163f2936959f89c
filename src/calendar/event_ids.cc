// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/event_ids.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <system_error>

namespace atrium::calendar {
namespace {

constexpr std::size_t kTagLength = 8;
constexpr int kShortBase = 36;
constexpr int kDecimal = 10;

char LowerCase(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string RenderNumber(std::uint64_t number, int base) {
  std::array<char, 20> digits{};
  const auto [end, error] =
      std::to_chars(digits.data(), digits.data() + digits.size(), number, base);
  return {digits.data(), end};
}

std::optional<std::uint64_t> ParseNumber(std::string_view text, int base) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  const bool all = error == std::errc() && end == text.data() + text.size();
  return all ? std::optional(number) : std::nullopt;
}

/// What is behind the tag of the epoch; nullopt when that is another one.
std::optional<std::string_view> BehindEpoch(std::string_view text, std::string_view epoch_tag) {
  if (!text.starts_with(epoch_tag) || !text.substr(epoch_tag.size()).starts_with('.')) {
    return std::nullopt;
  }
  return text.substr(epoch_tag.size() + 1);
}

/// The next part, up to a dot, which is taken off the text.
std::string_view TakePart(std::string_view& text) {
  const std::size_t dot = std::min(text.find('.'), text.size());
  const std::string_view part = text.substr(0, dot);
  text.remove_prefix(std::min(dot + 1, text.size()));
  return part;
}

bool AddCalendar(ManyPositions& positions, std::string_view part) {
  if (part.size() <= kTagLength || part[kTagLength] != '-') {
    return false;
  }
  const auto number = ParseNumber(part.substr(kTagLength + 1), kShortBase);
  return number && positions.calendars.emplace(part.substr(0, kTagLength), *number).second;
}

}  // namespace

std::string EpochTag(const store::Epoch& epoch) {
  const std::string text = epoch.id.Render();
  std::string tag = text.substr(text.size() - kTagLength);
  std::ranges::transform(tag, tag.begin(), LowerCase);
  return tag;
}

std::string RenderEventId(std::string_view epoch_tag, std::uint64_t number) {
  return std::string(epoch_tag) + "." + RenderNumber(number, kDecimal);
}

std::optional<std::uint64_t> ParseEventId(std::string_view text, std::string_view epoch_tag) {
  const auto number = BehindEpoch(text, epoch_tag);
  return number ? ParseNumber(*number, kDecimal) : std::nullopt;
}

std::string CalendarTag(const CalendarId& calendar) {
  const std::string text = calendar.Render();
  return text.substr(text.size() - kTagLength);
}

ManyEventId::ManyEventId(std::string_view epoch_tag, std::uint64_t own)
    : text_(std::string(epoch_tag) + ".m" + RenderNumber(own, kDecimal)) {}

void ManyEventId::Add(std::string_view calendar_tag, std::uint64_t number) {
  text_.append(".").append(calendar_tag).append("-").append(RenderNumber(number, kShortBase));
}

std::optional<ManyPositions> ParseManyEventId(std::string_view text, std::string_view epoch_tag) {
  auto rest = BehindEpoch(text, epoch_tag);
  if (!rest || !rest->starts_with('m')) {
    return std::nullopt;
  }
  rest->remove_prefix(1);
  const auto own = ParseNumber(TakePart(*rest), kDecimal);
  if (!own) {
    return std::nullopt;
  }
  ManyPositions positions{.own = *own};
  while (!rest->empty()) {
    if (!AddCalendar(positions, TakePart(*rest))) {
      return std::nullopt;
    }
  }
  return positions;
}

}  // namespace atrium::calendar

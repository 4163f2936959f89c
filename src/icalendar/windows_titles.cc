// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/windows_titles.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "almanac/date.h"
#include "almanac/zone.h"
#include "base/instant.h"
#include "base/result.h"
#include "icalendar/letter_case.h"
#include "icalendar/values.h"
#include "icalendar/windows_zones.h"

namespace atrium::icalendar {
namespace {

using almanac::Zone;
using std::chrono::minutes;

constexpr std::size_t kTitleBytesMax = 200;

struct Title {
  minutes offset{};
  std::string_view words{};
};

/// Titles that name neither a city of the database nor the zone as Windows calls it.
constexpr auto kOtherTitles = std::to_array<WindowsZone>({
    {.windows = "Alaska", .iana = "America/Anchorage"},
    {.windows = "Arizona", .iana = "America/Phoenix"},
    {.windows = "Brasilia", .iana = "America/Sao_Paulo"},
    {.windows = "Hawaii", .iana = "Pacific/Honolulu"},
    {.windows = "Saskatchewan", .iana = "America/Regina"},
});

constexpr auto kContinents =
    std::to_array<std::string_view>({"Europe", "America", "Asia", "Africa", "Australia", "Pacific",
                                     "Atlantic", "Indian", "America/Argentina"});

std::string_view Trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

std::optional<int> Number(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number)
                                                                  : std::nullopt;
}

/// "+01:00"; nothing is no offset.
std::optional<minutes> ParseOffset(std::string_view text) {
  constexpr std::size_t kSize = 6;
  if (text.empty()) {
    return minutes(0);
  }
  if (text.size() != kSize || (text[0] != '+' && text[0] != '-') || text[3] != ':') {
    return std::nullopt;
  }
  const std::optional<int> hours = Number(text.substr(1, 2));
  const std::optional<int> rest = Number(text.substr(4));
  if (!hours || !rest || *hours < 0 || *rest < 0) {
    return std::nullopt;
  }
  const minutes offset = std::chrono::hours(*hours) + minutes(*rest);
  return text[0] == '-' ? -offset : offset;
}

std::optional<Title> ParseTitle(std::string_view text) {
  constexpr std::size_t kOpening = 4;
  const bool opens = text.size() > kOpening && text.size() <= kTitleBytesMax &&
                     (text.starts_with("(UTC") || text.starts_with("(GMT"));
  const std::size_t close = text.find(')');
  if (!opens || close == std::string_view::npos) {
    return std::nullopt;
  }
  const std::optional<minutes> offset = ParseOffset(text.substr(kOpening, close - kOpening));
  if (!offset) {
    return std::nullopt;
  }
  return Title{.offset = *offset, .words = Trimmed(text.substr(close + 1))};
}

/// That of winter, wherever winter is.
minutes StandardOffset(const Zone& zone) {
  const Instant january = UtcInstant({.date = *almanac::Date::Of(2026, 1, 15), .time = {}});
  const Instant july = UtcInstant({.date = *almanac::Date::Of(2026, 7, 15), .time = {}});
  return std::chrono::floor<minutes>(std::min(zone.OffsetAt(january), zone.OffsetAt(july)));
}

std::optional<Zone> FindWithOffset(std::string_view name, minutes offset) {
  const Result<Zone> zone = Zone::FindInAnyCase(name);
  return zone && StandardOffset(*zone) == offset ? std::optional(*zone) : std::nullopt;
}

/// "New York" of "America/New_York".
std::string CityOf(std::string_view iana) {
  std::string city(iana.substr(iana.find_last_of('/') + 1));
  std::ranges::replace(city, '_', ' ');
  return city;
}

/// "Eastern Time (US & Canada)" is "Eastern Standard Time", "Central America" is "Central America
/// Standard Time".
std::string NameFromWords(std::string_view words) {
  constexpr std::string_view kTime = " Time";
  words = Trimmed(words.substr(0, words.find('(')));
  words = words.ends_with(kTime) ? words.substr(0, words.size() - kTime.size()) : words;
  return std::string(words) + " Standard Time";
}

std::vector<std::string_view> PlacesIn(std::string_view words) {
  std::vector<std::string_view> places;
  for (const std::string_view place : SplitList(words)) {
    places.push_back(Trimmed(place));
  }
  return places;
}

std::optional<Zone> FindByWords(const Title& title) {
  if (const auto name = FindWindowsZone(NameFromWords(title.words))) {
    return FindWithOffset(*name, title.offset);
  }
  for (const WindowsZone& other : kOtherTitles) {
    if (SameLetters(other.windows, title.words)) {
      return FindWithOffset(other.iana, title.offset);
    }
  }
  return std::nullopt;
}

/// First by the cities that stand for zones of Windows, then by any city of the database.
std::optional<Zone> FindByPlaces(const Title& title) {
  const std::vector<std::string_view> places = PlacesIn(title.words);
  for (const WindowsZone& zone : WindowsZones()) {
    const std::string city = CityOf(zone.iana);
    const bool is_named = std::ranges::any_of(
        places, [&](std::string_view place) { return SameLetters(place, city); });
    if (std::optional<Zone> found =
            is_named ? FindWithOffset(zone.iana, title.offset) : std::nullopt) {
      return found;
    }
  }
  for (const std::string_view place : places) {
    std::string city(place);
    std::ranges::replace(city, ' ', '_');
    for (const std::string_view continent : kContinents) {
      if (std::optional<Zone> found =
              FindWithOffset(fmt::format("{}/{}", continent, city), title.offset)) {
        return found;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Zone> FindTitledZone(std::string_view text) {
  const std::optional<Title> title = ParseTitle(text);
  if (!title) {
    return std::nullopt;
  }
  if (title->words.empty() || title->words.starts_with("Coordinated Universal Time")) {
    const Result<Zone> fixed = Zone::FindFixed(title->offset);
    return fixed ? std::optional(*fixed) : std::nullopt;
  }
  if (std::optional<Zone> zone = FindByWords(*title)) {
    return zone;
  }
  return FindByPlaces(*title);
}

}  // namespace atrium::icalendar

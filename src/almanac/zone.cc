// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "almanac/zone.h"

#include <absl/strings/string_view.h>
#include <absl/time/civil_time.h>
#include <absl/time/time.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/check.h"

namespace atrium::almanac {

struct Zone::Entry {
  std::string name;
  absl::TimeZone zone;
};

namespace {

constexpr std::string_view kUtc = "UTC";
constexpr std::size_t kNameBytesMax = 64;

bool IsNameCharacter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '+' || c == '-';
}

/// Names of zones begin with a capital letter, which no other file of the folder does, and have no
/// dots. Abseil knows names of its own below "Fixed/", and "Factory" is a zone that says it is
/// none.
bool MayBeName(std::string_view name) {
  if (name.empty() || name.size() > kNameBytesMax || name.front() < 'A' || name.front() > 'Z' ||
      name == "Factory" || name.starts_with("Fixed/") || name.ends_with('/') ||
      name.find("//") != std::string_view::npos) {
    return false;
  }
  return std::ranges::all_of(name, [](char c) { return c == '/' || IsNameCharacter(c); });
}

/// Where Abseil reads.
const std::filesystem::path& DatabaseFolder() {
  static const std::filesystem::path folder = [] {
    const char* configured = std::getenv("TZDIR");
    return std::filesystem::path(
        configured != nullptr && *configured != '\0' ? configured : "/usr/share/zoneinfo");
  }();
  return folder;
}

/// Asked before Abseil is, which remembers for ever each name it was asked for in vain.
bool IsInDatabase(std::string_view name) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(DatabaseFolder() / name, ignored);
}

std::string LowerCase(std::string_view name) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return lower;
}

using Spellings = std::map<std::string, std::string, std::less<>>;

/// All names of the database by their spelling in lower case. Empty when it cannot be listed.
Spellings ListSpellings() {
  Spellings spellings;
  std::error_code error;
  const std::filesystem::path& folder = DatabaseFolder();
  std::filesystem::recursive_directory_iterator at(folder, error);
  while (!error && at != std::filesystem::recursive_directory_iterator()) {
    const std::string name = at->path().lexically_relative(folder).string();
    if (!MayBeName(name)) {
      at.disable_recursion_pending();
    } else if (at->is_regular_file(error)) {
      spellings.emplace(LowerCase(name), name);
    }
    at.increment(error);
  }
  return spellings;
}

absl::Time ToAbseil(Instant instant) {
  const auto since_epoch = std::chrono::floor<std::chrono::seconds>(instant.time_since_epoch());
  return absl::FromUnixSeconds(since_epoch.count());
}

absl::string_view ForAbseil(std::string_view text) {
  return {text.data(), text.size()};
}

}  // namespace

const Zone::Entry* Zone::FindEntry(std::string_view name) {
  static std::shared_mutex mutex;
  // Guarded by mutex. Holds what the database holds, at most.
  static std::map<std::string, std::unique_ptr<const Entry>, std::less<>> known;
  {
    const std::shared_lock lock(mutex);
    if (const auto found = known.find(name); found != known.end()) {
      return found->second.get();
    }
  }
  absl::TimeZone zone = absl::UTCTimeZone();
  if (name != kUtc &&
      (!MayBeName(name) || !IsInDatabase(name) || !absl::LoadTimeZone(ForAbseil(name), &zone))) {
    return nullptr;
  }
  auto entry = std::make_unique<const Entry>(std::string(name), zone);
  const std::unique_lock lock(mutex);
  return known.try_emplace(std::string(name), std::move(entry)).first->second.get();
}

Result<Zone> Zone::Find(std::string_view name) {
  const Entry* entry = FindEntry(name);
  if (entry == nullptr) {
    return Fail(ErrorCode::kInvalidArgument,
                "time_zone: expected a name of the IANA database, like Europe/Berlin, or UTC");
  }
  return Zone(entry);
}

Result<Zone> Zone::FindInAnyCase(std::string_view name) {
  static const Spellings spellings = ListSpellings();
  if (name.size() > kNameBytesMax) {
    return Find({});
  }
  const auto found = spellings.find(LowerCase(name));
  return Find(found == spellings.end() ? name : std::string_view(found->second));
}

Zone Zone::Utc() {
  static const Entry* const utc = FindEntry(kUtc);
  Check(utc != nullptr, "UTC is always known");
  return Zone(utc);
}

Result<Zone> Zone::FindFixed(std::chrono::seconds offset) {
  const auto hours = std::chrono::floor<std::chrono::hours>(offset);
  if (hours != offset) {
    return Find({});
  }
  if (hours.count() == 0) {
    return Utc();
  }
  // The database counts the other way round: Etc/GMT-1 is an hour ahead of UTC.
  return Find("Etc/GMT" + std::string(hours.count() < 0 ? "+" : "-") +
              std::to_string(std::abs(hours.count())));
}

Instant Zone::At(const LocalTime& time) const {
  const absl::CivilSecond civil =
      absl::CivilSecond(absl::CivilDay() + time.date.Days()) + time.time.Seconds();
  // Before the gap, and the first of two, are both what Abseil calls `pre`.
  const absl::Time moment = entry_->zone.At(civil).pre;
  // Not by Abseil's own conversion, which goes through nanoseconds and so ends in 2262.
  return Instant(std::chrono::seconds(absl::ToUnixSeconds(moment)));
}

LocalTime Zone::In(Instant instant) const {
  const absl::CivilSecond civil = entry_->zone.At(ToAbseil(instant)).cs;
  const std::int64_t days = absl::CivilDay(civil) - absl::CivilDay();
  if (days < Date::Min().Days()) {
    return LocalTime::Min();
  }
  if (days > Date::Max().Days()) {
    return LocalTime::Max();
  }
  const std::int64_t seconds = civil - absl::CivilSecond(absl::CivilDay(civil));
  return {.date = Date::FromDays(static_cast<std::int32_t>(days)),
          .time = TimeOfDay::FromSeconds(static_cast<std::int32_t>(seconds))};
}

std::chrono::seconds Zone::OffsetAt(Instant instant) const {
  return std::chrono::seconds(entry_->zone.At(ToAbseil(instant)).offset);
}

std::optional<OffsetChange> Zone::NextChange(Instant instant) const {
  Instant from = instant;
  absl::TimeZone::CivilTransition transition;
  while (entry_->zone.NextTransition(ToAbseil(from), &transition)) {
    const Instant at(
        std::chrono::seconds(absl::ToUnixSeconds(entry_->zone.At(transition.to).trans)));
    const OffsetChange change{
        .at = at, .before = OffsetAt(at - std::chrono::seconds(1)), .after = OffsetAt(at)};
    if (change.before != change.after) {
      return change;
    }
    // Only the abbreviation, or what is called summer time, has changed.
    from = at;
  }
  return std::nullopt;
}

const std::string& Zone::Name() const {
  return entry_->name;
}

}  // namespace atrium::almanac

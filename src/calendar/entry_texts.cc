// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/entry_texts.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "egress/url.h"

namespace atrium::calendar {
namespace {

std::unexpected<Error> Wrong(std::string message) {
  return Fail(ErrorCode::kInvalidArgument, std::move(message));
}

bool IsControl(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

/// What would end an address of the web where it is shown, or lead elsewhere.
bool EndsAddress(char c) {
  constexpr std::string_view kForbidden = " \"<>\\`";
  return IsControl(c) || kForbidden.find(c) != std::string_view::npos;
}

/// `front` is in lower case.
bool StartsWithLetters(std::string_view text, std::string_view front) {
  return text.size() >= front.size() &&
         std::ranges::equal(text.substr(0, front.size()), front, [](char a, char b) {
           return ('A' <= a && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
         });
}

std::size_t Characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

Result<void> CheckDescription(std::string_view text) {
  if (text.size() > kDescriptionBytes) {
    return Wrong("description: at most 16384 bytes");
  }
  const bool has_control = std::ranges::any_of(
      text, [](char c) { return IsControl(c) && c != '\n' && c != '\r' && c != '\t'; });
  if (has_control || !IsValidUtf8(text)) {
    return Wrong("description: not plain text");
  }
  return {};
}

Result<void> CheckPerson(std::string_view field, std::string_view address,
                         const std::optional<std::string>& name) {
  if (name) {
    RETURN_IF_ERROR(CheckLine(field, *name, kPersonNameLength));
  }
  if (address.empty() || address.size() > kPersonAddressBytes || !IsValidUtf8(address) ||
      std::ranges::any_of(address, IsControl)) {
    return Wrong(std::string(field) + ": an address is one line of 1 to 500 bytes");
  }
  return {};
}

Result<void> CheckAttendees(const std::vector<Attendee>& attendees) {
  if (attendees.size() > kAttendees) {
    return Wrong("attendees: at most 200");
  }
  for (const Attendee& one : attendees) {
    RETURN_IF_ERROR(CheckPerson("attendees", one.address, one.name));
  }
  return {};
}

Result<void> CheckPeople(const Entry& entry) {
  if (entry.organizer) {
    RETURN_IF_ERROR(CheckPerson("organizer", entry.organizer->address, entry.organizer->name));
  }
  return entry.attendees ? CheckAttendees(*entry.attendees) : Result<void>();
}

}  // namespace

Result<void> CheckLine(std::string_view field, std::string_view text, std::size_t longest) {
  const bool is_blank = std::ranges::all_of(text, [](char c) { return c == ' '; });
  if (is_blank || Characters(text) > longest || !IsValidUtf8(text) ||
      std::ranges::any_of(text, IsControl)) {
    return Wrong(std::string(field) + ": one line of 1 to " + std::to_string(longest) +
                 " characters");
  }
  return {};
}

Result<void> CheckColor(std::string_view text) {
  constexpr std::size_t kLength = 7;
  const auto is_hex = [](char c) {
    return ('0' <= c && c <= '9') || ('a' <= c && c <= 'f') || ('A' <= c && c <= 'F');
  };
  if (text.size() != kLength || text.front() != '#' ||
      !std::ranges::all_of(text.substr(1), is_hex)) {
    return Wrong("color: expected #RRGGBB");
  }
  return {};
}

Result<void> CheckUrl(std::string_view text) {
  constexpr auto kSchemes = std::to_array<std::string_view>({"http://", "https://"});
  const bool is_web = std::ranges::any_of(kSchemes, [text](std::string_view scheme) {
    // Some readers take a third slash for a mistake, and what follows for the host.
    return StartsWithLetters(text, scheme) && !text.substr(scheme.size()).starts_with('/');
  });
  const bool is_plain =
      text.size() <= kUrlBytes && IsValidUtf8(text) && std::ranges::none_of(text, EndsAddress);
  if (!is_web || !is_plain || !egress::ParseUrl(text)) {
    return Wrong("url: must be an http or https address of at most 2000 bytes");
  }
  return {};
}

Result<void> CheckTexts(const Entry& entry) {
  RETURN_IF_ERROR(CheckLine("title", entry.title, kTitleLength));
  if (entry.location) {
    RETURN_IF_ERROR(CheckLine("location", *entry.location, kLocationLength));
  }
  if (entry.url) {
    RETURN_IF_ERROR(CheckUrl(*entry.url));
  }
  if (entry.description) {
    RETURN_IF_ERROR(CheckDescription(*entry.description));
  }
  if (entry.color) {
    RETURN_IF_ERROR(CheckColor(*entry.color));
  }
  if (entry.uid.size() > kUidBytes || !IsValidUtf8(entry.uid)) {
    return Wrong("uid: at most 1000 bytes");
  }
  return CheckPeople(entry);
}

Result<void> CheckTexts(const Override& one) {
  if (one.title) {
    RETURN_IF_ERROR(CheckLine("title", *one.title, kTitleLength));
  }
  if (one.location && !one.location->empty()) {
    RETURN_IF_ERROR(CheckLine("location", *one.location, kLocationLength));
  }
  if (one.url && !one.url->empty()) {
    RETURN_IF_ERROR(CheckUrl(*one.url));
  }
  if (one.organizer && !one.organizer->address.empty()) {
    RETURN_IF_ERROR(CheckPerson("organizer", one.organizer->address, one.organizer->name));
  }
  if (one.attendees) {
    RETURN_IF_ERROR(CheckAttendees(*one.attendees));
  }
  if (one.description) {
    RETURN_IF_ERROR(CheckDescription(*one.description));
  }
  if (one.color && !one.color->empty()) {
    RETURN_IF_ERROR(CheckColor(*one.color));
  }
  return {};
}

}  // namespace atrium::calendar

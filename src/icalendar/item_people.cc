// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/item_people.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "icalendar/component.h"
#include "icalendar/content_line.h"
#include "icalendar/item.h"
#include "icalendar/letter_case.h"
#include "icalendar/participant.h"
#include "icalendar/quote.h"

namespace atrium::icalendar {
namespace {

constexpr std::string_view kMailto = "mailto:";

template <typename T>
struct Token {
  std::string_view text;
  T value;
};

constexpr auto kStatuses = std::to_array<Token<ParticipationStatus>>({
    {.text = "NEEDS-ACTION", .value = ParticipationStatus::kNeedsAction},
    {.text = "ACCEPTED", .value = ParticipationStatus::kAccepted},
    {.text = "DECLINED", .value = ParticipationStatus::kDeclined},
    {.text = "TENTATIVE", .value = ParticipationStatus::kTentative},
    {.text = "DELEGATED", .value = ParticipationStatus::kDelegated},
    {.text = "COMPLETED", .value = ParticipationStatus::kCompleted},
    {.text = "IN-PROCESS", .value = ParticipationStatus::kInProcess},
});
constexpr auto kRoles = std::to_array<Token<ParticipationRole>>({
    {.text = "CHAIR", .value = ParticipationRole::kChair},
    {.text = "REQ-PARTICIPANT", .value = ParticipationRole::kReqParticipant},
    {.text = "OPT-PARTICIPANT", .value = ParticipationRole::kOptParticipant},
    {.text = "NON-PARTICIPANT", .value = ParticipationRole::kNonParticipant},
});
constexpr auto kKinds = std::to_array<Token<ParticipantKind>>({
    {.text = "INDIVIDUAL", .value = ParticipantKind::kIndividual},
    {.text = "GROUP", .value = ParticipantKind::kGroup},
    {.text = "RESOURCE", .value = ParticipantKind::kResource},
    {.text = "ROOM", .value = ParticipantKind::kRoom},
    {.text = "UNKNOWN", .value = ParticipantKind::kUnknown},
});
constexpr auto kAnswers = std::to_array<Token<bool>>({
    {.text = "TRUE", .value = true},
    {.text = "FALSE", .value = false},
});

bool IsControl(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

/// Without control characters, and without blanks around it.
std::string Plain(std::string_view text) {
  std::string plain(text);
  std::erase_if(plain, IsControl);
  const std::size_t from = std::min(plain.find_first_not_of(' '), plain.size());
  return plain.substr(from, plain.find_last_not_of(' ') + 1 - from);
}

/// Undoes RFC 6868: ^n, ^^ and ^' in values of parameters. A caret before anything else stands for
/// itself.
std::string DecodeCarets(std::string_view value) {
  std::string text;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const char next = value[i] == '^' && i + 1 < value.size() ? value[i + 1] : '\0';
    if (next == 'n' || next == '^' || next == '\'') {
      text += next == 'n' ? ' ' : (next == '^' ? '^' : '"');
      ++i;
    } else {
      text += value[i];
    }
  }
  return text;
}

std::string EncodeCarets(std::string_view text) {
  std::string value;
  for (const char c : text) {
    if (c == '^') {
      value += "^^";
    } else if (c == '"') {
      value += "^'";
    } else {
      value += c;
    }
  }
  return value;
}

std::optional<std::string> NameIn(const Property& property) {
  std::string name = Plain(DecodeCarets(property.Find("CN")));
  return name.empty() ? std::nullopt : std::optional(std::move(name));
}

/// An address of mail, however it is said: as mailto, bare, or beside a URI of the writer's own
/// (RFC 7986 §6.2). Another URI is kept as it is.
std::string AddressIn(const Property& property) {
  std::string value = Plain(property.value);
  std::string_view bare = value;
  if (SameLetters(bare.substr(0, kMailto.size()), kMailto)) {
    bare.remove_prefix(kMailto.size());
  }
  if (IsMailAddress(bare)) {
    return std::string(bare);
  }
  std::string email = Plain(property.Find("EMAIL"));
  return IsMailAddress(email) ? email : value;
}

template <typename T>
std::optional<T> ReadToken(const Property& property, std::string_view parameter,
                           std::span<const Token<T>> tokens, Notes& notes) {
  const std::string_view said = property.Find(parameter);
  if (said.empty()) {
    return std::nullopt;
  }
  const auto found = std::ranges::find_if(
      tokens, [said](const Token<T>& token) { return SameLetters(token.text, said); });
  if (found == tokens.end()) {
    notes.Add(property, fmt::format("{} not kept: \"{}\"", parameter, Shown(said)));
    return std::nullopt;
  }
  return found->value;
}

template <typename T>
void AppendToken(std::string& line, std::string_view parameter, std::span<const Token<T>> tokens,
                 const std::optional<T>& value) {
  const auto found = std::ranges::find_if(
      tokens, [&value](const Token<T>& token) { return token.value == value; });
  if (found != tokens.end()) {
    line += fmt::format(";{}={}", parameter, found->text);
  }
}

void AppendName(std::string& line, const std::optional<std::string>& name) {
  const std::string value = EncodeCarets(Plain(name.value_or("")));
  if (value.empty()) {
    return;
  }
  const bool needs_quotes = value.find_first_of(",;:") != std::string::npos;
  line += needs_quotes ? fmt::format(";CN=\"{}\"", value) : ";CN=" + value;
}

void AppendAddress(std::string& line, std::string_view address) {
  line += ':';
  line += IsMailAddress(address) ? kMailto : "";
  line += Plain(address);
}

}  // namespace

void ReadUrl(const Property& property, Item& item, Notes& /*notes*/) {
  item.url = Plain(property.value);
}

void ReadOrganizer(const Property& property, Item& item, Notes& /*notes*/) {
  Organizer organizer{.address = AddressIn(property), .name = NameIn(property)};
  if (!organizer.address.empty()) {
    item.organizer = std::move(organizer);
  }
}

void ReadAttendee(const Property& property, Item& item, Notes& notes) {
  Attendee attendee{
      .address = AddressIn(property),
      .name = NameIn(property),
      .status = ReadToken<ParticipationStatus>(property, "PARTSTAT", kStatuses, notes),
      .role = ReadToken<ParticipationRole>(property, "ROLE", kRoles, notes),
      .kind = ReadToken<ParticipantKind>(property, "CUTYPE", kKinds, notes),
      .rsvp = ReadToken<bool>(property, "RSVP", kAnswers, notes)};
  if (!attendee.address.empty()) {
    item.attendees.push_back(std::move(attendee));
  }
}

std::string RenderOrganizer(const Organizer& organizer) {
  std::string line = "ORGANIZER";
  AppendName(line, organizer.name);
  AppendAddress(line, organizer.address);
  return line;
}

std::string RenderAttendee(const Attendee& attendee) {
  std::string line = "ATTENDEE";
  AppendToken<ParticipantKind>(line, "CUTYPE", kKinds, attendee.kind);
  AppendToken<ParticipationRole>(line, "ROLE", kRoles, attendee.role);
  AppendToken<ParticipationStatus>(line, "PARTSTAT", kStatuses, attendee.status);
  AppendToken<bool>(line, "RSVP", kAnswers, attendee.rsvp);
  AppendName(line, attendee.name);
  AppendAddress(line, attendee.address);
  return line;
}

}  // namespace atrium::icalendar

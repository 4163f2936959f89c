// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <boost/describe/enum.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/json_shape.h"

namespace atrium::icalendar {

/// What somebody has answered to an invitation (RFC 5545 §3.2.12).
enum class ParticipationStatus : std::uint8_t {
  kNeedsAction,
  kAccepted,
  kDeclined,
  kTentative,
  kDelegated,
  kCompleted,  ///< Of tasks.
  kInProcess,  ///< Of tasks.
};
BOOST_DESCRIBE_ENUM(ParticipationStatus, kNeedsAction, kAccepted, kDeclined, kTentative, kDelegated,
                    kCompleted, kInProcess)

/// §3.2.16.
enum class ParticipationRole : std::uint8_t {
  kChair,
  kReqParticipant,
  kOptParticipant,
  kNonParticipant,
};
BOOST_DESCRIBE_ENUM(ParticipationRole, kChair, kReqParticipant, kOptParticipant, kNonParticipant)

/// §3.2.3.
enum class ParticipantKind : std::uint8_t { kIndividual, kGroup, kResource, kRoom, kUnknown };
BOOST_DESCRIBE_ENUM(ParticipantKind, kIndividual, kGroup, kResource, kRoom, kUnknown)

/// ORGANIZER.
struct Organizer {
  /// "ann@example.org"; or, of somebody who is not reached by mail, the URI of the file as it is.
  std::string address{};
  std::optional<std::string> name{};

  friend bool operator==(const Organizer&, const Organizer&) = default;
};
BOOST_DESCRIBE_STRUCT(Organizer, (), (address, name))

/// ATTENDEE. What the file does not say is absent, and means what the RFC says of it.
struct Attendee {
  /// As Organizer::address.
  std::string address{};
  std::optional<std::string> name{};
  std::optional<ParticipationStatus> status{};
  std::optional<ParticipationRole> role{};
  std::optional<ParticipantKind> kind{};
  /// Whether an answer is wanted.
  std::optional<bool> rsvp{};

  friend bool operator==(const Attendee&, const Attendee&) = default;
};
BOOST_DESCRIBE_STRUCT(Attendee, (), (address, name, status, role, kind, rsvp))

/// Whether mail could go there: one @ with something on both sides, and nothing that would end an
/// address or begin something else.
bool IsMailAddress(std::string_view text);

}  // namespace atrium::icalendar

namespace atrium {

template <>
inline constexpr JsonNames kJsonNames<icalendar::ParticipationStatus> = JsonNames::kKebab;
template <>
inline constexpr JsonNames kJsonNames<icalendar::ParticipationRole> = JsonNames::kKebab;

}  // namespace atrium

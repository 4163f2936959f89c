// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "calendar/records.h"
#include "http/body.h"
#include "icalendar/item.h"
#include "store/ground.h"

namespace atrium::calendar {

/// Whether a file names people.
enum class PeopleInFile : std::uint8_t {
  kNamed,
  /// Neither organizer nor attendees: their addresses are nobody's business who has only been given
  /// the address of a feed.
  kLeftOut,
};

struct ExportOrder {
  CalendarId calendar{};
  /// What the file says of itself.
  icalendar::CalendarHead head{};
  FeedDetail detail = FeedDetail::kFull;
  PeopleInFile people = PeopleInFile::kNamed;
};

/// What a calendar says of itself.
icalendar::CalendarHead HeadOf(const Calendar& calendar);

/// A calendar as an iCalendar file, made while it is sent: never more than a page of entries is in
/// memory. Entries that change meanwhile are in it as they were or as they are. `ground` outlives
/// it.
std::unique_ptr<http::BodySource> StreamCalendar(const store::Ground& ground, ExportOrder order);

/// The value of Content-Disposition for a file of that name (RFC 6266), whatever the name holds.
std::string DispositionFor(std::string_view calendar_name);

}  // namespace atrium::calendar

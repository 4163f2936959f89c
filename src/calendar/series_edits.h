// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "base/result.h"
#include "calendar/entry_fields.h"
#include "calendar/records.h"

namespace atrium::calendar {

// What becomes of a series when one of its occurrences is changed. No store, no clock. All that is
// answered is settled.

/// How much of a series is meant.
enum class Scope : std::uint8_t { kAll, kThis, kFollowing };
BOOST_DESCRIBE_ENUM(Scope, kAll, kThis, kFollowing)

/// The series with other words or times in all occurrences. Days and times in `fields` are those of
/// the occurrence at `at` as it is shown, where one is named, else those of the first. When the
/// start moves, exceptions and overrides move along, and so do the days of a weekly rule; a rule
/// that names days in another way must come with the change: kInvalidArgument.
Result<Entry> ChangeAll(const Entry& series, const std::optional<LocalTime>& at,
                        const EntryFields& fields, std::string_view usual_zone);

/// The series with one occurrence that differs.
Result<Entry> ChangeThis(const Entry& series, const LocalTime& at, const EntryFields& fields,
                         std::string_view usual_zone);

/// The series without that occurrence; nullopt when it was the only one.
Result<std::optional<Entry>> DropThis(const Entry& series, const LocalTime& at);

/// The series up to an occurrence, and the one that begins there.
struct Split {
  /// nullopt: there is nothing before.
  std::optional<Entry> before{};
  /// As the series from there on; its id is the caller's matter.
  Entry after{};
};
Result<Split> SplitAt(const Entry& series, const LocalTime& at);

}  // namespace atrium::calendar

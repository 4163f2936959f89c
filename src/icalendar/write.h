// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "almanac/zone.h"
#include "base/instant.h"
#include "base/result.h"
#include "icalendar/item.h"

namespace atrium::icalendar {

/// Writes an iCalendar file (RFC 5545, RFC 7986) piece by piece, so that a long one never has to be
/// in memory:
///
///   Writer writer(clock.Now());
///   send(writer.Begin({.name = "Work"}));
///   for (const Item& item : items) { ASSIGN_OR_RETURN(piece, writer.Add(item)); send(piece); }
///   send(writer.End());
///
/// What ReadItems() has read it reads again from here, the same in each field. One thread at a
/// time.
class Writer {
 public:
  /// `written_at` becomes the DTSTAMP of all items.
  explicit Writer(Instant written_at) : written_at_(written_at) {}

  std::string Begin(const CalendarHead& head) const;

  /// The item, after a VTIMEZONE for each of its zones that no earlier item had. Text may hold
  /// anything: control characters are left out. kInvalidArgument when a zone is not known or the
  /// rule is none, which leaves the file as it was: go on with the next item.
  Result<std::string> Add(const Item& item);

  std::string End() const;

 private:
  /// The VTIMEZONE, when it is needed and not yet there.
  std::string Introduce(const std::optional<almanac::Zone>& zone);

  Instant written_at_;
  /// Those that have a VTIMEZONE.
  std::set<std::string, std::less<>> introduced_;
};

}  // namespace atrium::icalendar

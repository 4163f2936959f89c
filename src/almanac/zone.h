// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "almanac/local_time.h"
#include "base/instant.h"
#include "base/result.h"

namespace atrium::almanac {

/// Clocks are put from one offset to another; offsets are those from UTC, positive in the east.
struct OffsetChange {
  Instant at{};
  std::chrono::seconds before{};
  std::chrono::seconds after{};

  friend bool operator==(const OffsetChange&, const OffsetChange&) = default;
};

/// How the clocks of a place have been set and will be, as far as its laws are known: a zone of the
/// machine's IANA database. Cheap to copy; may be used from any thread. Two are equal when their
/// names are.
class Zone {
 public:
  /// A name of the database, spelled exactly as there ("Europe/Berlin"), or "UTC". What is read is
  /// remembered, so a second call costs a lookup. Anything else is kInvalidArgument, also files of
  /// the database's folder that are no zones of it ("localtime", "posix/...", "right/...",
  /// "Factory"); no file outside that folder is touched.
  static Result<Zone> Find(std::string_view name);

  /// The same for a name in whatever case, as other programs spell them ("europe/berlin").
  static Result<Zone> FindInAnyCase(std::string_view name);

  static Zone Utc();

  /// The zone whose clocks are always so far ahead of UTC. kInvalidArgument when the database has
  /// none: only whole hours from -12 to 14 have one.
  static Result<Zone> FindFixed(std::chrono::seconds offset);

  /// The moment at which clocks there show `time`. A time that is skipped when clocks are put
  /// forward is taken with the offset from before the gap, so 02:30 becomes what is then called
  /// 03:30; one that comes twice is the first (RFC 5545 §3.3.5).
  Instant At(const LocalTime& time) const;

  /// What clocks there show at `instant`, without its fraction of a second; or the nearer end of
  /// what LocalTime can express.
  LocalTime In(Instant instant) const;

  /// What clocks there are ahead of UTC at `instant`.
  std::chrono::seconds OffsetAt(Instant instant) const;

  /// The first change of the offset after `instant`; nullopt when none is known.
  std::optional<OffsetChange> NextChange(Instant instant) const;

  const std::string& Name() const;

  friend bool operator==(const Zone&, const Zone&) = default;

 private:
  struct Entry;

  static const Entry* FindEntry(std::string_view name);

  explicit Zone(const Entry* entry) : entry_(entry) {}

  // Lives as long as the process does; there is one for each name.
  const Entry* entry_;
};

}  // namespace atrium::almanac

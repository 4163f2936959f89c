// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "almanac/expansion_budget.h"
#include "almanac/zone.h"
#include "base/result.h"
#include "icalendar/offset_table.h"
#include "icalendar/text_blocks.h"
#include "icalendar/zone_definition.h"
#include "icalendar/zone_uses.h"

namespace atrium::icalendar {

/// What a TZID is taken for.
struct ZoneChoice {
  almanac::Zone zone;
  /// Set when no zone of the database has the rules that the file gives: what those say. `zone` is
  /// the closest then.
  std::shared_ptr<const OffsetTable> rules{};
};

/// What a TZID was taken for, for people.
struct TakenZone {
  /// Empty: times that name no zone.
  std::string tzid{};
  /// An IANA name, or "UTC".
  std::string zone{};
  /// How it was found, or what is not as the file has it; empty when there is nothing to say.
  std::string note{};

  bool operator==(const TakenZone&) const = default;
};

/// Which zone of the IANA database a file means by each of its TZIDs, which its writer was free to
/// make up (RFC 5545 §3.8.3.1). Names count for more than the rules of a VTIMEZONE, which say what
/// its writer knew of the zone, for the years he cared about. One file, one thread.
class ZoneNames {
 public:
  /// How many VTIMEZONEs of a file are looked at.
  static constexpr std::size_t kDefinitionsMax = 200;

  /// `home` is the zone of whoever brings the file: of several zones with the same rules it is the
  /// one that is taken.
  explicit ZoneNames(std::optional<almanac::Zone> home = std::nullopt);

  /// Learns from a VTIMEZONE what belongs to its TZID: a name of the database, from X-LIC-LOCATION
  /// or TZID-ALIAS-OF, and the rules. Of two with one TZID the first counts; one with a line that
  /// is no property, or with a TZID of more than kTzidBytesMax, teaches nothing.
  void Declare(const Block& vtimezone);
  /// Learns from an event or a task in which years the zones matter.
  void NoteUses(const Block& item) { uses_.Note(item); }
  /// X-WR-TIMEZONE. It is not of the RFC, which has times without TZID be the same on the wall
  /// everywhere; it counts in files that name no zone anywhere else.
  void DeclareDefault(std::string_view tzid) { default_ = tzid; }

  /// Understands, in this order: a name of the database, in any case; one behind a prefix that
  /// makes it unique in the world ("/mozilla.org/20050126_1/Europe/Berlin"); what was declared; a
  /// name of Windows, or what Windows shows of it ("(UTC+01:00) Amsterdam, Berlin, …"); the rules
  /// of its VTIMEZONE. kInvalidArgument with a reason for people otherwise, and for whatever is
  /// asked after the first kTzidsMax, so that a file cannot make of its TZIDs more than it is.
  Result<ZoneChoice> Resolve(std::string_view tzid);

  /// The zone of times that name none; nullopt: the same on the wall everywhere.
  std::optional<almanac::Zone> ForFloating();

  /// What was resolved so far to a zone that is not called as in the file, or has other rules, by
  /// TZID.
  std::vector<TakenZone> Taken() const;

 private:
  struct Declaration {
    std::size_t line{};
    std::string place{};
    Result<ZoneDefinition> rules;
  };
  struct Resolution {
    ZoneChoice choice;
    std::string note{};
  };

  Result<Resolution> Search(std::string_view tzid);
  std::optional<almanac::Zone> SearchName(std::string_view tzid) const;
  Result<Resolution> ByRules(std::string_view tzid, const Declaration& declaration);
  std::string NoteOn(std::string_view tzid, const almanac::Zone& zone);

  std::optional<almanac::Zone> home_;
  std::string default_;
  bool default_used_ = false;
  ZoneUses uses_;
  std::map<std::string, Declaration, std::less<>> declared_;
  std::map<std::string, Result<Resolution>, std::less<>> resolved_;
  /// Of all rules of the file together.
  almanac::ExpansionBudget budget_;
};

}  // namespace atrium::icalendar

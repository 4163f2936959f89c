// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "almanac/zone.h"
#include "base/result.h"
#include "icalendar/item.h"
#include "icalendar/text_blocks.h"
#include "icalendar/zone_names.h"

namespace atrium::icalendar {

/// An event or a task of the file.
struct FoundItem {
  /// Where it begins; the first line is 1.
  std::size_t line{};
  Item item{};
  /// What was not kept of it, or taken otherwise than it says, for people.
  std::vector<std::string> notes{};
};

/// Something of the file that is not taken.
struct Refusal {
  /// Where it begins.
  std::size_t line{};
  /// Of the item, to recognise it by, not necessarily all of it; empty when it is none, or does not
  /// say.
  std::string uid{};
  std::string summary{};
  /// For people; names the property and the line: "DTSTART on line 17: ...".
  std::string reason{};

  bool operator==(const Refusal&) const = default;
};

using Finding = std::variant<FoundItem, Refusal>;

/// On whose behalf a file is read.
struct ReadTerms {
  /// Their zone: taken where several fit the rules of a VTIMEZONE.
  std::optional<almanac::Zone> home{};
};

/// Reads an iCalendar file (RFC 5545, RFC 7986) item by item. Whatever is wrong with one of them,
/// the others are read. Holds one item at a time besides the text, which must live as long as the
/// object. One thread at a time.
class ItemReader {
 public:
  /// Looks through the file for what it says of itself and of its time zones, which may stand at
  /// its end. kInvalidArgument when it holds no calendar, or one of vCalendar 1.0.
  static Result<ItemReader> Open(std::string_view text, const ReadTerms& terms = {});

  const CalendarHead& Head() const { return head_; }

  /// The next item or refusal, in the order of the file; nullopt after the last.
  std::optional<Finding> Next();

  /// Which zones were taken for what the items so far name as their zones.
  std::vector<TakenZone> Zones() const { return zones_.Taken(); }

  /// How many bytes of the text have been used, to show progress.
  std::size_t Position() const { return blocks_.Position(); }

 private:
  ItemReader(std::string_view text, const ReadTerms& terms) : blocks_(text), zones_(terms.home) {}

  void Learn(const Block& block);
  Result<void> Learn(const CalendarLine& calendar_line);

  TextBlocks blocks_;
  CalendarHead head_;
  ZoneNames zones_;
};

/// All of a file at once.
Result<std::vector<Finding>> ReadItems(std::string_view text);

}  // namespace atrium::icalendar

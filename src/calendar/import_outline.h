// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "icalendar/read.h"

namespace atrium::calendar {

/// Items of a file about single occurrences of series that are kept until their series comes by.
inline constexpr std::size_t kOccurrencesOfFile = 100'000;

/// What the outline of a file of that length may take of memory: three times as much, as items of
/// people's calendars need at most, and 64 MiB. Tiny items, of which there is more to know than
/// they are long, fill it before their file ends.
std::size_t OutlineBytesMax(std::size_t file_bytes);

/// What must be known of a whole file before its first entry can be written: changes of single
/// occurrences may stand before their series, and one UID may be there twice.
class ImportOutline {
 public:
  /// kInvalidArgument when the text is no calendar, kLimitExceeded when it has more UIDs than there
  /// is memory for.
  static Result<ImportOutline> Read(std::string_view text, const icalendar::ReadTerms& terms = {});

  /// Which zones are taken for what the file names as its zones.
  const std::vector<icalendar::TakenZone>& Zones() const { return zones_; }

  /// How many items and refusals the file has.
  std::size_t Size() const { return size_; }

  /// Of several items with one UID the one of the highest SEQUENCE counts, or the last of those:
  /// the line of that one. For items without RECURRENCE-ID.
  std::size_t LineThatCounts(std::string_view uid) const;

  /// Each apart: a vector of items that grows has room for as many again.
  using Occurrences = std::vector<std::unique_ptr<icalendar::FoundItem>>;
  /// What the file says of single occurrences of that series, in the order in which it counts.
  /// Answered once.
  Occurrences TakeOccurrences(const std::string& uid);
  /// Occurrences that nobody took, of one series; empty when there are no more.
  Occurrences TakeLeftOver();
  /// Whether that item about a single occurrence is one too many.
  bool IsTooMany(std::size_t line) const { return too_many_from_ && line >= *too_many_from_; }

  /// Whether the file has something of that UID, readable or not.
  bool Names(std::string_view uid) const;

 private:
  struct Place {
    std::size_t line = 0;
    std::uint32_t sequence = 0;
  };
  void Note(icalendar::FoundItem found);
  void NoteSeries(const icalendar::FoundItem& found);
  void NoteOther(const std::string& uid);

  /// What is known so far, as it is in memory.
  std::size_t bytes_ = 0;
  std::size_t bytes_max_ = 0;
  std::vector<icalendar::TakenZone> zones_;
  std::size_t size_ = 0;
  std::size_t occurrence_count_ = 0;
  std::optional<std::size_t> too_many_from_;
  std::unordered_map<std::string, Place> series_;
  std::map<std::string, Occurrences, std::less<>> occurrences_;
  /// UIDs of which not all may be known: those of items that are not understood, and of
  /// occurrences.
  std::set<std::string, std::less<>> others_;
};

}  // namespace atrium::calendar

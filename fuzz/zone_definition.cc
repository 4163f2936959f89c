// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/zone_definition.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "almanac/expansion_budget.h"
#include "almanac/local_time.h"
#include "almanac/zone.h"
#include "base/check.h"
#include "base/instant.h"
#include "base/result.h"
#include "base/utf8.h"
#include "fuzz/fuzzing.h"
#include "icalendar/offset_table.h"
#include "icalendar/text_blocks.h"
#include "icalendar/zone_match.h"
#include "icalendar/zone_names.h"

namespace atrium::fuzz {
namespace {

using icalendar::OffsetTable;
using icalendar::YearSpan;
using std::chrono::seconds;

constexpr YearSpan kYears{.first = 1990, .last = 2030};

/// What clocks show at a moment is a time that leads back to a moment at which they show it.
void CheckTable(const OffsetTable& table) {
  Instant before = Instant::min();
  for (const almanac::OffsetChange& change : table.Changes()) {
    Check(before < change.at, "changes are in order");
    Check(change.before != change.after, "a change changes something");
    Check(table.OffsetAt(change.at) == change.after, "it holds from then on");
    before = change.at;
  }
  const icalendar::TimeSpan span = kYears.Times();
  for (Instant at = span.from; at < span.to; at += std::chrono::hours(1237)) {
    const almanac::LocalTime shown = almanac::Zone::Utc().In(at + table.OffsetAt(at));
    const Instant back = table.At(shown);
    Check(almanac::Zone::Utc().In(back + table.OffsetAt(back)) == shown, "clocks show that time");
    Check(back <= at, "of two moments it is the first");
  }
}

void CheckMatch(const OffsetTable& table) {
  const icalendar::ZoneMatch match = icalendar::FindMatch(table, kYears.Times(), std::nullopt);
  const seconds difference = table.DifferenceTo(match.zone, kYears.Times(), seconds::max());
  Check(match.exact == (difference == seconds(0)), "a match is a match");
}

}  // namespace

/// What stands in a VTIMEZONE.
void TryInput(std::string_view input) {
  const std::string text = "BEGIN:VCALENDAR\nBEGIN:VTIMEZONE\nTZID:Somewhere\n" +
                           std::string(input) + "\nEND:VTIMEZONE\nEND:VCALENDAR\n";
  icalendar::TextBlocks blocks(text);
  const std::optional<icalendar::Piece> piece = blocks.Next();
  const auto* block = piece ? std::get_if<icalendar::Block>(&*piece) : nullptr;
  if (block == nullptr) {
    return;
  }
  icalendar::ZoneNames names;
  names.Declare(*block);
  const Result<icalendar::ZoneChoice> choice = names.Resolve("Somewhere");
  Check(choice || IsValidUtf8(choice.error().client_message), "a reason is text");
  const Result<icalendar::ZoneDefinition> definition = icalendar::ZoneDefinition::Parse(*block);
  if (!definition) {
    Check(!definition.error().client_message.empty(), "a refusal says why");
    return;
  }
  almanac::ExpansionBudget budget(2000, 1'000'000);
  if (const Result<OffsetTable> table = definition->Expand(kYears, budget)) {
    CheckTable(*table);
    CheckMatch(*table);
  }
}

}  // namespace atrium::fuzz

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "calendar/entry_writes.h"
#include "calendar/ical_entries.h"
#include "calendar/import_outline.h"
#include "calendar/records.h"
#include "icalendar/read.h"
#include "store/batch.h"
#include "store/giving_way.h"
#include "store/ground.h"
#include "store/op_context.h"
#include "store/record.h"
#include "store/warrant.h"

namespace atrium::calendar {

/// Something of a file that is not in the calendar now.
struct ImportRefusal {
  /// Where it begins; the first is 1.
  std::size_t line = 0;
  std::string uid{};
  std::string summary{};
  std::string reason{};
};
BOOST_DESCRIBE_STRUCT(ImportRefusal, (), (line, uid, summary, reason))

/// Which zone was taken for what a file calls its zone.
struct ImportZone {
  /// Empty: times without a zone.
  std::string tzid{};
  std::string zone{};
  /// How it was found, or what is not as in the file; empty when there is nothing to say.
  std::string note{};
};
BOOST_DESCRIBE_STRUCT(ImportZone, (), (tzid, zone, note))

struct ImportReport {
  std::size_t added = 0;
  std::size_t updated = 0;
  std::size_t unchanged = 0;
  /// The first thousand.
  std::vector<ImportRefusal> refused{};
  std::size_t refused_count = 0;
  /// Zones that are called otherwise in the file, or have other rules there; the first hundred.
  std::vector<ImportZone> zones{};
  std::size_t zones_count = 0;
  /// What was not kept of entries, or taken otherwise; the first thousand.
  std::vector<std::string> notes{};
  std::size_t notes_count = 0;
  /// Why it ended before the end of the file. What is in by then stays.
  std::optional<std::string> stopped{};
};
BOOST_DESCRIBE_STRUCT(ImportReport, (),
                      (added, updated, unchanged, refused, refused_count, zones, zones_count, notes,
                       notes_count, stopped))

struct ImportTarget {
  CalendarId calendar{};
  Author author{};
  /// Of whoever brings the file: where several zones have the rules that a file defines, theirs is
  /// taken. Empty: nobody in particular.
  std::string home_zone{};
  /// Of the request, for the log; empty: the label of the author.
  std::string trace{};
  /// The right by which the file is brought; null: the server's own work.
  std::shared_ptr<const store::Warrant> warrant{};
  /// Asked before each commit: the calendar as it is, or why it is not to be written to.
  std::function<Result<store::Stored<Calendar>>()> enter{};
};

/// Brings the entries of an iCalendar file into a calendar, a few in each commit, so that others
/// get at the store in between, and one that is refused disturbs none of the others. An entry of
/// the same UID is changed, and left alone when there is nothing to change. One thread at a time.
class EntryImport {
 public:
  /// Looks the file through once, and takes OutlineBytesMax() of memory for that besides the text.
  /// kInvalidArgument when it is no calendar, kLimitExceeded when that does not suffice.
  static Result<std::unique_ptr<EntryImport>> Open(const store::Ground& ground, ImportTarget target,
                                                   std::string text);
  EntryImport(const EntryImport&) = delete;
  EntryImport& operator=(const EntryImport&) = delete;

  /// Does the work of one commit. False when everything is done, or cannot go on: Failure().
  bool Step();

  std::size_t Done() const { return done_; }
  std::size_t Of() const { return outline_.Size(); }
  const ImportReport& Report() const { return report_; }
  /// Why it ended before its end.
  const std::optional<Error>& Failure() const { return failure_; }

  /// Whether an entry of that uid is one of the file, also when the file's was not understood.
  bool Names(std::string_view uid) const;

 private:
  /// An entry on its way.
  struct Piece {
    std::size_t line = 0;
    EntryDraft draft{};
    /// Goes, when it is there.
    bool cancelled = false;
    /// Changes of single occurrences of a series that the file does not have.
    std::vector<icalendar::FoundItem> occurrences{};
  };
  enum class Effect : std::uint8_t { kAdded, kUpdated, kUnchanged };
  using Found = std::optional<store::Stored<Entry>>;

  EntryImport(const store::Ground& ground, ImportTarget target, std::string text);

  Result<void> Fill();
  void Take(const icalendar::FoundItem& found);
  void TakeSeries(const icalendar::FoundItem& found);
  Result<void> TakeLeftOver(const ImportOutline::Occurrences& occurrences);
  void TakeApart(const icalendar::FoundItem& found);
  void Queue(Piece piece);
  bool IsFull() const;

  Result<void> CommitAll();
  Result<void> CommitSome(std::span<const Piece> pieces);
  Result<std::vector<Effect>> TryCommit(std::span<const Piece> pieces);
  Result<Effect> Write(store::Batch& batch, const Piece& piece) const;
  Result<Found> FindEntry(const std::string& uid) const;
  /// For what a commit and the reads before it ask of the store.
  store::OpContext Context() const;
  void Count(Effect effect);

  void Refuse(std::size_t line, const icalendar::Item& item, const Error& error);
  void Refuse(ImportRefusal refusal);
  void TellZones();
  void Tell(std::size_t line, const std::vector<std::string>& notes);

  const store::Ground ground_;
  const ImportTarget target_;
  const std::string text_;
  const SteadyInstant give_up_at_;
  store::GivingWay giving_way_;
  ImportOutline outline_;
  std::optional<icalendar::ItemReader> reader_;
  std::vector<Piece> pieces_;
  std::size_t weight_ = 0;
  std::size_t read_ = 0;
  std::size_t done_ = 0;
  bool at_end_ = false;
  std::set<std::string, std::less<>> apart_;
  ImportReport report_;
  std::optional<Error> failure_;
};

}  // namespace atrium::calendar

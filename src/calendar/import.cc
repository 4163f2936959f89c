// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/import.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

#include "almanac/zone.h"
#include "base/json_write.h"
#include "base/log.h"
#include "base/utf8.h"
#include "calendar/ical_merge.h"
#include "calendar/ical_series.h"
#include "calendar/keys.h"
#include "calendar/time_index.h"
#include "store/store.h"

namespace atrium::calendar {
namespace {

using icalendar::FoundItem;
using icalendar::Item;

/// Each entry has a partition of its own, and a commit has room for sixteen.
constexpr std::size_t kAtOnce = 12;
/// Rows of one commit; the limit is 100.
constexpr std::size_t kRowsAtOnce = 88;
constexpr std::size_t kListed = 1000;
constexpr std::size_t kZonesListed = 100;
/// Of each text in a report: files have summaries of megabytes.
constexpr std::size_t kToldBytes = 500;
constexpr std::chrono::minutes kTimeForAll{10};
constexpr std::chrono::seconds kTimeForCommit{30};

icalendar::ReadTerms TermsFor(const ImportTarget& target) {
  const Result<almanac::Zone> home = almanac::Zone::Find(target.home_zone);
  return {.home = home ? std::optional(*home) : std::nullopt};
}

/// How many rows a change of the entry may write, those before it included.
std::size_t RowsOf(const Entry& entry) {
  constexpr std::size_t kBesides = 5;
  return kBesides + 2 * TimeRows(entry).size();
}

/// What one entry alone is to blame for.
bool IsOwnFault(ErrorCode code) {
  return code == ErrorCode::kInvalidArgument || code == ErrorCode::kLimitExceeded ||
         code == ErrorCode::kConflict || code == ErrorCode::kAlreadyExists;
}

std::string ReasonOf(const Error& error) {
  if (!error.client_message.empty()) {
    return error.client_message;
  }
  if (error.code == ErrorCode::kLimitExceeded) {
    return "it takes more room than an entry has";
  }
  return error.code == ErrorCode::kConflict ? "it is being changed by somebody else"
                                            : "the server did not take it";
}

}  // namespace

EntryImport::EntryImport(const store::Ground& ground, ImportTarget target, std::string text)
    : ground_(ground),
      target_(std::move(target)),
      text_(std::move(text)),
      give_up_at_(ground.clock.Steady() + kTimeForAll),
      giving_way_(ground.clock, [&store = ground.store] { return store.IsTidying(); }) {}

Result<std::unique_ptr<EntryImport>> EntryImport::Open(const store::Ground& ground,
                                                       ImportTarget target, std::string text) {
  std::unique_ptr<EntryImport> made(new EntryImport(ground, std::move(target), std::move(text)));
  const icalendar::ReadTerms terms = TermsFor(made->target_);
  ASSIGN_OR_RETURN(made->outline_, ImportOutline::Read(made->text_, terms));
  ASSIGN_OR_RETURN(made->reader_, icalendar::ItemReader::Open(made->text_, terms));
  made->TellZones();
  return made;
}

bool EntryImport::Step() {
  if (failure_ || (at_end_ && pieces_.empty())) {
    return false;
  }
  giving_way_.Rest();
  Result<void> outcome = Fill();
  if (outcome) {
    outcome = CommitAll();
  }
  if (!outcome) {
    failure_ = std::move(outcome).error();
    report_.stopped = ReasonOf(*failure_);
    log::Warn("import stopped",
              {{"calendar", target_.calendar.Render()}, {"error", Describe(*failure_)}});
    return false;
  }
  done_ = read_;
  return !at_end_;
}

bool EntryImport::Names(std::string_view uid) const {
  return outline_.Names(uid) || apart_.contains(uid);
}

// From the file to entries.

Result<void> EntryImport::Fill() {
  if (ground_.clock.Steady() > give_up_at_) {
    return Fail(ErrorCode::kDeadlineExceeded, "it took too long: bring the rest in another file");
  }
  while (!IsFull()) {
    std::optional<icalendar::Finding> finding = reader_->Next();
    if (!finding) {
      const ImportOutline::Occurrences rest = outline_.TakeLeftOver();
      at_end_ = rest.empty();
      if (at_end_) {
        return {};
      }
      RETURN_IF_ERROR(TakeLeftOver(rest));
      continue;
    }
    ++read_;
    if (const auto* found = std::get_if<FoundItem>(&*finding)) {
      Take(*found);
    } else {
      auto& refusal = std::get<icalendar::Refusal>(*finding);
      Refuse({.line = refusal.line,
              .uid = std::move(refusal.uid),
              .summary = std::move(refusal.summary),
              .reason = std::move(refusal.reason)});
    }
  }
  return {};
}

void EntryImport::Take(const FoundItem& found) {
  Tell(found.line, found.notes);
  if (!found.item.recurrence_id) {
    TakeSeries(found);
    return;
  }
  if (outline_.IsTooMany(found.line)) {
    Refuse({.line = found.line,
            .uid = found.item.uid,
            .summary = found.item.summary,
            .reason = "too many changes of single occurrences in one file"});
  }
}

void EntryImport::TakeSeries(const FoundItem& found) {
  const std::size_t counts = outline_.LineThatCounts(found.item.uid);
  if (counts != found.line) {
    Refuse({.line = found.line,
            .uid = found.item.uid,
            .summary = found.item.summary,
            .reason = "the same UID is there again on line " + std::to_string(counts)});
    return;
  }
  const ImportOutline::Occurrences occurrences = outline_.TakeOccurrences(found.item.uid);
  if (found.item.cancelled) {
    Tell(found.line, {"it is cancelled"});
    Queue({.line = found.line, .draft = {.entry = {.uid = found.item.uid}}, .cancelled = true});
    return;
  }
  const Date today = almanac::Zone::Utc().In(ground_.clock.Now()).date;
  Result<EntryDraft> draft = DraftOf(found.item, today);
  if (!draft) {
    Refuse(found.line, found.item, draft.error());
    return;
  }
  SeriesBuilder builder(draft->entry);
  std::vector<const FoundItem*> apart;
  for (const std::unique_ptr<FoundItem>& one : occurrences) {
    const Result<SeriesBuilder::Outcome> outcome = builder.Take(one->item, draft->notes);
    if (!outcome) {
      Refuse(one->line, one->item, outcome.error());
    } else if (*outcome == SeriesBuilder::Outcome::kApart) {
      apart.push_back(one.get());
    }
  }
  Result<Entry> series = std::move(builder).Finish(draft->notes);
  if (!series) {
    Refuse(found.line, found.item, series.error());
    return;
  }
  draft->entry = *std::move(series);
  Tell(found.line, draft->notes);
  Queue({.line = found.line, .draft = *std::move(draft)});
  for (const FoundItem* one : apart) {
    TakeApart(*one);
  }
}

/// Occurrences of a series that is not in the file: it may be in the calendar.
Result<void> EntryImport::TakeLeftOver(const ImportOutline::Occurrences& occurrences) {
  const std::string uid = occurrences.front()->item.uid;
  ASSIGN_OR_RETURN(const Found series, FindEntry(uid));
  SeriesBuilder builder(series ? series->record : Entry{});
  std::vector<FoundItem> taken;
  for (const std::unique_ptr<FoundItem>& one : occurrences) {
    std::vector<std::string> notes;
    const Result<SeriesBuilder::Outcome> outcome = builder.Take(one->item, notes);
    if (!outcome) {
      Refuse(one->line, one->item, outcome.error());
    } else if (*outcome == SeriesBuilder::Outcome::kApart) {
      TakeApart(*one);
    } else {
      Tell(one->line, notes);
      taken.push_back(std::move(*one));
    }
  }
  if (!taken.empty()) {
    Queue({.line = taken.front().line,
           .draft = {.entry = series->record},
           .occurrences = std::move(taken)});
    pieces_.back().draft.entry.uid = uid;
  }
  return {};
}

/// An item about one occurrence whose series is nowhere, or has no place for it.
void EntryImport::TakeApart(const FoundItem& found) {
  if (found.item.cancelled) {
    return;
  }
  Item item = found.item;
  item.uid = UidApart(found.item);
  const Date today = almanac::Zone::Utc().In(ground_.clock.Now()).date;
  Result<EntryDraft> draft = DraftOf(item, today);
  if (!draft) {
    Refuse(found.line, found.item, draft.error());
    return;
  }
  draft->notes.emplace_back("an entry of its own: its series has no such occurrence");
  apart_.insert(item.uid);
  Tell(found.line, draft->notes);
  Queue({.line = found.line, .draft = *std::move(draft)});
}

void EntryImport::Queue(Piece piece) {
  weight_ += RowsOf(piece.draft.entry);
  pieces_.push_back(std::move(piece));
}

bool EntryImport::IsFull() const {
  return pieces_.size() >= kAtOnce || weight_ >= kRowsAtOnce;
}

// From entries to the store.

Result<void> EntryImport::CommitAll() {
  std::vector<Piece> pieces = std::exchange(pieces_, {});
  weight_ = 0;
  for (std::size_t at = 0; at < pieces.size(); at += kAtOnce) {
    const std::size_t count = std::min(kAtOnce, pieces.size() - at);
    RETURN_IF_ERROR(CommitSome(std::span(pieces).subspan(at, count)));
  }
  return {};
}

Result<void> EntryImport::CommitSome(std::span<const Piece> pieces) {
  const Result<std::vector<Effect>> effects =
      store::RetryConflicts([&] { return TryCommit(pieces); });
  if (effects) {
    std::ranges::for_each(*effects, [this](Effect effect) { Count(effect); });
    return {};
  }
  if (!IsOwnFault(effects.error().code)) {
    return std::unexpected(effects.error());
  }
  if (pieces.size() > 1) {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      RETURN_IF_ERROR(CommitSome(pieces.subspan(i, 1)));
    }
    return {};
  }
  Refuse({.line = pieces.front().line,
          .uid = pieces.front().draft.entry.uid,
          .summary = pieces.front().draft.entry.title,
          .reason = ReasonOf(effects.error())});
  return {};
}

Result<std::vector<EntryImport::Effect>> EntryImport::TryCommit(std::span<const Piece> pieces) {
  ASSIGN_OR_RETURN(const store::Stored<Calendar> calendar, target_.enter());
  store::Batch batch;
  std::vector<Effect> effects;
  for (const Piece& piece : pieces) {
    ASSIGN_OR_RETURN(const Effect effect, Write(batch, piece));
    effects.push_back(effect);
  }
  const bool is_idle =
      std::ranges::all_of(effects, [](Effect effect) { return effect == Effect::kUnchanged; });
  if (!is_idle) {
    batch.Check(Calendars(), calendar);
    RETURN_IF_ERROR(ground_.store.Commit(Context(), std::move(batch)));
  }
  return effects;
}

Result<EntryImport::Effect> EntryImport::Write(store::Batch& batch, const Piece& piece) const {
  const Instant now = ground_.clock.Now();
  ASSIGN_OR_RETURN(const Found before, FindEntry(piece.draft.entry.uid));
  if (!before) {
    if (piece.cancelled || !piece.occurrences.empty()) {
      return Effect::kUnchanged;
    }
    Entry entry = piece.draft.entry;
    entry.id = EntryId(ground_.ids.NewTimeUuid());
    entry.calendar_id = target_.calendar;
    WriteNew(batch, target_.author, now, std::move(entry));
    return Effect::kAdded;
  }
  if (piece.cancelled) {
    WriteDeleted(batch, target_.author, now, *before);
    return Effect::kUpdated;
  }
  Entry after = before->record;
  if (piece.occurrences.empty()) {
    after = Merged(before->record, piece.draft);
  } else {
    ASSIGN_OR_RETURN(after, WithOccurrences(before->record, piece.occurrences));
  }
  if (SayTheSame(after, before->record)) {
    return Effect::kUnchanged;
  }
  WriteChanged(batch, target_.author, now, {.before = *before, .after = std::move(after)});
  return Effect::kUpdated;
}

Result<EntryImport::Found> EntryImport::FindEntry(const std::string& uid) const {
  ASSIGN_OR_RETURN(Found found, store::FindBy(ground_.store, Context(), Entries(), kEntryUids,
                                              UidKey(target_.calendar, uid)));
  const std::optional<EntryId> id = EntryNamedBy(uid);
  if (found || !id) {
    return found;
  }
  ASSIGN_OR_RETURN(found, store::Find(ground_.store, Context(), Entries(), EntryKey(*id)));
  const bool is_it = found && !found->record.deleted_at && found->record.uid.empty() &&
                     found->record.calendar_id == target_.calendar;
  return is_it ? std::move(found) : std::nullopt;
}

store::OpContext EntryImport::Context() const {
  return {.deadline = ground_.clock.Steady() + kTimeForCommit,
          .trace = target_.trace.empty() ? target_.author.label : target_.trace,
          .warrant = target_.warrant.get()};
}

void EntryImport::Count(Effect effect) {
  report_.added += effect == Effect::kAdded ? 1 : 0;
  report_.updated += effect == Effect::kUpdated ? 1 : 0;
  report_.unchanged += effect == Effect::kUnchanged ? 1 : 0;
}

// What is told afterwards.

void EntryImport::Refuse(std::size_t line, const Item& item, const Error& error) {
  Refuse({.line = line, .uid = item.uid, .summary = item.summary, .reason = ReasonOf(error)});
}

void EntryImport::Refuse(ImportRefusal refusal) {
  if (report_.refused_count++ < kListed) {
    for (std::string* text : {&refusal.uid, &refusal.summary, &refusal.reason}) {
      text->resize(TruncateUtf8(*text, kToldBytes).size());
    }
    report_.refused.push_back(std::move(refusal));
  }
}

void EntryImport::TellZones() {
  report_.zones_count = outline_.Zones().size();
  for (const icalendar::TakenZone& one : outline_.Zones()) {
    if (report_.zones.size() == kZonesListed) {
      return;
    }
    report_.zones.push_back({.tzid = one.tzid, .zone = one.zone, .note = one.note});
  }
}

void EntryImport::Tell(std::size_t line, const std::vector<std::string>& notes) {
  for (const std::string& note : notes) {
    if (report_.notes_count++ < kListed) {
      report_.notes.push_back("line " + std::to_string(line) + ": " +
                              std::string(TruncateUtf8(note, kToldBytes)));
    }
  }
}

}  // namespace atrium::calendar

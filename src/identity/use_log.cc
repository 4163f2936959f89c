// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/use_log.h"

#include <chrono>
#include <iterator>
#include <string_view>
#include <utility>

#include "identity/keys.h"

namespace atrium::identity {

namespace {

constexpr std::string_view kJob = "identity.note-uses";
/// For one note.
constexpr std::chrono::seconds kTimeForNote{10};

/// Then the next note fares no better.
bool IsOutOfReach(ErrorCode code) {
  return code == ErrorCode::kUnavailable || code == ErrorCode::kDeadlineExceeded ||
         code == ErrorCode::kOutcomeUnknown;
}

}  // namespace

void UseLog::Note(Notes& notes, const std::string& hash, Use use) {
  if (notes.size() < kNotesMax || notes.contains(hash)) {
    notes[hash] = std::move(use);
  }
}

void UseLog::NoteSession(const std::string& hash, Use use) {
  const std::scoped_lock lock(mutex_);
  Note(session_notes_, hash, std::move(use));
  if (counted_sessions_.size() < kNotesMax) {
    counted_sessions_.insert(hash);
  }
}

std::size_t UseLog::TakeSessionCount() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(counted_sessions_, {}).size();
}

void UseLog::NoteToken(const std::string& hash, Use use) {
  const std::scoped_lock lock(mutex_);
  Note(token_notes_, hash, std::move(use));
}

Result<void> UseLog::WriteDown() {
  Result<void> sessions = WriteAll(session_notes_, &UseLog::WriteSession);
  Result<void> tokens = WriteAll(token_notes_, &UseLog::WriteToken);
  return sessions ? tokens : sessions;
}

Result<void> UseLog::WriteAll(Notes& noted, Write write) {
  Notes notes;
  {
    const std::scoped_lock lock(mutex_);
    notes.swap(noted);
  }
  Result<void> outcome;
  for (auto note = notes.begin(); note != notes.end();) {
    const store::OpContext op{.deadline = ground_.clock.Steady() + kTimeForNote, .trace = kJob};
    Result<void> written =
        store::RetryConflicts([&] { return (this->*write)(op, note->first, note->second); });
    const bool out_of_reach = !written && IsOutOfReach(written.error().code);
    note = written ? notes.erase(note) : std::next(note);
    if (outcome && !written) {
      outcome = std::move(written);
    }
    if (out_of_reach) {
      break;
    }
  }
  const std::scoped_lock lock(mutex_);
  // What was noted meanwhile is newer, and stays.
  noted.merge(notes);
  return outcome;
}

Result<void> UseLog::WriteSession(const store::OpContext& op, const std::string& hash,
                                  const Use& use) {
  ASSIGN_OR_RETURN(const auto old, store::Find(ground_.store, op, Sessions(), HashKey(hash)));
  if (!old) {
    return {};
  }
  Session used = old->record;
  used.last_used_at = use.at;
  used.address = use.address;
  // Only full sessions slide: the others are short on purpose.
  if (used.kind == SessionKind::kFull) {
    used.expires_at = use.at + sessions_.LifetimeOf(used.kind);
  }
  store::Batch batch;
  batch.Replace(Sessions(), *old, used);
  RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
  return {};
}

Result<void> UseLog::WriteToken(const store::OpContext& op, const std::string& hash,
                                const Use& use) {
  ASSIGN_OR_RETURN(const auto old, store::Find(ground_.store, op, Tokens(), HashKey(hash)));
  if (!old) {
    return {};
  }
  Token used = old->record;
  used.last_used_at = use.at;
  used.last_address = use.address;
  store::Batch batch;
  batch.Replace(Tokens(), *old, used);
  RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
  return {};
}

jobs::JobSpec MakeUseJob(UseLog& uses) {
  return {.name = std::string(kJob),
          .schedule = jobs::Every{.period = std::chrono::minutes(1)},
          .run = [&uses](jobs::JobContext&) { return uses.WriteDown(); }};
}

}  // namespace atrium::identity

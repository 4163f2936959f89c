// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/use_log.h"

#include <utility>

#include "identity/keys.h"

namespace atrium::identity {

void UseLog::NoteSession(const std::string& hash, Use use) {
  const std::scoped_lock lock(mutex_);
  session_notes_[hash] = std::move(use);
  counted_sessions_.insert(hash);
}

std::size_t UseLog::TakeSessionCount() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(counted_sessions_, {}).size();
}

void UseLog::NoteToken(const std::string& hash, Use use) {
  const std::scoped_lock lock(mutex_);
  token_notes_[hash] = std::move(use);
}

Result<void> UseLog::WriteDown() {
  Notes sessions;
  Notes tokens;
  {
    const std::scoped_lock lock(mutex_);
    sessions.swap(session_notes_);
    tokens.swap(token_notes_);
  }
  for (const auto& [hash, use] : sessions) {
    RETURN_IF_ERROR(store::RetryConflicts([&] { return WriteSession(hash, use); }));
  }
  for (const auto& [hash, use] : tokens) {
    RETURN_IF_ERROR(store::RetryConflicts([&] { return WriteToken(hash, use); }));
  }
  return {};
}

Result<void> UseLog::WriteSession(const std::string& hash, const Use& use) {
  ASSIGN_OR_RETURN(const auto old, store::Find(ground_.store, {}, Sessions(), HashKey(hash)));
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
  RETURN_IF_ERROR(ground_.store.Commit({}, std::move(batch)));
  return {};
}

Result<void> UseLog::WriteToken(const std::string& hash, const Use& use) {
  ASSIGN_OR_RETURN(const auto old, store::Find(ground_.store, {}, Tokens(), HashKey(hash)));
  if (!old) {
    return {};
  }
  Token used = old->record;
  used.last_used_at = use.at;
  used.last_address = use.address;
  store::Batch batch;
  batch.Replace(Tokens(), *old, used);
  RETURN_IF_ERROR(ground_.store.Commit({}, std::move(batch)));
  return {};
}

jobs::JobSpec MakeUseJob(UseLog& uses) {
  return {.name = "identity.note-uses",
          .schedule = jobs::Every{.period = std::chrono::minutes(1)},
          .run = [&uses](jobs::JobContext&) { return uses.WriteDown(); }};
}

}  // namespace atrium::identity

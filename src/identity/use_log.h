// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "base/instant.h"
#include "base/result.h"
#include "identity/ground.h"
#include "identity/session_service.h"
#include "jobs/job.h"

namespace atrium::identity {

/// When credentials were used last. Requests only leave a note in memory; a job writes the notes
/// down every minute, which is also when sessions slide. A crash forgets a minute of notes. Of each
/// credential the newest note counts; beyond kNotesMax of them, further credentials go without.
class UseLog {
 public:
  UseLog(const Ground& ground, const SessionService& sessions)
      : ground_(ground), sessions_(sessions) {}

  struct Use {
    Instant at{};
    std::string address{};
  };

  /// Any thread, quick.
  void NoteSession(const std::string& hash, Use use);
  void NoteToken(const std::string& hash, Use use);

  /// How many sessions were used since this was last asked.
  std::size_t TakeSessionCount();

  /// Writes down what was noted so far. What cannot be written stays noted, and the first reason is
  /// answered; a store that is out of reach is not asked for each of them.
  Result<void> WriteDown();

  /// Of sessions, and as many of tokens.
  static constexpr std::size_t kNotesMax = 100'000;

 private:
  using Notes = std::map<std::string, Use>;

  using Write = Result<void> (UseLog::*)(const store::OpContext&, const std::string&, const Use&);

  static void Note(Notes& notes, const std::string& hash, Use use);
  Result<void> WriteAll(Notes& noted, Write write);
  Result<void> WriteSession(const store::OpContext& op, const std::string& hash, const Use& use);
  Result<void> WriteToken(const store::OpContext& op, const std::string& hash, const Use& use);

  const Ground ground_;
  const SessionService& sessions_;
  std::mutex mutex_;
  // Guarded by mutex_.
  Notes session_notes_;
  Notes token_notes_;
  std::set<std::string> counted_sessions_;
};

/// Below this a use is not worth writing down again.
inline constexpr std::chrono::minutes kUseResolution{1};

jobs::JobSpec MakeUseJob(UseLog& uses);

}  // namespace atrium::identity

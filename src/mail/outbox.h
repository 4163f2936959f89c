// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/id_source.h"
#include "base/instant.h"
#include "base/result.h"
#include "jobs/job.h"
#include "mail/letter.h"
#include "mail/letter_watcher.h"
#include "mail/records.h"
#include "mail/transport.h"
#include "store/batch.h"
#include "store/op_context.h"
#include "store/record.h"
#include "store/store.h"

namespace atrium::mail {

struct OutboxOptions {
  /// "Atrium <atrium@example.org>" or an address alone.
  std::string from{};
  /// None: mail is not set up.
  std::shared_ptr<Transport> transport{};
  // After a failure that may pass: doubles with each one.
  std::chrono::milliseconds first_wait = std::chrono::minutes{1};
  std::chrono::milliseconds wait_max = std::chrono::hours{1};
  /// A letter that could not be sent for so long is dead.
  std::chrono::milliseconds give_up_after = std::chrono::hours{24};
  std::chrono::milliseconds dead_kept = std::chrono::days{7};
};

/// Letters that wait to be sent. Each is a row of the commit that caused it: nothing is mailed that
/// did not happen, and nothing happens without its letter. Sent at least once: a server that dies
/// between handing a letter over and noting it sends the letter again, with the same Message-ID.
///
/// Any thread; DeliverDue by one at a time. `store`, `clock` and `ids` outlive it.
class Outbox {
 public:
  Outbox(store::Store& store, const Clock& clock, IdSource& ids, OutboxOptions options);

  /// Whether letters leave at all.
  bool IsOpen() const { return options_.transport != nullptr; }

  /// Queues a letter with the commit of `batch`, whose answer stays as it is. Takes three rows of
  /// it and one line of a log. Without effect when the outbox is not open: a letter must not lie
  /// there until mail is set up some day. A letter that still waits at `valid_until` is dropped.
  /// `about` is "kind:…"; the watcher of that kind is told what becomes of the letter.
  void Add(store::Batch& batch, const Message& message,
           std::optional<Instant> valid_until = std::nullopt,
           std::optional<std::string> about = std::nullopt);

  /// Has `watcher`, which outlives the outbox, hear of letters about this kind of thing. Before the
  /// first letter is sent.
  void Watch(std::string kind, LetterWatcher& watcher);

  /// Sends what is due and answers how many letters were taken. One that is put off or refused is
  /// no failure of the run. Leaves the rest for the next run after a few failures in a row, since
  /// it is the mail server then, and when it is asked to stop.
  Result<std::size_t> DeliverDue(jobs::JobContext& context);

  /// Lists dead letters, which are not tried any more, newest first; `last_error` says why. Their
  /// words may hold a key to somebody's account and are for nobody but their recipient. `after` is
  /// the `resume` of the page before.
  Result<store::RecordPage<OutgoingMail>> ListDead(const store::OpContext& op, std::size_t limit,
                                                   std::optional<std::string> after = {});

  /// Queues a dead letter again with the commit of `batch`, and answers it as it was. kNotFound
  /// when no dead letter has the id; kRefusedByState when it cannot be sent any more, or none can.
  Result<OutgoingMail> AddRetry(const store::OpContext& op, store::Batch& batch,
                                std::string_view id);
  /// Erases a dead letter with the commit of `batch`, and answers it. kNotFound as above.
  Result<OutgoingMail> AddDrop(const store::OpContext& op, store::Batch& batch,
                               std::string_view id);

 private:
  using Queued = store::Stored<OutgoingMail>;
  enum class Fate : std::uint8_t { kSent, kPutOff, kDead, kDropped, kUntouched };
  struct Tally {
    std::size_t sent = 0;
    std::size_t put_off = 0;
    std::size_t dead = 0;
    std::size_t dropped = 0;
    std::size_t failures_in_a_row = 0;

    void Count(Fate fate);
    std::size_t Moved() const { return sent + put_off + dead + dropped; }
  };

  bool MayGoOn(const jobs::JobContext& context, const Tally& tally) const;
  /// Tries every letter that is due at its beginning once.
  Result<void> DeliverPass(jobs::JobContext& context, Tally& tally);
  /// A page of letters that are due, behind `after`, which is moved on.
  Result<std::vector<store::Key>> ListDue(Instant now, std::optional<std::string>& after);
  Result<Fate> Deliver(jobs::JobContext& context, const store::Key& key);
  Result<void> Send(jobs::JobContext& context, const OutgoingMail& mail);
  Result<Fate> Conclude(const Queued& queued, const Result<void>& sent);
  Result<Fate> Erase(const Queued& queued, Fate fate);
  Result<Fate> Replace(const Queued& queued, const OutgoingMail& mail, Fate fate);
  /// Commits the end of an attempt with what its watcher makes of it.
  Result<Fate> Commit(const store::Batch& batch, const OutgoingMail& mail, Fate fate);
  Result<Queued> LoadDead(const store::OpContext& op, std::string_view id);
  static LetterFate FateFor(Fate fate);
  void Tell(store::Batch& batch, const OutgoingMail& mail, Fate fate) const;

  store::Store& store_;
  const Clock& clock_;
  IdSource& ids_;
  OutboxOptions options_;
  std::map<std::string, LetterWatcher*, std::less<>> watchers_;
};

inline constexpr std::string_view kDeliveryJob = "mail.deliver";

/// That job, every minute. `outbox` outlives it.
jobs::JobSpec MakeDeliveryJob(Outbox& outbox);

}  // namespace atrium::mail

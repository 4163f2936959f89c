// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "mail/outbox.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/id_source.h"
#include "base/instant.h"
#include "base/log.h"
#include "base/result.h"
#include "base/ulid.h"
#include "base/utf8.h"
#include "jobs/job.h"
#include "jobs/schedule.h"
#include "mail/keys.h"
#include "mail/letter.h"
#include "mail/letter_watcher.h"
#include "mail/mailbox.h"
#include "mail/mime.h"
#include "mail/records.h"
#include "mail/transport.h"
#include "store/batch.h"
#include "store/collection.h"
#include "store/engine.h"
#include "store/op_context.h"
#include "store/row.h"
#include "store/store.h"
#include "store/write_set.h"

namespace atrium::mail {
namespace {

using std::chrono::milliseconds;

constexpr store::OpContext kOp = store::OpContext::ForWork("mail", store::Consistency::kWrites);
constexpr std::size_t kPageRows = 100;
constexpr std::size_t kFailuresInARowMax = 3;
constexpr std::size_t kErrorBytesMax = 1000;

/// Whether the letter itself was refused.
bool IsForGood(const Error& error) {
  return error.code == ErrorCode::kInvalidArgument || error.code == ErrorCode::kPermissionDenied;
}

milliseconds WaitAfter(unsigned attempts, const OutboxOptions& options) {
  milliseconds wait = options.first_wait;
  for (unsigned tried = 1; tried < attempts && wait < options.wait_max; ++tried) {
    wait *= 2;
  }
  return std::min(wait, options.wait_max);
}

/// Wakes those who watch for letters to be sent.
void AddCall(store::Batch& batch) {
  batch.Add(store::Append{.table = &kOutgoingAdded,
                          .partition = std::string(kAddedTopic),
                          .document = "{}",
                          .keep = 1});
}

std::string AddressOf(const std::string& from) {
  const Result<Mailbox> mailbox = ParseMailbox(from);
  return mailbox ? mailbox->address : from;
}

}  // namespace

LetterFate Outbox::FateFor(Fate fate) {
  switch (fate) {
    case Fate::kSent:
      return LetterFate::kHandedOver;
    case Fate::kPutOff:
    case Fate::kUntouched:
      return LetterFate::kPutOff;
    case Fate::kDead:
      return LetterFate::kRefused;
    case Fate::kDropped:
      return LetterFate::kOutOfDate;
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

Outbox::Outbox(store::Store& store, const Clock& clock, IdSource& ids, OutboxOptions options)
    : store_(store), clock_(clock), ids_(ids), options_(std::move(options)) {}

void Outbox::Add(store::Batch& batch, const Message& message, std::optional<Instant> valid_until,
                 std::optional<std::string> about) {
  if (!IsOpen()) {
    return;
  }
  const std::string id = ids_.NewUlid().Render();
  const Instant now = clock_.Now();
  // Through a batch of our own: the first change of the caller's decides what a client is told that
  // asks again, and that must never be a letter.
  store::Batch own;
  own.Create(Outgoing(),
             OutgoingMail{.id = id,
                          .message = message,
                          .message_id = id + "@" + std::string(DomainOf(AddressOf(options_.from))),
                          .queued_at = now,
                          .due_at = now,
                          .valid_until = valid_until,
                          .about = std::move(about)});
  for (store::Mutation& mutation : own.Take().mutations) {
    batch.Add(std::move(mutation));
  }
  AddCall(batch);
}

void Outbox::Watch(std::string kind, LetterWatcher& watcher) {
  watchers_[std::move(kind)] = &watcher;
}

Result<std::size_t> Outbox::DeliverDue(jobs::JobContext& context) {
  Tally tally;
  // Again until a pass moves nothing: a letter queued meanwhile cannot start a second run.
  std::size_t before = 0;
  do {
    before = tally.Moved();
    RETURN_IF_ERROR(DeliverPass(context, tally));
  } while (tally.Moved() > before && MayGoOn(context, tally));
  if (tally.Moved() > 0) {
    context.Report(fmt::format("{} sent, {} put off, {} refused, {} out of date", tally.sent,
                               tally.put_off, tally.dead, tally.dropped));
  }
  return tally.sent;
}

bool Outbox::MayGoOn(const jobs::JobContext& context, const Tally& tally) const {
  return IsOpen() && !context.ShouldStop() && tally.failures_in_a_row < kFailuresInARowMax;
}

Result<void> Outbox::DeliverPass(jobs::JobContext& context, Tally& tally) {
  const Instant now = clock_.Now();
  std::optional<std::string> after;
  do {
    ASSIGN_OR_RETURN(const std::vector<store::Key> page, ListDue(now, after));
    for (const store::Key& key : page) {
      if (!MayGoOn(context, tally)) {
        return {};
      }
      ASSIGN_OR_RETURN(const Fate fate, Deliver(context, key));
      tally.Count(fate);
    }
  } while (after);
  return {};
}

void Outbox::Tally::Count(Fate fate) {
  switch (fate) {
    case Fate::kSent:
      ++sent;
      break;
    case Fate::kPutOff:
      ++put_off;
      break;
    case Fate::kDead:
      ++dead;
      break;
    case Fate::kDropped:
      ++dropped;
      break;
    case Fate::kUntouched:
      return;
  }
  failures_in_a_row = fate == Fate::kPutOff ? failures_in_a_row + 1 : 0;
}

Result<std::vector<store::Key>> Outbox::ListDue(Instant now, std::optional<std::string>& after) {
  std::vector<store::Key> keys;
  std::optional<Error> broken;
  store::FunctionSink sink([&](const store::RowView& row) {
    Result<store::Key> key = store::DecodePointer(row.document);
    if (key) {
      keys.push_back(*std::move(key));
    } else {
      broken = std::move(key).error();
    }
  });
  ASSIGN_OR_RETURN(store::ScanEnd end, store_.Scan(kOp,
                                                   {.table = &kOutgoingDue,
                                                    .partition = kDuePartition,
                                                    .range = {.before = DueEnd(now)},
                                                    .limit = kPageRows,
                                                    .after = after},
                                                   sink));
  if (broken) {
    return While("letters that are due", *std::move(broken));
  }
  after = std::move(end.resume);
  return keys;
}

Result<Outbox::Fate> Outbox::Deliver(jobs::JobContext& context, const store::Key& key) {
  const Result<std::optional<Queued>> found = store::Find(store_, kOp, Outgoing(), key);
  if (!found && found.error().code == ErrorCode::kCorrupt) {
    // Must not hold up all the others for ever.
    log::Error("a queued letter cannot be read", {{"error", found.error().detail}});
    return Fate::kUntouched;
  }
  ASSIGN_OR_RETURN(const std::optional<Queued> queued, found);
  // The index is a hint: it may lag behind the letter.
  const Instant now = clock_.Now();
  if (!queued || queued->record.dead_at || queued->record.due_at > now) {
    return Fate::kUntouched;
  }
  if (queued->record.valid_until && *queued->record.valid_until <= now) {
    return Erase(*queued, Fate::kDropped);
  }
  RETURN_IF_ERROR(context.Renew());
  const Result<void> sent = Send(context, queued->record);
  if (!sent && context.ShouldStop()) {
    return Fate::kUntouched;  // Not the letter's fault: it stays as it is.
  }
  return Conclude(*queued, sent);
}

Result<void> Outbox::Send(jobs::JobContext& context, const OutgoingMail& mail) {
  ASSIGN_OR_RETURN(
      const std::string mime,
      RenderMime(mail.message,
                 {.from = options_.from, .date = mail.queued_at, .message_id = mail.message_id}));
  return options_.transport->Send(
      {.from = AddressOf(options_.from), .to = mail.message.to, .stop = context.StopToken()}, mime);
}

Result<Outbox::Fate> Outbox::Conclude(const Queued& queued, const Result<void>& sent) {
  if (sent) {
    return Erase(queued, Fate::kSent);
  }
  const Error& error = sent.error();
  const Instant now = clock_.Now();
  OutgoingMail mail = queued.record;
  ++mail.attempts;
  mail.last_error = TruncateUtf8(error.detail, kErrorBytesMax);
  log::Warn("a letter was not taken",
            {{"id", mail.id}, {"attempt", mail.attempts}, {"error", mail.last_error}});
  const Instant begun = mail.retried_at.value_or(mail.queued_at);
  if (!IsForGood(error) && now - begun < options_.give_up_after) {
    mail.due_at = now + WaitAfter(mail.attempts, options_);
    return Replace(queued, mail, Fate::kPutOff);
  }
  mail.dead_at = now;
  mail.gone_at = now + options_.dead_kept;
  if (mail.valid_until) {
    // Nobody could ask for it any more.
    mail.gone_at = std::min(*mail.gone_at, *mail.valid_until);
  }
  return Replace(queued, mail, Fate::kDead);
}

Result<Outbox::Fate> Outbox::Erase(const Queued& queued, Fate fate) {
  store::Batch batch;
  batch.Erase(Outgoing(), queued);
  return Commit(batch, queued.record, fate);
}

Result<Outbox::Fate> Outbox::Replace(const Queued& queued, const OutgoingMail& mail, Fate fate) {
  store::Batch batch;
  batch.Replace(Outgoing(), queued, mail);
  return Commit(batch, mail, fate);
}

Result<Outbox::Fate> Outbox::Commit(const store::Batch& batch, const OutgoingMail& mail,
                                    Fate fate) {
  return store::RetryConflicts([&]() -> Result<Fate> {
    store::Batch whole = batch;
    Tell(whole, mail, fate);
    RETURN_IF_ERROR(store_.Commit(kOp, std::move(whole)));
    return fate;
  });
}

void Outbox::Tell(store::Batch& batch, const OutgoingMail& mail, Fate fate) const {
  const std::string about = mail.about.value_or("");
  const auto watcher = watchers_.find(about.substr(0, about.find(':')));
  if (watcher == watchers_.end()) {
    return;
  }
  store::Batch told = batch;
  const Result<void> added = watcher->second->AddOutcome(
      kOp, told,
      {.about = about,
       .fate = FateFor(fate),
       .reason = fate == Fate::kSent ? std::string() : mail.last_error});
  if (added) {
    batch = std::move(told);
  } else {
    log::Error("the fate of a letter was not passed on",
               {{"about", about}, {"error", Describe(added.error())}});
  }
}

Result<store::RecordPage<OutgoingMail>> Outbox::ListDead(const store::OpContext& op,
                                                         std::size_t limit,
                                                         std::optional<std::string> after) {
  return store::List<OutgoingMail>(store_, op,
                                   {.table = &kOutgoingDead,
                                    .partition = kDeadPartition,
                                    .limit = limit,
                                    .after = std::move(after)});
}

Result<Outbox::Queued> Outbox::LoadDead(const store::OpContext& op, std::string_view id) {
  ASSIGN_OR_RETURN(std::optional<Queued> found,
                   store::Find(store_, op, Outgoing(), {.partition = std::string(id)}));
  if (!found || !found->record.dead_at) {
    return Fail(ErrorCode::kNotFound, "there is no dead letter with this id");
  }
  return *std::move(found);
}

Result<OutgoingMail> Outbox::AddRetry(const store::OpContext& op, store::Batch& batch,
                                      std::string_view id) {
  ASSIGN_OR_RETURN(Queued dead, LoadDead(op, id));
  if (!IsOpen()) {
    return Fail(ErrorCode::kRefusedByState, "no letters are sent: mail is not set up");
  }
  if (dead.record.message.text.empty()) {
    return Fail(ErrorCode::kRefusedByState, "the words of this letter were not kept");
  }
  OutgoingMail mail = dead.record;
  mail.retried_at = clock_.Now();
  mail.due_at = *mail.retried_at;
  mail.attempts = 0;
  mail.dead_at.reset();
  mail.gone_at.reset();
  batch.Replace(Outgoing(), dead, mail);
  AddCall(batch);
  Tell(batch, mail, Fate::kPutOff);
  return std::move(dead.record);
}

Result<OutgoingMail> Outbox::AddDrop(const store::OpContext& op, store::Batch& batch,
                                     std::string_view id) {
  ASSIGN_OR_RETURN(Queued dead, LoadDead(op, id));
  batch.Erase(Outgoing(), dead);
  return std::move(dead.record);
}

jobs::JobSpec MakeDeliveryJob(Outbox& outbox) {
  return {.name = std::string(kDeliveryJob),
          .schedule = jobs::Every{std::chrono::minutes{1}},
          .lease = std::chrono::minutes{2},
          .run = [&outbox](jobs::JobContext& context) -> Result<void> {
            RETURN_IF_ERROR(outbox.DeliverDue(context));
            return {};
          }};
}

}  // namespace atrium::mail

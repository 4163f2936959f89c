// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "mail/outbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/id_source.h"
#include "base/instant.h"
#include "base/result.h"
#include "base/testing.h"
#include "engines/memory/engine.h"
#include "jobs/job.h"
#include "mail/keys.h"
#include "mail/letter.h"
#include "mail/records.h"
#include "mail/transport.h"
#include "store/batch.h"
#include "store/engine.h"
#include "store/record.h"
#include "store/row.h"
#include "store/store.h"
#include "store/write_set.h"

namespace atrium::mail {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Takes every letter, unless a test lined up something else.
class FakeTransport final : public Transport {
 public:
  struct Parcel {
    Envelope envelope;
    std::string mime;
  };

  Result<void> Send(const Envelope& envelope, std::string_view mime) override {
    ++asked;
    if (on_send) {
      on_send();
    }
    if (!troubles.empty()) {
      const ErrorCode code = troubles.front();
      troubles.pop_front();
      return FailPrivately(code, "trouble");
    }
    taken.push_back({.envelope = envelope, .mime = std::string(mime)});
    return {};
  }

  std::deque<ErrorCode> troubles;
  std::function<void()> on_send;
  std::vector<Parcel> taken;
  int asked = 0;
};

constexpr Instant kNow{std::chrono::days(20'000)};

class OutboxTest : public ::testing::Test {
 protected:
  static Message ToAnn(std::string subject = "hi") {
    return {.to = "ann@example.net", .subject = std::move(subject), .text = "t", .html = "h"};
  }

  void Queue(const Message& message, std::optional<Instant> valid_until = std::nullopt) {
    store::Batch batch;
    outbox_.Add(batch, message, valid_until);
    ASSERT_THAT(store_.Commit(op_, std::move(batch)), IsOk());
  }

  Result<std::size_t> Deliver() {
    jobs::JobContext context(std::stop_token{});
    return outbox_.DeliverDue(context);
  }

  /// Every letter there is, dead or waiting.
  std::vector<OutgoingMail> All() {
    std::vector<OutgoingMail> all;
    store::FunctionSink sink([&](const store::RowView& row) {
      all.push_back(store::DecodeRecord<OutgoingMail>(row.document, row.version).value().record);
    });
    EXPECT_THAT(store_.Walk(op_, {.table = &kOutgoing}, sink), IsOk());
    return all;
  }

  std::vector<OutgoingMail> Dead() {
    std::vector<OutgoingMail> dead;
    for (const auto& stored : outbox_.ListDead(op_, 10).value().records) {
      dead.push_back(stored.record);
    }
    return dead;
  }

  /// A letter that was refused for good.
  OutgoingMail QueueDead() {
    Queue(ToAnn());
    transport_->troubles = {ErrorCode::kPermissionDenied};
    EXPECT_THAT(Deliver(), Holds(0U));
    return Dead().at(0);
  }

  using Addition = Result<OutgoingMail> (Outbox::*)(const store::OpContext&, store::Batch&,
                                                    std::string_view);
  Result<void> Change(Addition add, const std::string& id) {
    store::Batch batch;
    RETURN_IF_ERROR((outbox_.*add)(op_, batch, id));
    RETURN_IF_ERROR(store_.Commit(op_, std::move(batch)));
    return {};
  }

  FixedClock clock_{kNow};
  engines::MemoryEngine engine_{clock_};
  store::Store store_{engine_, clock_};
  store::OpContext op_{};
  FixedIdSource ids_;
  std::shared_ptr<FakeTransport> transport_ = std::make_shared<FakeTransport>();
  Outbox outbox_{
      store_, clock_, ids_, {.from = "Atrium <atrium@example.org>", .transport = transport_}};
};

TEST_F(OutboxTest, WhatIsDueIsSentOnceAndForgotten) {
  Queue(ToAnn());
  EXPECT_THAT(Deliver(), Holds(1U));
  ASSERT_THAT(transport_->taken, SizeIs(1));
  EXPECT_EQ(transport_->taken[0].envelope.from, "atrium@example.org");
  EXPECT_EQ(transport_->taken[0].envelope.to, "ann@example.net");
  EXPECT_THAT(transport_->taken[0].mime,
              AllOf(HasSubstr("From: Atrium <atrium@example.org>\r\n"),
                    HasSubstr("Message-ID: <00000000000000000000000001@example.org>\r\n")));
  EXPECT_THAT(All(), IsEmpty());
  EXPECT_THAT(Deliver(), Holds(0U));
}

TEST_F(OutboxTest, SeveralLettersMayShareACommit) {
  store::Batch batch;
  outbox_.Add(batch, ToAnn("one"));
  outbox_.Add(batch, ToAnn("two"));
  ASSERT_THAT(store_.Commit(op_, std::move(batch)), IsOk());
  EXPECT_THAT(Deliver(), Holds(2U));
}

TEST_F(OutboxTest, ALetterOfACommitThatFailedIsNotSent) {
  store::Batch batch;
  outbox_.Add(batch, ToAnn());
  batch.Add(store::Check{.table = &kOutgoing,
                         .key = {.partition = "nobody", .sort = {}},
                         .expect = store::Expectation::Present()});
  ASSERT_THAT(store_.Commit(op_, std::move(batch)), FailsWith(ErrorCode::kConflict));
  EXPECT_THAT(Deliver(), Holds(0U));
}

TEST_F(OutboxTest, TheAnswerOfTheCallersBatchIsNoLetter) {
  store::Batch batch;
  outbox_.Add(batch, ToAnn());
  EXPECT_EQ(batch.GetAnswer().body, store::Batch().GetAnswer().body);
}

TEST_F(OutboxTest, QueuingWakesWhoWatches) {
  int woken = 0;
  const auto watch = store_.Signals().Listen(kOutgoingAdded, kAddedTopic, [&] { ++woken; });
  Queue(ToAnn());
  EXPECT_EQ(woken, 1);
  EXPECT_THAT(Deliver(), Holds(1U));
  EXPECT_EQ(woken, 1) << "sending is no reason to send";
}

TEST_F(OutboxTest, ALetterQueuedDuringTheRunLeavesWithIt) {
  Queue(ToAnn("one"));
  transport_->on_send = [&] {
    transport_->on_send = nullptr;
    Queue(ToAnn("two"));
  };
  EXPECT_THAT(Deliver(), Holds(2U));
}

TEST_F(OutboxTest, APassingFailurePutsTheLetterOffLongerEachTime) {
  Queue(ToAnn());
  for (const int wait : {1, 2, 4, 8, 16, 32, 60, 60}) {
    transport_->troubles = {ErrorCode::kUnavailable};
    EXPECT_THAT(Deliver(), Holds(0U));
    const std::vector<OutgoingMail> all = All();
    ASSERT_THAT(all, SizeIs(1));
    EXPECT_EQ(all[0].due_at - clock_.Now(), minutes(wait));
    EXPECT_EQ(all[0].last_error, "trouble");
    const int asked = transport_->asked;
    clock_.Advance(minutes(wait) - milliseconds(1));
    EXPECT_THAT(Deliver(), Holds(0U));
    EXPECT_EQ(transport_->asked, asked) << "not due yet";
    clock_.Advance(milliseconds(1));
  }
  EXPECT_THAT(Deliver(), Holds(1U));
}

TEST_F(OutboxTest, AfterADayOfFailuresALetterIsDead) {
  Queue(ToAnn());
  clock_.Advance(hours(24) - milliseconds(1));
  transport_->troubles = {ErrorCode::kDeadlineExceeded, ErrorCode::kUnavailable};
  EXPECT_THAT(Deliver(), Holds(0U));
  EXPECT_THAT(Dead(), IsEmpty());
  clock_.Advance(hours(1));
  EXPECT_THAT(Deliver(), Holds(0U));
  ASSERT_THAT(Dead(), SizeIs(1));
  EXPECT_EQ(Dead()[0].attempts, 2U);
}

TEST_F(OutboxTest, ARefusedLetterIsKeptForAWeekWithTheReason) {
  for (const ErrorCode code : {ErrorCode::kPermissionDenied, ErrorCode::kInvalidArgument}) {
    Queue(ToAnn());
    transport_->troubles = {code};
    EXPECT_THAT(Deliver(), Holds(0U));
    ASSERT_THAT(Dead(), SizeIs(1));
    EXPECT_EQ(Dead()[0].last_error, "trouble");
    EXPECT_EQ(Dead()[0].message, ToAnn());
    clock_.Advance(hours(24 * 7) - milliseconds(1));
    EXPECT_THAT(Deliver(), Holds(0U));
    EXPECT_THAT(Dead(), SizeIs(1));
    clock_.Advance(milliseconds(1));
    EXPECT_THAT(Dead(), IsEmpty());
    EXPECT_THAT(All(), IsEmpty());
  }
}

TEST_F(OutboxTest, ALetterThatCannotBeWrittenIsDeadAndTheNextOneIsSent) {
  Queue(ToAnn("a\r\nBcc: b@c"));
  Queue(ToAnn());
  EXPECT_THAT(Deliver(), Holds(1U));
  ASSERT_THAT(Dead(), SizeIs(1));
  EXPECT_THAT(Dead()[0].last_error, HasSubstr("subject"));
}

TEST_F(OutboxTest, DeadLettersAreListedNewestFirstInPages) {
  for (const auto* subject : {"old", "new"}) {
    Queue(ToAnn(subject));
    transport_->troubles = {ErrorCode::kPermissionDenied};
    EXPECT_THAT(Deliver(), Holds(0U));
    clock_.Advance(minutes(1));
  }
  const auto first = outbox_.ListDead(op_, 1);
  ASSERT_THAT(first, IsOk());
  ASSERT_THAT(first->records, SizeIs(1));
  EXPECT_EQ(first->records[0].record.message.subject, "new");
  const auto second = outbox_.ListDead(op_, 1, first->resume);
  ASSERT_THAT(second, IsOk());
  ASSERT_THAT(second->records, SizeIs(1));
  EXPECT_EQ(second->records[0].record.message.subject, "old");
}

TEST_F(OutboxTest, NothingIsKeptOfADeadLetterThatWouldMislead) {
  Queue(ToAnn(), kNow + hours(1));
  transport_->troubles = {ErrorCode::kPermissionDenied};
  EXPECT_THAT(Deliver(), Holds(0U));
  ASSERT_THAT(Dead(), SizeIs(1));
  clock_.Advance(hours(1));
  EXPECT_THAT(Dead(), IsEmpty());
}

TEST_F(OutboxTest, ADeadLetterIsSentWhenAnOperatorAsks) {
  const OutgoingMail dead = QueueDead();
  int woken = 0;
  const auto watch = store_.Signals().Listen(kOutgoingAdded, kAddedTopic, [&] { ++woken; });
  clock_.Advance(hours(30));
  EXPECT_THAT(Change(&Outbox::AddRetry, dead.id), IsOk());
  EXPECT_EQ(woken, 1);
  EXPECT_THAT(Dead(), IsEmpty());
  transport_->troubles = {ErrorCode::kUnavailable};
  EXPECT_THAT(Deliver(), Holds(0U));
  EXPECT_THAT(Dead(), IsEmpty()) << "it has a day again";
  clock_.Advance(minutes(1));
  EXPECT_THAT(Deliver(), Holds(1U));
  ASSERT_THAT(transport_->taken, SizeIs(1));
  EXPECT_THAT(transport_->taken[0].mime, HasSubstr("Message-ID: <" + dead.message_id + ">"));
  EXPECT_THAT(All(), IsEmpty());
}

TEST_F(OutboxTest, ADeadLetterIsDropped) {
  const OutgoingMail dead = QueueDead();
  EXPECT_THAT(Change(&Outbox::AddDrop, dead.id), IsOk());
  EXPECT_THAT(All(), IsEmpty());
  EXPECT_THAT(Change(&Outbox::AddDrop, dead.id), FailsWith(ErrorCode::kNotFound));
}

TEST_F(OutboxTest, ALetterThatWaitsIsNeitherRetriedNorDropped) {
  Queue(ToAnn());
  const std::string id = All()[0].id;
  EXPECT_THAT(Change(&Outbox::AddRetry, id), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(Change(&Outbox::AddDrop, id), FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(Change(&Outbox::AddRetry, "nobody"), FailsWith(ErrorCode::kNotFound));
}

TEST_F(OutboxTest, WhatCannotBeSentIsNotRetried) {
  Outbox closed{store_, clock_, ids_, {.from = "atrium@example.org"}};
  const OutgoingMail dead = QueueDead();
  store::Batch batch;
  EXPECT_THAT(closed.AddRetry(op_, batch, dead.id), FailsWith(ErrorCode::kRefusedByState));

  auto stored = store::Find(store_, op_, Outgoing(), {.partition = dead.id}).value();
  OutgoingMail wordless = dead;
  wordless.message.text.clear();
  batch.Replace(Outgoing(), *stored, wordless);
  ASSERT_THAT(store_.Commit(op_, std::move(batch)), IsOk());
  EXPECT_THAT(Change(&Outbox::AddRetry, dead.id), FailsWith(ErrorCode::kRefusedByState));
}

TEST_F(OutboxTest, ACrashBetweenSendingAndErasingSendsAgainUnderTheSameId) {
  Queue(ToAnn());
  // The run ends before it can note what it did, as when the server dies: somebody else wrote.
  transport_->on_send = [&] {
    transport_->on_send = nullptr;
    auto stored = store::Find(store_, op_, Outgoing(), {.partition = All()[0].id});
    store::Batch batch;
    batch.Replace(Outgoing(), **stored, (*stored)->record);
    ASSERT_THAT(store_.Commit(op_, std::move(batch)), IsOk());
  };
  EXPECT_THAT(Deliver(), FailsWith(ErrorCode::kConflict));
  EXPECT_THAT(Deliver(), Holds(1U));
  ASSERT_THAT(transport_->taken, SizeIs(2));
  EXPECT_EQ(transport_->taken[0].mime, transport_->taken[1].mime);
}

TEST_F(OutboxTest, ALetterThatWaitedTooLongIsDropped) {
  Queue(ToAnn(), kNow + minutes(15));
  clock_.Advance(minutes(15));
  EXPECT_THAT(Deliver(), Holds(0U));
  EXPECT_EQ(transport_->asked, 0);
  EXPECT_THAT(All(), IsEmpty());
  Queue(ToAnn(), clock_.Now() + milliseconds(1));
  EXPECT_THAT(Deliver(), Holds(1U));
}

TEST_F(OutboxTest, AMailServerThatIsDownIsNotAskedForEachLetter) {
  for (int i = 0; i < 10; ++i) {
    Queue(ToAnn());
  }
  transport_->troubles.assign(10, ErrorCode::kUnavailable);
  EXPECT_THAT(Deliver(), Holds(0U));
  EXPECT_EQ(transport_->asked, 3);
  EXPECT_THAT(All(), SizeIs(10));
}

TEST_F(OutboxTest, ARunThatIsStoppedLeavesLettersAsTheyAre) {
  Queue(ToAnn());
  std::stop_source stop;
  transport_->on_send = [&] { stop.request_stop(); };
  transport_->troubles = {ErrorCode::kUnavailable};
  jobs::JobContext context(stop.get_token());
  EXPECT_THAT(outbox_.DeliverDue(context), Holds(0U));
  ASSERT_THAT(All(), SizeIs(1));
  EXPECT_EQ(All()[0].attempts, 0U);
}

TEST_F(OutboxTest, NothingIsSentOnceTheLeaseIsLost) {
  Queue(ToAnn());
  jobs::JobContext context(std::stop_token{}, {.renew = [] {
                             return Result<void>(Fail(ErrorCode::kConflict, "lost"));
                           }});
  EXPECT_THAT(outbox_.DeliverDue(context), FailsWith(ErrorCode::kConflict));
  EXPECT_EQ(transport_->asked, 0);
}

TEST_F(OutboxTest, ALetterThatDoesNotDecodeHoldsUpNobody) {
  Queue(ToAnn("one"));
  Queue(ToAnn("two"));
  store::WriteSet damage;
  damage.mutations.emplace_back(store::Put{.table = &kOutgoing,
                                           .key = {.partition = All()[0].id, .sort = {}},
                                           .document = "{\"id\":7}"});
  ASSERT_THAT(store_.Commit(op_, std::move(damage)), IsOk());
  EXPECT_THAT(Deliver(), Holds(1U));
}

TEST_F(OutboxTest, WithoutATransportNothingIsQueued) {
  Outbox closed(store_, clock_, ids_, {.from = "a@b"});
  EXPECT_FALSE(closed.IsOpen());
  store::Batch batch;
  closed.Add(batch, ToAnn());
  EXPECT_THAT(batch.Take().mutations, IsEmpty());
  jobs::JobContext context(std::stop_token{});
  EXPECT_THAT(closed.DeliverDue(context), Holds(0U));
}

TEST_F(OutboxTest, TheJobReportsWhatBecameOfTheLetters) {
  Queue(ToAnn());
  std::string progress;
  jobs::JobContext context(std::stop_token{},
                           {.report = [&](std::string text) { progress = std::move(text); }});
  const jobs::JobSpec job = MakeDeliveryJob(outbox_);
  EXPECT_EQ(job.name, "mail.deliver");
  EXPECT_THAT(jobs::Validate(job), IsOk());
  EXPECT_THAT(jobs::Call(job, context), IsOk());
  EXPECT_EQ(progress, "1 sent, 0 put off, 0 refused, 0 out of date");
}

/// Writes each outcome down as a row of its own.
class Diary final : public LetterWatcher {
 public:
  Result<void> AddOutcome(const store::OpContext& /*op*/, store::Batch& batch,
                          const LetterOutcome& outcome) override {
    outcomes.push_back(outcome);
    batch.Add(store::Append{.table = &kOutgoingAdded, .partition = "diary", .document = "{}"});
    return fails ? Result<void>(Fail(ErrorCode::kUnavailable, "no")) : Result<void>();
  }

  std::vector<LetterOutcome> outcomes;
  bool fails = false;
};

TEST_F(OutboxTest, TheWatcherOfAKindHearsWhatBecomesOfItsLettersInTheSameCommit) {
  Diary diary;
  outbox_.Watch("thing", diary);
  int written = 0;
  const auto watch = store_.Signals().Listen(kOutgoingAdded, "diary", [&] { ++written; });
  store::Batch batch;
  outbox_.Add(batch, ToAnn(), std::nullopt, "thing:1");
  outbox_.Add(batch, ToAnn(), std::nullopt, "other:1");
  outbox_.Add(batch, ToAnn());
  ASSERT_THAT(store_.Commit(op_, std::move(batch)), IsOk());
  transport_->troubles = {ErrorCode::kUnavailable};
  EXPECT_THAT(Deliver(), Holds(2U));
  clock_.Advance(minutes(1));
  transport_->troubles = {ErrorCode::kPermissionDenied};
  EXPECT_THAT(Deliver(), Holds(0U));
  ASSERT_THAT(diary.outcomes, SizeIs(2));
  EXPECT_EQ(diary.outcomes[0].about, "thing:1");
  EXPECT_EQ(diary.outcomes[0].fate, LetterFate::kPutOff);
  EXPECT_EQ(diary.outcomes[1].fate, LetterFate::kRefused);
  EXPECT_EQ(diary.outcomes[1].reason, "trouble");
  EXPECT_EQ(written, 2);
}

TEST_F(OutboxTest, LettersHandedOverAndOutOfDateAreToldApart) {
  Diary diary;
  outbox_.Watch("thing", diary);
  store::Batch batch;
  outbox_.Add(batch, ToAnn(), std::nullopt, "thing:1");
  outbox_.Add(batch, ToAnn(), kNow, "thing:2");
  ASSERT_THAT(store_.Commit(op_, std::move(batch)), IsOk());
  EXPECT_THAT(Deliver(), Holds(1U));
  ASSERT_THAT(diary.outcomes, SizeIs(2));
  EXPECT_EQ(diary.outcomes[0].fate, LetterFate::kHandedOver);
  EXPECT_EQ(diary.outcomes[0].reason, "");
  EXPECT_EQ(diary.outcomes[1].fate, LetterFate::kOutOfDate);
}

TEST_F(OutboxTest, AWatcherThatFailsDoesNotHaveTheLetterSentAgain) {
  Diary diary;
  diary.fails = true;
  outbox_.Watch("thing", diary);
  store::Batch batch;
  outbox_.Add(batch, ToAnn(), std::nullopt, "thing:1");
  ASSERT_THAT(store_.Commit(op_, std::move(batch)), IsOk());
  EXPECT_THAT(Deliver(), Holds(1U));
  EXPECT_THAT(All(), IsEmpty());
}

TEST_F(OutboxTest, StoredLettersKeepTheirForm) {
  OutgoingMail mail{.id = "1",
                    .message = {.to = "a@b", .subject = "s", .text = "t", .html = "h"},
                    .message_id = "1@b",
                    .queued_at = kNow,
                    .due_at = kNow,
                    .attempts = 2,
                    .valid_until = kNow,
                    .dead_at = kNow,
                    .gone_at = kNow,
                    .last_error = "e"};
  const std::string golden =
      R"({"id":"1","message":{"to":"a@b","subject":"s","text":"t","html":"h"},)"
      R"("message_id":"1@b","queued_at":"2024-10-04T00:00:00.000Z",)"
      R"("due_at":"2024-10-04T00:00:00.000Z","attempts":2,)"
      R"("valid_until":"2024-10-04T00:00:00.000Z","dead_at":"2024-10-04T00:00:00.000Z",)"
      R"("gone_at":"2024-10-04T00:00:00.000Z","last_error":"e"})";
  EXPECT_EQ(store::EncodeRecord(mail), golden);
  const auto read = store::DecodeRecord<OutgoingMail>(golden, {});
  ASSERT_THAT(read, IsOk());
  EXPECT_EQ(read->record, mail);
  mail.about = "thing:7";
  EXPECT_EQ(store::EncodeRecord(mail),
            golden.substr(0, golden.size() - 1) + R"(,"about":"thing:7"})");
  mail.retried_at = kNow;
  EXPECT_EQ(store::EncodeRecord(mail),
            golden.substr(0, golden.size() - 1) +
                R"(,"about":"thing:7","retried_at":"2024-10-04T00:00:00.000Z"})");
}

}  // namespace
}  // namespace atrium::mail

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/subscriptions.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <utility>
#include <vector>

#include "base/log.h"
#include "calendar/feed_refresh.h"
#include "calendar/feed_round.h"
#include "calendar/keys.h"
#include "calendar/members.h"
#include "calendar/work_names.h"
#include "egress/url.h"
#include "store/batch.h"
#include "store/key_bytes.h"
#include "store/limits.h"
#include "store/op_context.h"
#include "store/store.h"

namespace atrium::calendar {
namespace {

using std::chrono::minutes;

constexpr std::size_t kDueAtOnce = 5000;
constexpr std::size_t kUrlBytesMax = 2000;
constexpr std::int32_t kUsualMinutes = 60;
constexpr std::int32_t kFewestMinutes = 15;
constexpr std::int32_t kMostMinutes = 7 * 24 * 60;
constexpr minutes kRestInTrash = std::chrono::days(1);
/// Nobody is to blame, so it is tried again soon; not at once, since it is asked for anew.
constexpr minutes kRestWithoutMemory{1};

Result<std::int32_t> ReadMinutes(std::int32_t every) {
  if (every < kFewestMinutes || every > kMostMinutes) {
    return Fail(ErrorCode::kInvalidArgument, "every_minutes: 15 to 10080");
  }
  return every;
}

bool StartsWith(std::string_view text, std::string_view lower_case) {
  return text.size() >= lower_case.size() &&
         std::ranges::equal(text.substr(0, lower_case.size()), lower_case, [](char a, char b) {
           return ('A' <= a && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
         });
}

Subscription Refreshed(Subscription one, const FeedState& state, Instant now) {
  one.etag = state.etag;
  one.last_modified = state.last_modified;
  one.refreshed_at = now;
  one.last_error.clear();
  one.failures = 0;
  one.next_at = now + minutes(one.every_minutes);
  return one;
}

Subscription Failed(Subscription one, const Error& error, Instant now) {
  one.last_error =
      error.client_message.empty() ? "it could not be brought in" : error.client_message;
  one.failures += 1;
  one.next_at = now + WaitAfter(one.failures, minutes(one.every_minutes));
  return one;
}

}  // namespace

Result<std::string> ReadFeedUrl(std::string_view text) {
  if (text.size() > kUrlBytesMax) {
    return Fail(ErrorCode::kInvalidArgument, "url: at most 2000 bytes");
  }
  std::string url(text);
  constexpr auto kOtherNames = std::to_array<std::string_view>({"webcal://", "webcals://"});
  for (const std::string_view name : kOtherNames) {
    if (StartsWith(text, name)) {
      url = "https://" + std::string(text.substr(name.size()));
    }
  }
  Result<egress::Url> parsed = egress::ParseUrl(url);
  if (!parsed) {
    return Fail(ErrorCode::kInvalidArgument,
                "url: expected an address that begins with https://, http:// or webcal://, "
                "without a password");
  }
  return std::move(parsed->text);
}

Result<store::Stored<Calendar>> SubscriptionService::Subscribe(const store::OpContext& op,
                                                               const Visitor& visitor,
                                                               const CalendarFields& calendar,
                                                               const SubscriptionFields& fields) {
  if (!fields.url) {
    return Fail(ErrorCode::kInvalidArgument, "url: required");
  }
  if (!calendar.name) {
    return Fail(ErrorCode::kInvalidArgument, "name: required");
  }
  Subscription subscription;
  ASSIGN_OR_RETURN(subscription.url, ReadFeedUrl(*fields.url));
  ASSIGN_OR_RETURN(subscription.every_minutes,
                   ReadMinutes(fields.every_minutes.value_or(kUsualMinutes)));
  return calendars_.Create(op, visitor, calendar, CalendarSource::kFeed,
                           [&](store::Batch& batch, const Calendar& made) {
                             subscription.calendar_id = made.id;
                             subscription.next_at = made.created_at;
                             subscription.created_at = made.created_at;
                             subscription.updated_at = made.created_at;
                             batch.Create(Subscriptions(), subscription);
                           });
}

Result<SubscriptionService::Found> SubscriptionService::Load(const store::OpContext& op,
                                                             const Visitor& visitor,
                                                             const CalendarId& calendar,
                                                             Need need) const {
  RETURN_IF_ERROR(Enter(ground_.store, op, visitor, calendar, need));
  ASSIGN_OR_RETURN(auto found,
                   store::Find(ground_.store, op, Subscriptions(), SubscriptionKey(calendar)));
  if (!found) {
    return Fail(ErrorCode::kNotFound, "the calendar does not follow a feed");
  }
  return *std::move(found);
}

Result<SubscriptionService::Found> SubscriptionService::Save(const store::OpContext& op,
                                                             const Found& before,
                                                             Subscription after) {
  after.updated_at =
      std::max(ground_.clock.Now(), before.record.updated_at + std::chrono::milliseconds(1));
  store::Batch batch;
  batch.Replace(Subscriptions(), before, after);
  ASSIGN_OR_RETURN(const store::Receipt receipt, ground_.store.Commit(op, std::move(batch)));
  return Found{.record = std::move(after), .version = receipt.version};
}

Result<SubscriptionService::Found> SubscriptionService::Update(const store::OpContext& op,
                                                               const Visitor& visitor,
                                                               const CalendarId& calendar,
                                                               const SubscriptionFields& fields) {
  return store::RetryConflicts([&]() -> Result<Found> {
    ASSIGN_OR_RETURN(const Found found, Load(op, visitor, calendar, Need::kOwn));
    Subscription after = found.record;
    if (fields.every_minutes) {
      ASSIGN_OR_RETURN(after.every_minutes, ReadMinutes(*fields.every_minutes));
      after.next_at = std::min(after.next_at, ground_.clock.Now() + minutes(after.every_minutes));
    }
    if (fields.url) {
      ASSIGN_OR_RETURN(after.url, ReadFeedUrl(*fields.url));
      // What the old server said means nothing to the new one.
      after.etag.clear();
      after.last_modified.clear();
      after.failures = 0;
      after.next_at = ground_.clock.Now();
    }
    return Save(op, found, std::move(after));
  });
}

Result<SubscriptionService::Found> SubscriptionService::Refresh(const store::OpContext& op,
                                                                const Visitor& visitor,
                                                                const CalendarId& calendar) {
  return store::RetryConflicts([&]() -> Result<Found> {
    ASSIGN_OR_RETURN(const Found found, Load(op, visitor, calendar, Need::kDescribe));
    Subscription after = found.record;
    after.next_at = ground_.clock.Now();
    return Save(op, found, std::move(after));
  });
}

/// Who has to wait when the feed is slow: the first of those who own the calendar.
Result<std::string> SubscriptionService::OwnerOf(const CalendarId& calendar) const {
  const std::string partition = PartitionOf(calendar);
  ASSIGN_OR_RETURN(const auto page,
                   store::List<Membership>(
                       ground_.store, store::OpContext::ForWork(kSubscriptionsJob),
                       {.table = &kMemberTable, .partition = partition, .limit = kMembersMax}));
  for (const store::Stored<Membership>& member : page.records) {
    if (member.record.role == MemberRole::kOwner && member.record.user_id) {
      return member.record.user_id->Render();
    }
  }
  return calendar.Render();
}

Result<std::vector<DueFeed>> SubscriptionService::FindDue() const {
  const std::string now = store::KeyBytes().Time(ground_.clock.Now()).Take();
  std::vector<DueFeed> due;
  store::ScanRequest request{.table = &kSubscriptionsDue,
                             .partition = kEverybody,
                             .range = {.before = store::PrefixEnd(now)},
                             .limit = store::kScanRowsMax};
  do {
    ASSIGN_OR_RETURN(auto page,
                     store::List<Subscription>(
                         ground_.store, store::OpContext::ForWork(kSubscriptionsJob), request));
    for (const store::Stored<Subscription>& one : page.records) {
      const Result<egress::Url> url = egress::ParseUrl(one.record.url);
      due.push_back({.calendar = one.record.calendar_id, .host = url ? url->host : std::string()});
    }
    request.after = std::move(page.resume);
  } while (request.after && due.size() < kDueAtOnce);
  return due;
}

Result<void> SubscriptionService::Amend(const Subscription& before,
                                        const std::function<Subscription(Subscription)>& change) {
  return store::RetryConflicts([&]() -> Result<void> {
    ASSIGN_OR_RETURN(const auto now,
                     store::Find(ground_.store, store::OpContext::ForWork(kSubscriptionsJob),
                                 Subscriptions(), SubscriptionKey(before.calendar_id)));
    // An owner who has named another address meanwhile wants that one looked at.
    if (!now || now->record.url != before.url) {
      return {};
    }
    RETURN_IF_ERROR(Save(store::OpContext::ForWork(kSubscriptionsJob), *now, change(now->record)));
    return {};
  });
}

Result<void> SubscriptionService::Postpone(const Subscription& before, minutes rest) {
  return Amend(before, [&](Subscription one) {
    one.next_at = ground_.clock.Now() + rest;
    return one;
  });
}

Result<void> SubscriptionService::RefreshOne(jobs::JobContext& context,
                                             const Subscription& subscription) {
  ASSIGN_OR_RETURN(const auto calendar,
                   store::Find(ground_.store, store::OpContext::ForWork(kSubscriptionsJob),
                               Calendars(), CalendarKey(subscription.calendar_id)));
  if (!calendar || calendar->record.deleted_at) {
    return Postpone(subscription, kRestInTrash);
  }
  const Result<std::optional<FeedState>> outcome = RefreshFromFeed(
      {.ground = ground_, .sender = sender_, .memory = memory_}, subscription, context);
  if (context.ShouldStop()) {
    return {};
  }
  if (outcome && !*outcome) {
    log::Info("feed not refreshed: no memory", {{"calendar", subscription.calendar_id.Render()}});
    return Postpone(subscription, kRestWithoutMemory);
  }
  if (!outcome) {
    log::Info("feed not refreshed", {{"calendar", subscription.calendar_id.Render()},
                                     {"error", Describe(outcome.error())}});
  }
  return Amend(subscription, [&](Subscription one) {
    return outcome ? Refreshed(std::move(one), **outcome, ground_.clock.Now())
                   : Failed(std::move(one), outcome.error(), ground_.clock.Now());
  });
}

Result<std::size_t> SubscriptionService::RefreshDue(jobs::JobContext& context) {
  std::atomic<std::size_t> looked_at = 0;
  FeedRound round({.find_due = [this] { return FindDue(); },
                   .find_owner = [this](const CalendarId& id) { return OwnerOf(id); },
                   .look_at = [&](const DueFeed& feed) -> Result<void> {
                     ASSIGN_OR_RETURN(
                         const auto current,
                         store::Find(ground_.store, store::OpContext::ForWork(kSubscriptionsJob),
                                     Subscriptions(), SubscriptionKey(feed.calendar)));
                     if (!current || current->record.next_at > ground_.clock.Now()) {
                       return {};
                     }
                     RETURN_IF_ERROR(RefreshOne(context, current->record));
                     context.Report(std::to_string(++looked_at) + " feeds");
                     return {};
                   }},
                  ground_.clock, context.StopToken());
  RETURN_IF_ERROR(round.Run());
  return looked_at.load();
}

}  // namespace atrium::calendar

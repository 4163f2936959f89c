// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/subscriptions.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>
#include <vector>

#include "base/log.h"
#include "calendar/feed_refresh.h"
#include "calendar/keys.h"
#include "egress/url.h"
#include "store/batch.h"
#include "store/key_bytes.h"
#include "store/store.h"

namespace atrium::calendar {
namespace {

using std::chrono::minutes;

constexpr std::size_t kAtOnce = 100;
constexpr std::size_t kUrlBytesMax = 2000;
constexpr std::int32_t kUsualMinutes = 60;
constexpr std::int32_t kFewestMinutes = 15;
constexpr std::int32_t kMostMinutes = 7 * 24 * 60;
constexpr minutes kRestInTrash = std::chrono::days(1);

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

/// What the last look came to.
Subscription After(Subscription one, const Result<FeedState>& outcome, Instant now) {
  const minutes usual(one.every_minutes);
  if (outcome) {
    one.etag = outcome->etag;
    one.last_modified = outcome->last_modified;
    one.refreshed_at = now;
    one.last_error.clear();
    one.failures = 0;
    one.next_at = now + usual;
    return one;
  }
  const Error& error = outcome.error();
  one.last_error =
      error.client_message.empty() ? "it could not be brought in" : error.client_message;
  one.failures += 1;
  one.next_at = now + WaitAfter(one.failures, usual);
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

Result<void> SubscriptionService::RefreshOne(jobs::JobContext& context,
                                             const Subscription& subscription) {
  ASSIGN_OR_RETURN(const auto calendar, store::Find(ground_.store, {}, Calendars(),
                                                    CalendarKey(subscription.calendar_id)));
  const bool is_away = !calendar || calendar->record.deleted_at;
  Result<FeedState> outcome;
  if (!is_away) {
    outcome = RefreshFromFeed(ground_, sender_, subscription, context);
  }
  if (context.ShouldStop()) {
    return {};
  }
  if (!outcome) {
    log::Info("feed not refreshed", {{"calendar", subscription.calendar_id.Render()},
                                     {"error", Describe(outcome.error())}});
  }
  return store::RetryConflicts([&]() -> Result<void> {
    ASSIGN_OR_RETURN(const auto now, store::Find(ground_.store, {}, Subscriptions(),
                                                 SubscriptionKey(subscription.calendar_id)));
    // An owner who has named another address meanwhile wants that one looked at.
    if (!now || now->record.url != subscription.url) {
      return {};
    }
    Subscription after = now->record;
    if (is_away) {
      after.next_at = ground_.clock.Now() + kRestInTrash;
    } else {
      after = After(std::move(after), outcome, ground_.clock.Now());
    }
    RETURN_IF_ERROR(Save({}, *now, std::move(after)));
    return {};
  });
}

Result<std::size_t> SubscriptionService::RefreshDue(jobs::JobContext& context) {
  const std::string now = store::KeyBytes().Time(ground_.clock.Now()).Take();
  ASSIGN_OR_RETURN(const auto page,
                   store::List<Subscription>(ground_.store, {},
                                             {.table = &kSubscriptionsDue,
                                              .partition = kEverybody,
                                              .range = {.before = store::PrefixEnd(now)},
                                              .limit = kAtOnce}));
  std::size_t looked_at = 0;
  for (const store::Stored<Subscription>& listed : page.records) {
    if (context.ShouldStop()) {
      break;
    }
    ASSIGN_OR_RETURN(const auto current, store::Find(ground_.store, {}, Subscriptions(),
                                                     SubscriptionKey(listed.record.calendar_id)));
    if (!current || current->record.next_at > ground_.clock.Now()) {
      continue;
    }
    RETURN_IF_ERROR(RefreshOne(context, current->record));
    ++looked_at;
    context.Report(std::to_string(looked_at) + " of " + std::to_string(page.records.size()) +
                   " feeds");
  }
  return looked_at;
}

}  // namespace atrium::calendar

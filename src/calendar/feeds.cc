// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/feeds.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/hash.h"
#include "base/hex.h"
#include "base/random.h"
#include "calendar/entry_rules.h"
#include "calendar/keys.h"
#include "store/batch.h"
#include "store/change_log.h"
#include "store/once_only.h"
#include "store/store.h"

namespace atrium::calendar {
namespace {

constexpr std::size_t kSecretBytes = 32;
constexpr std::size_t kNameLength = 100;

std::unexpected<Error> NoSuchFeed() {
  return Fail(ErrorCode::kNotFound, "there is no such feed");
}

std::string HashOf(std::string_view secret) {
  return EncodeHex(Sha256Of(secret));
}

Result<std::vector<store::Stored<Feed>>> FeedsOf(store::Store& store, const store::OpContext& op,
                                                 const CalendarId& calendar) {
  const std::string partition = PartitionOf(calendar);
  ASSIGN_OR_RETURN(auto page, store::List<Feed>(store, op,
                                                {.table = &kFeedsByCalendar,
                                                 .partition = partition,
                                                 .limit = kFeedsOfOne + 1}));
  return std::move(page.records);
}

}  // namespace

Result<std::vector<Feed>> FeedService::List(const store::OpContext& op, const Visitor& visitor,
                                            const CalendarId& calendar) const {
  RETURN_IF_ERROR(calendar::Enter(ground_.store, op, visitor, calendar, Need::kDescribe));
  ASSIGN_OR_RETURN(const auto stored, FeedsOf(ground_.store, op, calendar));
  std::vector<Feed> feeds;
  for (const store::Stored<Feed>& one : stored) {
    feeds.push_back(one.record);
  }
  std::ranges::sort(feeds, {}, &Feed::created_at);
  return feeds;
}

Result<NewFeed> FeedService::Create(const store::OpContext& op, const Visitor& visitor,
                                    const CalendarId& calendar, const std::string& name,
                                    FeedDetail detail) {
  RETURN_IF_ERROR(CheckLine("name", name, kNameLength));
  ASSIGN_OR_RETURN(const Seat seat,
                   calendar::Enter(ground_.store, op, visitor, calendar, Need::kDescribe));
  ASSIGN_OR_RETURN(const auto others, FeedsOf(ground_.store, op, calendar));
  if (others.size() >= kFeedsOfOne) {
    return Fail(ErrorCode::kLimitExceeded, "a calendar has at most 50 feeds");
  }
  ASSIGN_OR_RETURN(const std::string address, people_.AddressOf(op, visitor.org));
  const std::string secret = RandomToken(kSecretBytes);
  NewFeed made{.feed = {.hash = HashOf(secret),
                        .id = ground_.ids.NewUuid().Render(),
                        .calendar_id = calendar,
                        .name = name,
                        .detail = detail,
                        .created_by = visitor.user,
                        .created_at = ground_.clock.Now()},
               .url = address + "/feeds/" + secret + ".ics"};
  store::Batch batch;
  batch.Create(Feeds(), made.feed);
  batch.Check(Calendars(), seat.calendar);
  RETURN_IF_ERROR(ground_.store.Commit(store::Unnamed(op), std::move(batch)));
  return made;
}

Result<void> FeedService::Delete(const store::OpContext& op, const Visitor& visitor,
                                 const CalendarId& calendar, std::string_view feed) {
  RETURN_IF_ERROR(calendar::Enter(ground_.store, op, visitor, calendar, Need::kDescribe));
  ASSIGN_OR_RETURN(const auto feeds, FeedsOf(ground_.store, op, calendar));
  const auto listed = std::ranges::find_if(
      feeds, [&](const store::Stored<Feed>& one) { return one.record.id == feed; });
  if (listed == feeds.end()) {
    return NoSuchFeed();
  }
  ASSIGN_OR_RETURN(const auto stored,
                   store::Find(ground_.store, op, Feeds(), FeedKey(listed->record.hash)));
  if (!stored) {
    return NoSuchFeed();
  }
  store::Batch batch;
  batch.Erase(Feeds(), *stored);
  RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
  return {};
}

Result<Feed> FeedService::Load(const store::OpContext& op, std::string_view secret) const {
  ASSIGN_OR_RETURN(auto feed, store::Find(ground_.store, op, Feeds(), FeedKey(HashOf(secret))));
  if (!feed) {
    return NoSuchFeed();
  }
  return std::move(feed->record);
}

Result<http::ETag> FeedService::StateOf(const store::OpContext& op, const Feed& feed) const {
  ASSIGN_OR_RETURN(const std::uint64_t last, store::LastChange(ground_.store, op, store::kChanges,
                                                               TopicOf(feed.calendar_id)));
  // Weak, because the file also says when it was made.
  return http::ETag::Weak(feed.id + "-" + std::to_string(last));
}

Result<Calendar> FeedService::Enter(const store::OpContext& op, const Feed& feed) const {
  ASSIGN_OR_RETURN(const std::optional<Person> maker, people_.Find(op, feed.created_by));
  if (!maker) {
    return NoSuchFeed();
  }
  Result<Seat> seat = calendar::Enter(ground_.store, op, {.org = maker->org, .user = maker->id},
                                      feed.calendar_id, Need::kRead);
  if (!seat) {
    return seat.error().code == ErrorCode::kNotFound ? Result<Calendar>(NoSuchFeed())
                                                     : std::unexpected(std::move(seat).error());
  }
  return std::move(seat->calendar.record);
}

}  // namespace atrium::calendar

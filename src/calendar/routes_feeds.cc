// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_write.h"
#include "calendar/export.h"
#include "calendar/route_parts.h"
#include "calendar/routes.h"
#include "http/conditional.h"
#include "http/json_body.h"
#include "http/path_params.h"

namespace atrium::calendar {
namespace {

using api::Call;
using api::RouteOf;
using http::Method;
using http::Reply;

/// A feed as lists show it: without what leads to it.
struct FeedView {
  std::string id{};
  std::string name{};
  FeedDetail detail = FeedDetail::kFull;
  UserId created_by{};
  Instant created_at{};
  /// Once, when it was made.
  std::optional<std::string> url{};
};
BOOST_DESCRIBE_STRUCT(FeedView, (), (id, name, detail, created_by, created_at, url))

FeedView ViewOf(const Feed& feed) {
  return {.id = feed.id,
          .name = feed.name,
          .detail = feed.detail,
          .created_by = feed.created_by,
          .created_at = feed.created_at};
}

struct FeedList {
  std::vector<FeedView> feeds{};
};
BOOST_DESCRIBE_STRUCT(FeedList, (), (feeds))

struct FeedBody {
  std::string name{};
  std::optional<FeedDetail> detail{};
};
BOOST_DESCRIBE_STRUCT(FeedBody, (), (name, detail))

struct SubscribeBody {
  std::string url{};
  std::string name{};
  std::optional<std::string> color{};
  std::optional<std::string> description{};
  std::optional<std::int32_t> every_minutes{};
};
BOOST_DESCRIBE_STRUCT(SubscribeBody, (), (url, name, color, description, every_minutes))

struct SubscriptionView {
  CalendarId calendar_id{};
  /// For owners: whoever has it can read the feed elsewhere.
  std::optional<std::string> url{};
  std::int32_t every_minutes = 0;
  Instant next_at{};
  std::optional<Instant> refreshed_at{};
  std::string last_error{};
  std::uint32_t failures = 0;
  Instant created_at{};
  Instant updated_at{};
};
BOOST_DESCRIBE_STRUCT(SubscriptionView, (),
                      (calendar_id, url, every_minutes, next_at, refreshed_at, last_error, failures,
                       created_at, updated_at))

SubscriptionView ViewOf(const Subscription& one, std::optional<std::string> url) {
  return {.calendar_id = one.calendar_id,
          .url = std::move(url),
          .every_minutes = one.every_minutes,
          .next_at = one.next_at,
          .refreshed_at = one.refreshed_at,
          .last_error = one.last_error,
          .failures = one.failures,
          .created_at = one.created_at,
          .updated_at = one.updated_at};
}

Result<Reply> ListFeeds(Room& room, const Call& call, const CalendarId& id) {
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const std::vector<Feed> feeds, room.feeds.List(call.op, visitor, id));
  FeedList list;
  for (const Feed& feed : feeds) {
    list.feeds.push_back(ViewOf(feed));
  }
  return http::JsonReply(ToJson(list));
}

Result<Reply> MakeFeed(Room& room, const Call& call, const CalendarId& id) {
  ASSIGN_OR_RETURN(const FeedBody body, http::JsonBody<FeedBody>(call.request));
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(NewFeed made, room.feeds.Create(call.op, visitor, id, body.name,
                                                   body.detail.value_or(FeedDetail::kFull)));
  FeedView view = ViewOf(made.feed);
  view.url = std::move(made.url);
  return http::JsonReply(ToJson(view), 201);
}

Result<Reply> DeleteFeed(Room& room, const Call& call, const CalendarId& id,
                         std::string_view feed) {
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  RETURN_IF_ERROR(room.feeds.Delete(call.op, visitor, id, feed));
  return http::EmptyReply();
}

bool IsKnown(const http::Request& request, const http::ETag& tag) {
  const http::Preconditions asked{.if_none_match = request.headers.Find("If-None-Match")};
  return http::Evaluate(asked, http::Intent::kRead, {.etag = tag}) == http::Verdict::kNotModified;
}

icalendar::CalendarHead HeadFor(const Feed& feed, const Calendar& calendar) {
  return feed.detail == FeedDetail::kBusy ? icalendar::CalendarHead{.name = feed.name}
                                          : HeadOf(calendar);
}

/// A poll that finds nothing new costs two reads.
Result<Reply> ShowFeed(Room& room, const Call& call, std::string_view file) {
  constexpr std::string_view kEnding = ".ics";
  if (!file.ends_with(kEnding)) {
    return Fail(ErrorCode::kNotFound, "there is no such feed");
  }
  file.remove_suffix(kEnding.size());
  ASSIGN_OR_RETURN(const Feed feed, room.feeds.Load(call.op, file));
  ASSIGN_OR_RETURN(http::ETag tag, room.feeds.StateOf(call.op, feed));
  Reply reply{.content_type = "text/calendar; charset=utf-8",
              .etag = std::move(tag),
              .cache_control = "private, no-cache"};
  if (IsKnown(call.request, *reply.etag)) {
    return reply;
  }
  ASSIGN_OR_RETURN(const Calendar calendar, room.feeds.Enter(call.op, feed));
  reply.body = StreamCalendar(room.ground, {.calendar = feed.calendar_id,
                                            .head = HeadFor(feed, calendar),
                                            .detail = feed.detail,
                                            .people = PeopleInFile::kLeftOut});
  return reply;
}

Result<Reply> Subscribe(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(SubscribeBody body, http::JsonBody<SubscribeBody>(call.request));
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(
      const auto calendar,
      room.subscriptions.Subscribe(
          call.op, visitor,
          {.name = std::move(body.name), .color = body.color, .description = body.description},
          {.url = std::move(body.url), .every_minutes = body.every_minutes}));
  return api::Tagged(store::EncodeRecord(calendar.record, calendar.unknown), calendar.version, 201);
}

Result<Reply> ShowSubscription(Room& room, const Call& call, const CalendarId& id) {
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const auto found, room.subscriptions.Load(call.op, visitor, id, Need::kRead));
  const Result<Seat> as_owner = Enter(room.ground.store, call.op, visitor, id, Need::kOwn);
  const auto url = as_owner ? std::optional(found.record.url) : std::nullopt;
  return api::Tagged(ToJson(ViewOf(found.record, url)), found.version);
}

Result<Reply> UpdateSubscription(Room& room, const Call& call, const CalendarId& id) {
  ASSIGN_OR_RETURN(const SubscriptionFields fields,
                   http::JsonBody<SubscriptionFields>(call.request));
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const auto found, room.subscriptions.Update(call.op, visitor, id, fields));
  return api::Tagged(ToJson(ViewOf(found.record, found.record.url)), found.version);
}

Result<Reply> RefreshSubscription(Room& room, const Call& call, const CalendarId& id) {
  ASSIGN_OR_RETURN(const Visitor visitor, VisitorOf(room, call));
  ASSIGN_OR_RETURN(const auto found, room.subscriptions.Refresh(call.op, visitor, id));
  return http::JsonReply(ToJson(ViewOf(found.record, std::nullopt)), 202);
}

void AddSubscriptionRoutes(api::Api& api, Room& room, const http::AccessRule& member) {
  api.Add(RouteOf(Method::kPost, "/api/subscriptions", member, "A calendar that follows a feed"),
          [&room](const Call& call) { return Subscribe(room, call); });
  const std::string one = "/api/calendars/{calendar}/subscription";
  api.Add(
      RouteOf(Method::kGet, one, member, "The feed that a calendar follows"),
      [&room](const Call& call, const CalendarId& id) { return ShowSubscription(room, call, id); });
  api.Add(RouteOf(Method::kPut, one, member, "Follow it otherwise"),
          [&room](const Call& call, const CalendarId& id) {
            return UpdateSubscription(room, call, id);
          });
  http::Route refresh = RouteOf(Method::kPost, one + "/refresh", member, "Look at the feed soon");
  refresh.rate = http::RateClass::kCostly;
  api.Add(std::move(refresh), [&room](const Call& call, const CalendarId& id) {
    return RefreshSubscription(room, call, id);
  });
}

}  // namespace

void AddFeedRoutes(api::Api& api, Room& room, const FeedRules& rules) {
  const std::string all = "/api/calendars/{calendar}/feeds";
  api.Add(RouteOf(Method::kGet, all, rules.member, "Secret addresses of a calendar"),
          [&room](const Call& call, const CalendarId& id) { return ListFeeds(room, call, id); });
  api.Add(RouteOf(Method::kPost, all, rules.member, "Make a secret address"),
          [&room](const Call& call, const CalendarId& id) { return MakeFeed(room, call, id); });
  api.Add(RouteOf(Method::kDelete, all + "/{feed}", rules.member, "Close a secret address"),
          [&room](const Call& call, const CalendarId& id, const std::string& feed) {
            return DeleteFeed(room, call, id, feed);
          });
  http::Route file = RouteOf(Method::kGet, "/feeds/{file}", rules.anyone,
                             "A calendar for who knows its secret address");
  file.rate = http::RateClass::kCostly;
  api.Add(std::move(file), [&room](const Call& call, const http::SecretSegment& name) {
    return ShowFeed(room, call, name.text);
  });
  AddSubscriptionRoutes(api, room, rules.member);
}

}  // namespace atrium::calendar

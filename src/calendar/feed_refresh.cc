// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/feed_refresh.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <utility>
#include <vector>

#include "calendar/entry_walk.h"
#include "calendar/entry_writes.h"
#include "calendar/import.h"
#include "calendar/keys.h"
#include "calendar/work_names.h"
#include "store/batch.h"
#include "store/op_context.h"
#include "store/store.h"

namespace atrium::calendar {
namespace {

constexpr std::chrono::seconds kTimeForFeed{30};
/// A server that drips occupies a thread no longer than one that says nothing.
constexpr std::size_t kSlowestBytesPerSecond = 1024;
constexpr std::chrono::seconds kPatience{10};
constexpr unsigned kRedirectsMax = 5;
constexpr std::size_t kStateBytesMax = 500;
constexpr std::size_t kDeletedAtOnce = 6;
/// Of answers that are no feed, which nobody reads.
constexpr std::size_t kOtherAnswerBytesMax = std::size_t{1} << 20;
/// As long as requests wait for memory.
constexpr std::chrono::seconds kWaitForMemory{5};
constexpr int kStatusOk = 200;
constexpr int kStatusNotModified = 304;
constexpr std::string_view kLabel = "feed";

std::unexpected<Error> Stopped() {
  return Fail(ErrorCode::kUnavailable, "the server was stopped meanwhile");
}

/// A feed in memory that is taken for it as it arrives. Ends the transfer when there is no more.
class ArrivingFeed {
 public:
  ArrivingFeed(MemoryBudget& memory, std::stop_token stop)
      : memory_(memory), on_stop_(std::move(stop), [this] { over_.request_stop(); }) {}

  void Take(std::string_view piece) {
    // Some more may come until the transfer has ended.
    if (over_.stop_requested()) {
      return;
    }
    is_too_long_ = piece.size() > kFeedBytesMax - text_.size();
    if (is_too_long_ || !MakeRoom(text_.size() + piece.size())) {
      over_.request_stop();
      return;
    }
    text_.append(piece);
  }

  std::stop_token Over() const { return over_.get_token(); }
  bool IsTooLong() const { return is_too_long_; }
  /// There was no memory for it.
  bool IsStarved() const { return is_starved_; }
  /// The memory stays with this.
  std::string TakeText() { return std::move(text_); }

 private:
  /// Twice as much each time, so that few bytes are moved; at most what may come.
  bool MakeRoom(std::size_t bytes) {
    constexpr std::size_t kFirst = std::size_t{64} << 10;
    const std::size_t held = lease_.size();
    if (bytes <= held) {
      return true;
    }
    const std::size_t wanted = std::max(bytes, std::min(kFeedBytesMax, std::max(2 * held, kFirst)));
    is_starved_ = !memory_.TryGrow(lease_, wanted - held);
    if (!is_starved_) {
      text_.reserve(wanted);
    }
    return !is_starved_;
  }

  MemoryBudget& memory_;
  MemoryLease lease_;
  std::string text_;
  bool is_too_long_ = false;
  bool is_starved_ = false;
  std::stop_source over_;
  const std::stop_callback<std::function<void()>> on_stop_;
};

egress::OutgoingRequest RequestFor(const Subscription& subscription, ArrivingFeed& feed) {
  egress::OutgoingRequest request{
      .url = subscription.url,
      .headers = {{.name = "Accept", .value = "text/calendar, */*;q=0.1"}},
      .timeout = kTimeForFeed,
      .slowest = {.bytes_per_second = kSlowestBytesPerSecond, .patience = kPatience},
      .response_bytes_max = kOtherAnswerBytesMax,
      .redirects_max = kRedirectsMax,
      .retry = {.attempts_max = 1},
      .receive = [&feed](std::string_view piece) { feed.Take(piece); },
      .stop = feed.Over()};
  if (!subscription.etag.empty()) {
    request.headers.push_back({.name = "If-None-Match", .value = subscription.etag});
  }
  if (!subscription.last_modified.empty()) {
    request.headers.push_back({.name = "If-Modified-Since", .value = subscription.last_modified});
  }
  return request;
}

/// In words for who subscribed: what the sender says is for the log.
Error Explained(Error error) {
  switch (error.code) {
    case ErrorCode::kPermissionDenied:
      error.client_message = "the address leads to a network that is not allowed";
      break;
    case ErrorCode::kDeadlineExceeded:
      error.client_message = "the other server took too long";
      break;
    case ErrorCode::kLimitExceeded:
      error.client_message = "the other server redirects too often, or answers with too much";
      break;
    case ErrorCode::kUnavailable:
      error.client_message = "the other server cannot be reached";
      break;
    default:
      break;
  }
  return error;
}

std::string HeaderOf(const egress::OutgoingResponse& response, std::string_view name) {
  const std::string_view value = response.FindHeader(name).value_or("");
  return value.size() <= kStateBytesMax ? std::string(value) : std::string();
}

/// What was cut off on the way does not end like this.
bool IsWhole(std::string_view text) {
  constexpr std::string_view kEnd = "end:vcalendar";
  const std::string_view whole = text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
  return whole.size() >= kEnd.size() &&
         std::ranges::equal(whole.substr(whole.size() - kEnd.size()), kEnd, [](char a, char b) {
           return ('A' <= a && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
         });
}

Result<store::Stored<Calendar>> LoadTarget(const store::Ground& ground, const CalendarId& id) {
  ASSIGN_OR_RETURN(auto calendar,
                   store::Find(ground.store, store::OpContext::ForWork(kSubscriptionsJob),
                               Calendars(), CalendarKey(id)));
  const bool is_there =
      calendar && !calendar->record.deleted_at && calendar->record.source == CalendarSource::kFeed;
  if (!is_there) {
    return Fail(ErrorCode::kNotFound, "the calendar is in the trash");
  }
  return *std::move(calendar);
}

Result<void> DeleteSome(const store::Ground& ground,
                        std::span<const store::Stored<Entry>> entries) {
  store::Batch batch;
  for (const store::Stored<Entry>& one : entries) {
    WriteDeleted(batch, {.label = std::string(kLabel)}, ground.clock.Now(), one);
  }
  RETURN_IF_ERROR(
      ground.store.Commit(store::OpContext::ForWork(kSubscriptionsJob), std::move(batch)));
  return {};
}

/// Entries that the feed does not have any more.
Result<void> DeleteTheGone(const store::Ground& ground, const CalendarId& calendar,
                           const EntryImport& import) {
  EntryWalk walk(ground.store, calendar);
  while (true) {
    ASSIGN_OR_RETURN(std::vector<store::Stored<Entry>> page,
                     walk.Next(store::OpContext::ForWork(kSubscriptionsJob)));
    if (page.empty()) {
      return {};
    }
    std::erase_if(page,
                  [&](const store::Stored<Entry>& one) { return import.Names(one.record.uid); });
    for (std::size_t at = 0; at < page.size(); at += kDeletedAtOnce) {
      const std::size_t count = std::min(kDeletedAtOnce, page.size() - at);
      RETURN_IF_ERROR(DeleteSome(ground, std::span(page).subspan(at, count)));
    }
  }
}

Result<void> Apply(const store::Ground& ground, const CalendarId& calendar, std::string text,
                   const jobs::JobContext& context) {
  const bool is_whole = IsWhole(text);
  ASSIGN_OR_RETURN(
      const std::unique_ptr<EntryImport> import,
      EntryImport::Open(ground,
                        {.calendar = calendar,
                         .author = {.label = std::string(kLabel)},
                         .enter = [&ground, calendar] { return LoadTarget(ground, calendar); }},
                        std::move(text)));
  while (import->Step()) {
    if (context.ShouldStop()) {
      return Stopped();
    }
  }
  if (import->Failure()) {
    return std::unexpected(*import->Failure());
  }
  if (!is_whole) {
    return Fail(ErrorCode::kInvalidArgument, "the feed was cut off: its end is missing");
  }
  return DeleteTheGone(ground, calendar, *import);
}

}  // namespace

Result<std::optional<FeedState>> RefreshFromFeed(const FeedMeans& means,
                                                 const Subscription& subscription,
                                                 jobs::JobContext& context) {
  ArrivingFeed feed(means.memory, context.StopToken());
  Result<egress::OutgoingResponse> response = means.sender.Send(RequestFor(subscription, feed));
  if (context.ShouldStop()) {
    return Stopped();
  }
  if (feed.IsStarved()) {
    return std::nullopt;
  }
  if (feed.IsTooLong()) {
    return Fail(ErrorCode::kLimitExceeded, "the feed is larger than 16 MiB");
  }
  if (!response) {
    return std::unexpected(Explained(std::move(response).error()));
  }
  if (response->status == kStatusNotModified) {
    return FeedState{.etag = subscription.etag, .last_modified = subscription.last_modified};
  }
  if (response->status != kStatusOk) {
    return Fail(ErrorCode::kUnavailable,
                "the other server answered " + std::to_string(response->status));
  }
  FeedState state{.etag = HeaderOf(*response, "ETag"),
                  .last_modified = HeaderOf(*response, "Last-Modified")};
  std::string text = feed.TakeText();
  const Result<MemoryLease> memory =
      means.memory.Take(OutlineBytesMax(text.size()), means.ground.clock.Steady() + kWaitForMemory);
  if (!memory) {
    return std::nullopt;
  }
  RETURN_IF_ERROR(Apply(means.ground, subscription.calendar_id, std::move(text), context));
  return state;
}

std::chrono::minutes WaitAfter(std::uint32_t failures, std::chrono::minutes usual) {
  constexpr std::chrono::minutes kLongest = std::chrono::days(1);
  std::chrono::minutes wait = usual;
  for (std::uint32_t i = 0; i < failures && wait < kLongest; ++i) {
    wait *= 2;
  }
  return std::max(usual, std::min(wait, kLongest));
}

}  // namespace atrium::calendar

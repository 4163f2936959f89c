// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/event_tail.h"

#include <algorithm>
#include <boost/describe/class.hpp>
#include <utility>

#include "base/json_read.h"

namespace atrium::calendar {
namespace {

/// What a tail holds at most; who is further behind reads the store.
constexpr std::size_t kKeptMax = 256;
constexpr std::size_t kKeptBytesMax = std::size_t{64} << 10U;
/// Read from the store at once.
constexpr std::size_t kCaughtAtOnce = 100;

struct MemberNews {
  Membership member{};
};
BOOST_DESCRIBE_STRUCT(MemberNews, (), (member))

std::unexpected<Error> NoEvent(const store::Change& change) {
  return FailPrivately(ErrorCode::kCorrupt,
                       "change " + std::to_string(change.id) + " of a calendar is no event");
}

/// Members change seldom, so theirs alone are read as JSON.
Result<MemberTurn> ReadTurn(std::string_view name, std::string_view json) {
  ASSIGN_OR_RETURN(const MemberNews news,
                   FromJson<MemberNews>(
                       json, {.unknown = OnUnknown::kIgnore, .missing = OnMissing::kKeepDefault}));
  return MemberTurn{
      .calendar = news.member.calendar_id,
      .user = news.member.user_id,
      .is_active = name != "member_removed" && news.member.status == MemberStatus::kActive};
}

}  // namespace

Result<LiveEvent> ReadLiveEvent(const store::Change& change) {
  constexpr std::string_view kBeforeName = R"({"event":")";
  constexpr std::string_view kBeforeJson = R"(","data":)";
  std::string_view rest = change.document;
  if (!rest.starts_with(kBeforeName) || !rest.ends_with('}')) {
    return NoEvent(change);
  }
  rest.remove_prefix(kBeforeName.size());
  rest.remove_suffix(1);
  const std::size_t end = rest.find('"');
  if (end == std::string_view::npos || !rest.substr(end).starts_with(kBeforeJson)) {
    return NoEvent(change);
  }
  LiveEvent event{.number = change.id, .name = std::string(rest.substr(0, end))};
  const std::string_view json = rest.substr(end + kBeforeJson.size());
  event.wire = http::RenderEvent("", event.name, json);
  if (event.name.starts_with("member_")) {
    ASSIGN_OR_RETURN(event.turn, ReadTurn(event.name, json));
  }
  return event;
}

EventTail::Ear::Ear(std::shared_ptr<EventTail> tail, Wake wake) : tail_(std::move(tail)) {
  const std::scoped_lock lock(tail_->ears_mutex_);
  place_ = tail_->ears_.insert(tail_->ears_.end(), std::move(wake));
}

EventTail::Ear::~Ear() {
  const std::scoped_lock lock(tail_->ears_mutex_);
  tail_->ears_.erase(place_);
}

Result<std::shared_ptr<EventTail>> EventTail::Open(const store::Ground& ground, std::string topic) {
  auto tail = std::make_shared<EventTail>(ground, std::move(topic));
  // Before the first read: what is committed from here on is told.
  tail->watch_ = ground.store.Signals().Listen(store::kChanges, tail->topic_, [tail = tail.get()] {
    ++tail->told_;
    const std::scoped_lock lock(tail->ears_mutex_);
    for (const Wake& wake : tail->ears_) {
      wake();
    }
  });
  ASSIGN_OR_RETURN(tail->newest_,
                   store::LastChange(ground.store, store::OpContext::ForWork(kEventStreams),
                                     store::kChanges, tail->topic_));
  return tail;
}

Result<std::uint64_t> EventTail::Last() {
  const std::scoped_lock lock(mutex_);
  RETURN_IF_ERROR(Catch());
  return newest_.load();
}

Result<LivePage> EventTail::Read(std::uint64_t after, std::size_t limit) {
  {
    const std::scoped_lock lock(mutex_);
    RETURN_IF_ERROR(Catch());
    const std::uint64_t newest = newest_;
    if (after == newest) {
      return LivePage{.last = newest};
    }
    if (after < newest && newest - after <= kept_.size()) {
      const std::size_t first = kept_.size() - static_cast<std::size_t>(newest - after);
      const std::size_t count = std::min(limit, kept_.size() - first);
      const auto begin = kept_.begin() + static_cast<std::ptrdiff_t>(first);
      return LivePage{.events = {begin, begin + static_cast<std::ptrdiff_t>(count)},
                      .last = newest};
    }
  }
  return ReadStore(after, limit);
}

/// Reads what was committed since. What could not be read is tried again by who comes next.
Result<void> EventTail::Catch() {
  while (caught_ != told_) {
    const std::uint64_t told = told_;
    ASSIGN_OR_RETURN(const bool more, CatchSome());
    if (!more) {
      caught_ = told;
    }
  }
  return {};
}

/// True when there is more.
Result<bool> EventTail::CatchSome() {
  ASSIGN_OR_RETURN(const store::ChangePage page,
                   store::ReadChanges(ground_.store, store::OpContext::ForWork(kEventStreams),
                                      {.topic = topic_, .after = newest_, .limit = kCaughtAtOnce}));
  if (page.refresh_required) {
    kept_.clear();
    kept_bytes_ = 0;
    newest_ = page.last;
    return false;
  }
  for (const store::Change& change : page.changes) {
    ASSIGN_OR_RETURN(LiveEvent event, ReadLiveEvent(change));
    Keep(std::make_shared<const LiveEvent>(std::move(event)));
  }
  return newest_ < page.last;
}

void EventTail::Keep(std::shared_ptr<const LiveEvent> event) {
  newest_ = event->number;
  kept_bytes_ += event->wire.size();
  kept_.push_back(std::move(event));
  while (kept_.size() > kKeptMax || kept_bytes_ > kKeptBytesMax) {
    kept_bytes_ -= kept_.front()->wire.size();
    kept_.pop_front();
  }
}

Result<LivePage> EventTail::ReadStore(std::uint64_t after, std::size_t limit) const {
  ASSIGN_OR_RETURN(const store::ChangePage page,
                   store::ReadChanges(ground_.store, store::OpContext::ForWork(kEventStreams),
                                      {.topic = topic_, .after = after, .limit = limit}));
  LivePage live{.refresh_required = page.refresh_required, .last = page.last};
  for (const store::Change& change : page.changes) {
    ASSIGN_OR_RETURN(LiveEvent event, ReadLiveEvent(change));
    live.events.push_back(std::make_shared<const LiveEvent>(std::move(event)));
  }
  return live;
}

Result<std::shared_ptr<EventTail>> EventTails::Find(const std::string& topic) {
  const std::scoped_lock lock(mutex_);
  std::weak_ptr<EventTail>& place = tails_[topic];
  if (auto tail = place.lock()) {
    return tail;
  }
  ASSIGN_OR_RETURN(auto tail, EventTail::Open(ground_, topic));
  place = tail;
  if (tails_.size() > sweep_at_) {
    std::erase_if(tails_, [](const auto& one) { return one.second.expired(); });
    sweep_at_ = 64 + 2 * tails_.size();
  }
  return tail;
}

}  // namespace atrium::calendar

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/feed_round.h"

#include <chrono>
#include <exception>
#include <string>
#include <thread>
#include <utility>

namespace atrium::calendar {
namespace {

constexpr std::size_t kThreads = 8;
constexpr FeedQueue::Shares kShares{.of_owner = 2, .of_host = 4};
/// So that the job has an end, and a history.
constexpr std::chrono::minutes kRoundMax{5};

}  // namespace

FeedRound::FeedRound(Deeds deeds, const Clock& clock, std::stop_token stop)
    : deeds_(std::move(deeds)), clock_(clock), stop_(std::move(stop)), queue_(kShares) {}

Result<std::size_t> FeedRound::Run() {
  ASSIGN_OR_RETURN(const bool is_any_due, Refill());
  if (!is_any_due) {
    return 0;
  }
  Result<void> fed;
  {
    std::vector<std::jthread> threads;
    threads.reserve(kThreads);
    for (std::size_t i = 0; i < kThreads; ++i) {
      threads.emplace_back([this] { Work(); });
    }
    fed = Feed(clock_.Steady() + kRoundMax);
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
    changed_.notify_all();
  }
  RETURN_IF_ERROR(fed);
  RETURN_IF_ERROR(outcome_);
  return looked_at_;
}

Result<std::vector<DueFeed>> FeedRound::FindNew() {
  ASSIGN_OR_RETURN(std::vector<DueFeed> due, deeds_.find_due());
  {
    const std::scoped_lock lock(mutex_);
    std::erase_if(due, [this](const DueFeed& feed) { return queue_.Knows(feed.calendar); });
  }
  for (DueFeed& feed : due) {
    ASSIGN_OR_RETURN(feed.owner, deeds_.find_owner(feed.calendar));
  }
  return due;
}

Result<bool> FeedRound::Refill() {
  ASSIGN_OR_RETURN(std::vector<DueFeed> due, FindNew());
  const std::scoped_lock lock(mutex_);
  bool is_any_new = false;
  for (DueFeed& feed : due) {
    is_any_new = queue_.Add(std::move(feed)) || is_any_new;
  }
  changed_.notify_all();
  return is_any_new;
}

bool FeedRound::AwaitMore(SteadyInstant end) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, deeds_.pause, [this] { return queue_.IsEmpty() || !outcome_; });
  return outcome_ && !stop_.stop_requested() && clock_.Steady() < end;
}

Result<void> FeedRound::Feed(SteadyInstant end) {
  while (AwaitMore(end)) {
    ASSIGN_OR_RETURN(const bool is_any_new, Refill());
    const std::scoped_lock lock(mutex_);
    if (!is_any_new && queue_.IsEmpty()) {
      break;
    }
  }
  return {};
}

std::optional<DueFeed> FeedRound::AwaitNext() {
  std::unique_lock lock(mutex_);
  std::optional<DueFeed> next;
  changed_.wait(lock, [&] {
    next = is_over_ || stop_.stop_requested() ? std::nullopt : queue_.Take();
    return is_over_ || stop_.stop_requested() || next;
  });
  return next;
}

/// On a thread of its own: what is thrown there would end the server.
Result<void> FeedRound::LookAt(const DueFeed& feed) const {
  try {
    return deeds_.look_at(feed);
  } catch (const std::exception& error) {
    return FailPrivately(ErrorCode::kInternal, std::string("exception: ") + error.what());
  }
}

void FeedRound::Work() {
  while (const std::optional<DueFeed> feed = AwaitNext()) {
    Result<void> outcome = LookAt(*feed);
    const std::scoped_lock lock(mutex_);
    queue_.Finish(*feed);
    ++looked_at_;
    if (!outcome && outcome_) {
      outcome_ = std::move(outcome);
    }
    changed_.notify_all();
  }
}

}  // namespace atrium::calendar

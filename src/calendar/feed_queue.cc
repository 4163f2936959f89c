// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/feed_queue.h"

#include <algorithm>
#include <utility>

namespace atrium::calendar {
namespace {

using Counts = std::map<std::string, std::size_t>;

std::size_t CountOf(const Counts& counts, const std::string& name) {
  const auto found = counts.find(name);
  return found == counts.end() ? 0 : found->second;
}

void TakeBack(Counts& counts, const std::string& name) {
  const auto found = counts.find(name);
  if (found != counts.end() && --found->second == 0) {
    counts.erase(found);
  }
}

}  // namespace

bool FeedQueue::Add(DueFeed feed) {
  if (!known_.insert(feed.calendar).second) {
    return false;
  }
  waiting_.push_back(std::move(feed));
  return true;
}

std::optional<DueFeed> FeedQueue::Take() {
  const auto next = std::ranges::find_if(waiting_, [this](const DueFeed& feed) {
    return CountOf(by_owner_, feed.owner) < shares_.of_owner &&
           CountOf(by_host_, feed.host) < shares_.of_host;
  });
  if (next == waiting_.end()) {
    return std::nullopt;
  }
  DueFeed feed = std::move(*next);
  waiting_.erase(next);
  ++by_owner_[feed.owner];
  ++by_host_[feed.host];
  return feed;
}

void FeedQueue::Finish(const DueFeed& feed) {
  known_.erase(feed.calendar);
  TakeBack(by_owner_, feed.owner);
  TakeBack(by_host_, feed.host);
}

}  // namespace atrium::calendar

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "calendar/records.h"
#include "calendar/work_names.h"
#include "http/body.h"
#include "store/change_log.h"
#include "store/change_signals.h"
#include "store/ground.h"
#include "store/op_context.h"
#include "store/store.h"

namespace atrium::calendar {

/// What a change of a member says to those who follow calendars.
struct MemberTurn {
  CalendarId calendar{};
  /// nullopt: somebody without account.
  std::optional<UserId> user{};
  bool is_active = false;
};

/// A change as listeners get it. Made once, however many listen.
struct LiveEvent {
  std::uint64_t number = 0;
  std::string name{};
  /// "event: NAME\ndata: …\n\n": all but the id.
  std::string wire{};
  /// Set when it tells of a member.
  std::optional<MemberTurn> turn{};
};

/// Takes what events.h wrote apart. kCorrupt when it is none of that.
Result<LiveEvent> ReadLiveEvent(const store::Change& change);

struct LivePage {
  /// Oldest first, without gaps.
  std::vector<std::shared_ptr<const LiveEvent>> events{};
  /// The listener cannot go on from where it was: see store::ChangePage.
  bool refresh_required = false;
  /// The newest change that is known.
  std::uint64_t last = 0;
};

/// The newest changes of one topic, in memory for as long as anybody listens: a change is read from
/// the store once, not once for each listener. Any thread.
class EventTail {
 public:
  using Wake = http::EventSource::Wake;

  /// Ends the waking when it is destroyed.
  class Ear {
   public:
    Ear(std::shared_ptr<EventTail> tail, Wake wake);
    Ear(const Ear&) = delete;
    Ear& operator=(const Ear&) = delete;
    ~Ear();

    EventTail& Tail() const { return *tail_; }

   private:
    const std::shared_ptr<EventTail> tail_;
    std::list<Wake>::iterator place_;
  };

  static Result<std::shared_ptr<EventTail>> Open(const store::Ground& ground, std::string topic);
  EventTail(const store::Ground& ground, std::string topic)
      : ground_(ground), topic_(std::move(topic)) {}
  EventTail(const EventTail&) = delete;
  EventTail& operator=(const EventTail&) = delete;

  /// False when there is nothing behind `after`, without a lock.
  bool MayHaveMore(std::uint64_t after) const { return caught_ != told_ || newest_ != after; }

  /// What comes behind `after`, at most `limit` of it: from memory, or, for who is far behind, from
  /// the store.
  Result<LivePage> Read(std::uint64_t after, std::size_t limit);

  /// The newest change.
  Result<std::uint64_t> Last();

 private:
  Result<void> Catch();
  Result<bool> CatchSome();
  void Keep(std::shared_ptr<const LiveEvent> event);
  Result<LivePage> ReadStore(std::uint64_t after, std::size_t limit) const;

  const store::Ground ground_;
  const std::string topic_;

  /// How often there was word of a change; counted before anybody is woken.
  std::atomic<std::uint64_t> told_ = 0;
  /// How much of it is behind newest_ no more. Written after newest_: who asks while another reads
  /// must not be told that there is nothing, since nobody wakes them again.
  std::atomic<std::uint64_t> caught_ = 0;
  /// The last change that was read.
  std::atomic<std::uint64_t> newest_ = 0;

  std::mutex mutex_;
  // Guarded by mutex_. The last ones up to newest_, without gaps.
  std::deque<std::shared_ptr<const LiveEvent>> kept_;
  std::size_t kept_bytes_ = 0;

  std::mutex ears_mutex_;
  // Guarded by ears_mutex_.
  std::list<Wake> ears_;

  /// Ends before all the rest.
  store::ChangeSignals::Watch watch_;
};

/// The tails of all topics that anybody follows. Any thread.
class EventTails {
 public:
  explicit EventTails(const store::Ground& ground) : ground_(ground) {}

  store::Store& GetStore() const { return ground_.store; }
  /// On which terms listeners ask the store, once each time: long after their request was read.
  store::OpContext Terms() const { return store::OpContext::ForWork(kEventStreams); }
  Result<std::shared_ptr<EventTail>> Find(const std::string& topic);

 private:
  const store::Ground ground_;
  std::mutex mutex_;
  // Guarded by mutex_.
  std::map<std::string, std::weak_ptr<EventTail>, std::less<>> tails_;
  /// Topics that nobody follows any more are swept when there are more than that.
  std::size_t sweep_at_ = 64;
};

}  // namespace atrium::calendar

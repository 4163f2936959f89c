// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "http/exertion.h"

namespace atrium::http {

/// For whom a task is done, and by which room of the server.
struct WorkOwner {
  /// Tells people apart: a hash of the name of the principal, or of the address of the client.
  std::uint64_t person = 0;
  /// Endpoint::room_index of the route.
  std::uint32_t room = 0;
};

/// Threads on which tasks run. Those of the front have every processor, those of the back not all.
enum class Lane : std::uint8_t { kFront, kBack };

/// In which order tasks of different owners get at a number of threads. A person holds at most a
/// quarter of the threads, and half of them while no more than that are in use; a room holds at
/// most three quarters. What is over its share is held back until something of the same person or
/// room has ended, or there is a place for everybody, and whatever comes from others passes it.
/// Within their shares, tasks are taken in the order in which they came.
///
/// Tasks of a person who has computed much lately (exertion.h) are for the back, all others for the
/// front: shares of threads alone do not say who gets a processor.
///
/// A continuation is a further step of something that has begun. It counts as every task does and
/// is never refused. One at a time of each person and of each room is let in beyond the share:
/// tasks that wait for what the step would give back cannot hold it up.
///
/// One thread at a time. WorkerPool is the user of it.
class FairQueue {
 public:
  using Task = std::move_only_function<void()>;
  enum class Kind : std::uint8_t { kTask, kContinuation };

  struct Limits {
    std::size_t threads = 64;
    /// Tasks that may wait, in all. A person may have a quarter of it waiting, a room three
    /// quarters.
    std::size_t waiting_max = 1024;
  };

  explicit FairQueue(const Limits& limits);
  FairQueue(const FairQueue&) = delete;
  FairQueue& operator=(const FairQueue&) = delete;

  /// Adds a task. False, and the task stays with the caller, when too many wait already: in all, of
  /// that person, or for that room.
  [[nodiscard]] bool TryAdd(const WorkOwner& owner, Task& task);
  /// Adds a continuation.
  void Continue(const WorkOwner& owner, Task task);

  /// Whether there is a task of this lane that may begin.
  bool HasReady(Lane lane) const { return !ReadyOf(lane).empty(); }

 private:
  struct Person;

 public:
  /// What Done() wants to know of a task.
  class Ticket {
    friend class FairQueue;
    Person* person_ = nullptr;
    std::uint32_t room_ = 0;
    Kind kind_ = Kind::kTask;
  };
  struct Begun {
    Task task{};
    Ticket ticket{};
  };

  /// What a task has cost.
  struct Spent {
    std::chrono::nanoseconds processor{};
    /// When it ended. Later than this is not known to the queue before the next task has ended.
    Exertion::Time at{};
  };

  /// The next task of this lane that may begin; there must be one.
  Begun Take(Lane lane);
  /// That task has ended.
  void Done(const Ticket& ticket, const Spent& spent);

  /// Tasks that have not begun.
  std::size_t Waiting() const {
    return ReadyOf(Lane::kFront).size() + ReadyOf(Lane::kBack).size() + held_back_;
  }
  /// Those of them that are over a share.
  std::size_t HeldBack() const { return held_back_; }
  /// Those who have something to do, and some who had.
  std::size_t PeopleKnown() const { return people_.size(); }

 private:
  /// What one person wants of one room and is held back. In the list of the person or of the room,
  /// whichever has to give way first.
  struct Flow {
    Person& person;
    std::uint32_t room = 0;
    std::deque<Task> continuations{};
    std::deque<Task> tasks{};
  };
  struct Share {
    /// Tasks that wait for a thread or have one.
    std::size_t admitted = 0;
    /// How many of those are continuations.
    std::size_t continuing = 0;
    /// Those that have not begun.
    std::size_t waiting = 0;
    /// How many of those are continuations, which no bound counts.
    std::size_t waiting_continuations = 0;
    /// Continuations that are held back.
    std::size_t held_continuations = 0;
    std::list<Flow*> held{};
  };
  struct Person {
    std::uint64_t id = 0;
    Share share{};
    Exertion exertion{};
  };

  const std::deque<Begun>& ReadyOf(Lane lane) const {
    return ready_.at(static_cast<std::size_t>(lane));
  }
  std::deque<Begun>& ReadyOf(Lane lane) { return ready_.at(static_cast<std::size_t>(lane)); }
  Lane LaneOf(const Person& person) const;

  static Kind NextKind(const Flow& flow);
  static std::size_t WaitingTasks(const Share& share);
  bool PersonAllows(const Share& person, Kind kind) const;
  bool RoomAllows(const Share& room, Kind kind) const;
  Person& PersonOf(std::uint64_t id);
  Share& RoomOf(std::uint32_t index);
  bool MustQueueUp(const Person& person, std::uint32_t room, Kind kind) const;
  void Add(Person& person, std::uint32_t room, Kind kind, Task task);
  void Admit(Person& person, std::uint32_t room, Kind kind, Task task);
  void HoldBack(Person& person, std::uint32_t room, Kind kind, Task task);
  void AdmitNext(Flow& flow);
  void LetGo(Person& person);
  void LetIn(Share& room);

  const std::size_t person_share_;
  const std::size_t busy_;
  const std::size_t room_share_;
  const std::size_t waiting_max_;
  /// By lane.
  std::array<std::deque<Begun>, 2> ready_;
  /// When the last task ended.
  Exertion::Time now_{};
  std::size_t admitted_ = 0;
  std::size_t held_back_ = 0;
  std::size_t waiting_continuations_ = 0;
  std::unordered_map<std::uint64_t, Person> people_;
  std::size_t sweep_at_;
  /// Those for whose share something waits; nobody among them is forgotten.
  std::unordered_set<Person*> held_people_;
  std::deque<Share> rooms_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, Flow> flows_;
};

}  // namespace atrium::http

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/fair_queue.h"

#include <algorithm>

namespace atrium::http {
namespace {

/// People who have nothing to do any more are forgotten when there are this many, not each time.
constexpr std::size_t kPeopleKept = 1024;

std::size_t Part(std::size_t whole, std::size_t quarters) {
  return std::max<std::size_t>(1, whole * quarters / 4);
}

}  // namespace

FairQueue::FairQueue(const Limits& limits)
    : person_share_(Part(limits.threads, 1)),
      busy_(limits.threads / 2),
      room_share_(Part(limits.threads, 3)),
      waiting_max_(limits.waiting_max),
      sweep_at_(kPeopleKept) {}

FairQueue::Kind FairQueue::NextKind(const Flow& flow) {
  return flow.continuations.empty() ? Kind::kTask : Kind::kContinuation;
}

std::size_t FairQueue::WaitingTasks(const Share& share) {
  return share.waiting - share.waiting_continuations;
}

bool FairQueue::PersonAllows(const Share& person, Kind kind) const {
  return person.admitted < person_share_ || admitted_ < busy_ ||
         (kind == Kind::kContinuation && person.continuing == 0);
}

bool FairQueue::RoomAllows(const Share& room, Kind kind) const {
  return room.admitted < room_share_ || (kind == Kind::kContinuation && room.continuing == 0);
}

FairQueue::Person& FairQueue::PersonOf(std::uint64_t id) {
  const auto found = people_.find(id);
  if (found != people_.end()) {
    return found->second;
  }
  if (people_.size() >= sweep_at_) {
    std::erase_if(people_, [this](const auto& item) {
      const Person& person = item.second;
      return person.share.admitted == 0 && person.share.waiting == 0 &&
             !person.exertion.IsMuch(now_);
    });
    sweep_at_ = std::max(kPeopleKept, 2 * people_.size());
  }
  return people_.emplace(id, Person{.id = id}).first->second;
}

FairQueue::Share& FairQueue::RoomOf(std::uint32_t index) {
  if (index >= rooms_.size()) {
    rooms_.resize(index + 1);
  }
  return rooms_[index];
}

Lane FairQueue::LaneOf(const Person& person) const {
  return person.exertion.IsMuch(now_) ? Lane::kBack : Lane::kFront;
}

bool FairQueue::TryAdd(const WorkOwner& owner, Task& task) {
  Person& person = PersonOf(owner.person);
  if (Waiting() - waiting_continuations_ >= waiting_max_ ||
      WaitingTasks(person.share) >= Part(waiting_max_, 1) ||
      WaitingTasks(RoomOf(owner.room)) >= Part(waiting_max_, 3)) {
    return false;
  }
  Add(person, owner.room, Kind::kTask, std::move(task));
  return true;
}

void FairQueue::Continue(const WorkOwner& owner, Task task) {
  RoomOf(owner.room);
  Add(PersonOf(owner.person), owner.room, Kind::kContinuation, std::move(task));
}

/// Whether something of the same kind came before it and is held back.
bool FairQueue::MustQueueUp(const Person& person, std::uint32_t room, Kind kind) const {
  if (held_back_ == 0) {
    return false;
  }
  const auto found = flows_.find({person.id, room});
  return found != flows_.end() && (kind == Kind::kTask || !found->second.continuations.empty());
}

void FairQueue::Add(Person& person, std::uint32_t room, Kind kind, Task task) {
  const std::size_t continuations = kind == Kind::kContinuation ? 1 : 0;
  waiting_continuations_ += continuations;
  for (Share* const share : {&person.share, &rooms_[room]}) {
    ++share->waiting;
    share->waiting_continuations += continuations;
  }
  if (PersonAllows(person.share, kind) && RoomAllows(rooms_[room], kind) &&
      !MustQueueUp(person, room, kind)) {
    Admit(person, room, kind, std::move(task));
  } else {
    HoldBack(person, room, kind, std::move(task));
  }
}

void FairQueue::Admit(Person& person, std::uint32_t room, Kind kind, Task task) {
  ++admitted_;
  for (Share* const share : {&person.share, &rooms_[room]}) {
    ++share->admitted;
    share->continuing += kind == Kind::kContinuation ? 1 : 0;
  }
  Begun begun{.task = std::move(task)};
  begun.ticket.person_ = &person;
  begun.ticket.room_ = room;
  begun.ticket.kind_ = kind;
  ReadyOf(LaneOf(person)).push_back(std::move(begun));
}

void FairQueue::HoldBack(Person& person, std::uint32_t room, Kind kind, Task task) {
  ++held_back_;
  const auto [found, is_new] =
      flows_.try_emplace({person.id, room}, Flow{.person = person, .room = room});
  Flow& flow = found->second;
  if (kind == Kind::kTask) {
    flow.tasks.push_back(std::move(task));
  } else {
    flow.continuations.push_back(std::move(task));
    ++rooms_[room].held_continuations;
  }
  if (is_new) {
    if (PersonAllows(person.share, kind)) {
      rooms_[room].held.push_back(&flow);
    } else {
      person.share.held.push_back(&flow);
      held_people_.insert(&person);
    }
  }
}

void FairQueue::AdmitNext(Flow& flow) {
  const Kind kind = NextKind(flow);
  std::deque<Task>& queue = kind == Kind::kTask ? flow.tasks : flow.continuations;
  Task task = std::move(queue.front());
  queue.pop_front();
  --held_back_;
  rooms_[flow.room].held_continuations -= kind == Kind::kContinuation ? 1 : 0;
  Admit(flow.person, flow.room, kind, std::move(task));
}

/// Lets in what the room has a place for, one task of each flow in turn. A flow whose person has no
/// place waits for that person from then on.
void FairQueue::LetIn(Share& room) {
  std::size_t passed_over = 0;
  while (passed_over < room.held.size()) {
    Flow& flow = *room.held.front();
    if (!RoomAllows(room, NextKind(flow))) {
      if (room.continuing > 0 || room.held_continuations == 0) {
        return;
      }
      room.held.splice(room.held.end(), room.held, room.held.begin());
      ++passed_over;
      continue;
    }
    std::list<Flow*>& person_held = flow.person.share.held;
    if (!PersonAllows(flow.person.share, NextKind(flow))) {
      person_held.splice(person_held.end(), room.held, room.held.begin());
      held_people_.insert(&flow.person);
      continue;
    }
    AdmitNext(flow);
    passed_over = 0;
    if (flow.tasks.empty() && flow.continuations.empty()) {
      room.held.pop_front();
      flows_.erase({flow.person.id, flow.room});
    } else {
      room.held.splice(room.held.end(), room.held, room.held.begin());
    }
  }
}

FairQueue::Begun FairQueue::Take(Lane lane) {
  std::deque<Begun>& ready = ReadyOf(lane);
  Begun begun = std::move(ready.front());
  ready.pop_front();
  const std::size_t continuations = begun.ticket.kind_ == Kind::kContinuation ? 1 : 0;
  waiting_continuations_ -= continuations;
  for (Share* const share : {&begun.ticket.person_->share, &rooms_[begun.ticket.room_]}) {
    --share->waiting;
    share->waiting_continuations -= continuations;
  }
  return begun;
}

/// What waited for the person waits for its room from now on.
void FairQueue::LetGo(Person& person) {
  held_people_.erase(&person);
  for (Flow* const flow : std::exchange(person.share.held, {})) {
    rooms_[flow->room].held.push_back(flow);
  }
}

void FairQueue::Done(const Ticket& ticket, const Spent& spent) {
  now_ = std::max(now_, spent.at);
  ticket.person_->exertion.Add(spent.processor, now_);
  --admitted_;
  for (Share* const share : {&ticket.person_->share, &rooms_[ticket.room_]}) {
    --share->admitted;
    share->continuing -= ticket.kind_ == Kind::kContinuation ? 1 : 0;
  }
  if (held_back_ == 0) {
    return;
  }
  LetGo(*ticket.person_);
  // Where so little is in use, shares of people do not count, whoever has left the place.
  while (admitted_ < busy_ && !held_people_.empty()) {
    LetGo(**held_people_.begin());
  }
  for (Share& room : rooms_) {
    LetIn(room);
  }
}

}  // namespace atrium::http

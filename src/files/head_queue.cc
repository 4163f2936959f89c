// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/head_queue.h"

#include <algorithm>

#include "base/clock.h"
#include "base/error.h"

namespace atrium::files {
namespace {

std::unexpected<Error> Crowded() {
  Error error = Fail(ErrorCode::kUnavailable,
                     "too many changes of this library wait for each other: try again soon")
                    .error();
  error.retry_after = std::chrono::seconds(1);
  return std::unexpected(std::move(error));
}

}  // namespace

HeadQueue::Turn::~Turn() {
  if (queue_ != nullptr) {
    queue_->Leave(library_);
  }
}

std::size_t HeadQueue::Line::Waiting() const {
  const std::uint64_t there = next - serving - gone.size();
  return there > 0 ? static_cast<std::size_t>(there) - 1 : 0;
}

std::size_t HeadQueue::Waiting(const LibraryId& library) const {
  const std::scoped_lock lock(mutex_);
  const auto line = lines_.find(library);
  return line == lines_.end() ? 0 : line->second->Waiting();
}

Result<HeadQueue::Turn> HeadQueue::Await(const store::OpContext& op, const LibraryId& library) {
  std::unique_lock lock(mutex_);
  std::unique_ptr<Line>& slot = lines_[library];
  if (!slot) {
    slot = std::make_unique<Line>();
  }
  Line& line = *slot;
  if (line.next != line.serving && line.Waiting() >= limits_.waiting) {
    return Crowded();
  }
  const std::uint64_t number = line.next++;
  const SteadyInstant patience = std::chrono::steady_clock::now() + limits_.patience;
  if (line.moved.wait_until(lock, std::min(patience, op.deadline.Moment()),
                            [&] { return line.serving == number; })) {
    return Turn(*this, library);
  }
  // Somebody else is being served, and passes over this number.
  line.gone.insert(number);
  return op.deadline.Moment() <= patience
             ? Fail(ErrorCode::kDeadlineExceeded, "the library was busy for too long")
             : Crowded();
}

HeadQueue::Turn HeadQueue::AwaitPatiently(const LibraryId& library) {
  std::unique_lock lock(mutex_);
  std::unique_ptr<Line>& slot = lines_[library];
  if (!slot) {
    slot = std::make_unique<Line>();
  }
  Line& line = *slot;
  const std::uint64_t number = line.next++;
  line.moved.wait(lock, [&] { return line.serving == number; });
  return {*this, library};
}

void HeadQueue::PassOn(Line& line) {
  do {
    ++line.serving;
  } while (line.gone.erase(line.serving) > 0);
}

void HeadQueue::Leave(const LibraryId& library) {
  const std::scoped_lock lock(mutex_);
  const auto found = lines_.find(library);
  Line& line = *found->second;
  PassOn(line);
  if (line.serving == line.next) {
    lines_.erase(found);
  } else {
    line.moved.notify_all();
  }
}

}  // namespace atrium::files

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <mutex>

#include "base/clock.h"
#include "base/ulid.h"
#include "base/uuid.h"

namespace atrium {

/// Where new ids come from. Comes in by constructor, so that tests decide. All sources may be asked
/// from any thread, and none gives the same id twice.
class IdSource {
 public:
  IdSource() = default;
  IdSource(const IdSource&) = delete;
  IdSource& operator=(const IdSource&) = delete;
  virtual ~IdSource() = default;

  /// Version 4: tells nothing about when or in which order it was made.
  virtual Uuid NewUuid() = 0;

  /// Version 7: later ids of one source are greater.
  virtual Uuid NewTimeUuid() = 0;

  /// Later ids of one source are greater.
  virtual Ulid NewUlid() = 0;
};

/// A clock reading in milliseconds with a random tail of `high` and `low` bits behind it, which
/// never repeats and never falls (RFC 9562 §6.2, method 2: monotonic random).
///
/// In a new millisecond the tail is drawn afresh, with its first bit clear to leave room; inside
/// the same one, or when the clock has gone back, it grows by a random step, so that a neighbour's
/// id stays hard to guess. A tail that is full borrows the next millisecond from the future.
class MonotonicTime {
 public:
  struct Tail {
    std::uint64_t high;
    std::uint64_t low;
  };
  struct Reading {
    std::uint64_t milliseconds;
    Tail tail;
  };

  /// `largest` has all bits of each part set.
  explicit MonotonicTime(Tail largest) : largest_(largest) {}

  Reading Next(Instant now);

 private:
  void Restart(std::uint64_t milliseconds);
  bool Grow(std::uint64_t step);

  Tail largest_;
  bool started_ = false;
  Reading last_{};
};

/// Random bits from the cryptographic generator, time from `clock`, which must outlive the source.
class SystemIdSource final : public IdSource {
 public:
  explicit SystemIdSource(const Clock& clock) : clock_(clock) {}

  Uuid NewUuid() override;
  Uuid NewTimeUuid() override;
  Ulid NewUlid() override;

 private:
  const Clock& clock_;
  std::mutex mutex_;
  // Guarded by mutex_. The sizes are those of rand_a and rand_b (RFC 9562 §5.7), and of a ULID's 80
  // bits.
  MonotonicTime uuid_time_{{.high = 0xfff, .low = 0x3fff'ffff'ffff'ffff}};
  MonotonicTime ulid_time_{{.high = 0xffff, .low = 0xffff'ffff'ffff'ffff}};
};

/// Counts each kind from one: "00000000-0000-4000-8000-000000000001", then ...2. For tests.
class FixedIdSource final : public IdSource {
 public:
  Uuid NewUuid() override;
  Uuid NewTimeUuid() override;
  Ulid NewUlid() override;

 private:
  std::mutex mutex_;
  // Guarded by mutex_.
  std::uint64_t uuids_ = 0;
  std::uint64_t time_uuids_ = 0;
  std::uint64_t ulids_ = 0;
};

}  // namespace atrium

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/id_source.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "base/check.h"
#include "base/random.h"

namespace atrium {
namespace {

constexpr std::uint64_t kMillisecondsMax = 0xffff'ffff'ffff;

/// Drawn in advance, because a draw costs the same for one id as for many. Ids are no secrets: what
/// lies here tells nothing that their reader would not learn anyway.
class RandomStock {
 public:
  void Fill(std::span<std::byte> bytes) {
    if (stock_.size() - used_ < bytes.size()) {
      FillRandom(stock_);
      used_ = 0;
    }
    std::ranges::copy(std::span(stock_).subspan(used_, bytes.size()), bytes.begin());
    used_ += bytes.size();
  }

 private:
  std::array<std::byte, 512> stock_{};
  std::size_t used_ = 512;
};

void FillFromStock(std::span<std::byte> bytes) {
  thread_local RandomStock stock;
  stock.Fill(bytes);
}

template <typename Number>
Number RandomNumber() {
  Number number{};
  FillFromStock(std::as_writable_bytes(std::span(&number, 1)));
  return number;
}

void PutBigEndian(std::span<std::byte> bytes, std::uint64_t number) {
  for (std::size_t i = bytes.size(); i > 0; --i) {
    bytes[i - 1] = static_cast<std::byte>(number & 0xff);
    number >>= 8;
  }
}

/// Writes the version and the variant of RFC 9562 over whatever is in their place.
void Stamp(Uuid& uuid, unsigned version) {
  uuid.bytes[6] = (uuid.bytes[6] & std::byte{0x0f}) | static_cast<std::byte>(version << 4);
  uuid.bytes[8] = (uuid.bytes[8] & std::byte{0x3f}) | std::byte{0x80};
}

Uuid Counted(std::uint64_t count, unsigned version) {
  Uuid uuid;
  PutBigEndian(std::span(uuid.bytes).last(8), count);
  Stamp(uuid, version);
  return uuid;
}

}  // namespace

MonotonicTime::Reading MonotonicTime::Next(Instant now) {
  const auto since_epoch = std::max<std::int64_t>(now.time_since_epoch().count(), 0);
  const auto milliseconds = static_cast<std::uint64_t>(since_epoch);
  if (!started_ || milliseconds > last_.milliseconds) {
    Restart(milliseconds);
  } else if (!Grow(std::uint64_t{1} + RandomNumber<std::uint32_t>())) {
    Restart(last_.milliseconds + 1);
  }
  return last_;
}

void MonotonicTime::Restart(std::uint64_t milliseconds) {
  Check(milliseconds <= kMillisecondsMax, "the clock shows a year before 10889");
  started_ = true;
  last_ = {.milliseconds = milliseconds,
           .tail = {.high = RandomNumber<std::uint64_t>() & (largest_.high >> 1),
                    .low = RandomNumber<std::uint64_t>() & largest_.low}};
}

/// False when the tail has no room for the step.
bool MonotonicTime::Grow(std::uint64_t step) {
  Tail& tail = last_.tail;
  if (tail.low <= largest_.low - step) {
    tail.low += step;
    return true;
  }
  if (tail.high == largest_.high) {
    return false;
  }
  ++tail.high;
  tail.low = (tail.low + step) & largest_.low;
  return true;
}

Uuid SystemIdSource::NewUuid() {
  Uuid uuid;
  FillFromStock(uuid.bytes);
  Stamp(uuid, 4);
  return uuid;
}

Uuid SystemIdSource::NewTimeUuid() {
  const std::scoped_lock lock(mutex_);
  const MonotonicTime::Reading reading = uuid_time_.Next(clock_.Now());
  Uuid uuid;
  PutBigEndian(std::span(uuid.bytes).first(6), reading.milliseconds);
  PutBigEndian(std::span(uuid.bytes).subspan(6, 2), reading.tail.high);
  PutBigEndian(std::span(uuid.bytes).last(8), reading.tail.low);
  Stamp(uuid, 7);
  return uuid;
}

Ulid SystemIdSource::NewUlid() {
  const std::scoped_lock lock(mutex_);
  const MonotonicTime::Reading reading = ulid_time_.Next(clock_.Now());
  Ulid ulid;
  PutBigEndian(std::span(ulid.bytes).first(6), reading.milliseconds);
  PutBigEndian(std::span(ulid.bytes).subspan(6, 2), reading.tail.high);
  PutBigEndian(std::span(ulid.bytes).last(8), reading.tail.low);
  return ulid;
}

Uuid FixedIdSource::NewUuid() {
  const std::scoped_lock lock(mutex_);
  return Counted(++uuids_, 4);
}

Uuid FixedIdSource::NewTimeUuid() {
  const std::scoped_lock lock(mutex_);
  return Counted(++time_uuids_, 7);
}

Ulid FixedIdSource::NewUlid() {
  const std::scoped_lock lock(mutex_);
  Ulid ulid;
  PutBigEndian(std::span(ulid.bytes).last(8), ++ulids_);
  return ulid;
}

}  // namespace atrium

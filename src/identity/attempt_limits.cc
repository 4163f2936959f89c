// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/attempt_limits.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "base/instant.h"
#include "base/ip_network.h"

namespace atrium::identity {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kSubscriberBytes = 8;

bool IsForgotten(const AttemptRecord& record, const AttemptLimit& limit, Instant now) {
  return record.failures == 0 || now - record.last >= limit.forget_after;
}

/// The wait that so many failures past the free ones demand. Not zero.
milliseconds Backoff(std::uint32_t past_free, const AttemptLimit& limit) {
  milliseconds wait = limit.first_wait;
  for (std::uint32_t i = 1; i < past_free && wait < limit.wait_max; ++i) {
    wait *= 2;
  }
  return std::min(wait, limit.wait_max);
}

/// What kAccountLimit demands of an address that has failed on the account before.
std::optional<milliseconds> WaitOfSeenAddress(const AttemptRecord& account_address, Instant now) {
  AttemptLimit none_free = kAccountLimit;
  none_free.free = 0;
  return WaitBefore(account_address, none_free, now);
}

}  // namespace

std::optional<milliseconds> WaitBefore(const AttemptRecord& record, const AttemptLimit& limit,
                                       Instant now) {
  if (IsForgotten(record, limit, now) || record.failures <= limit.free) {
    return std::nullopt;
  }
  const milliseconds left = record.last + Backoff(record.failures - limit.free, limit) - now;
  const bool clock_was_set_back = left > limit.wait_max;
  if (left <= milliseconds::zero() || clock_was_set_back) {
    return std::nullopt;
  }
  return left;
}

AttemptRecord AfterFailure(const AttemptRecord& record, const AttemptLimit& limit, Instant now) {
  if (IsForgotten(record, limit, now)) {
    return {.failures = 1, .last = now};
  }
  const bool full = record.failures == std::numeric_limits<std::uint32_t>::max();
  return {.failures = full ? record.failures : record.failures + 1, .last = now};
}

bool IsBesieged(const AttemptRecord& account, Instant now) {
  return !IsForgotten(account, kAccountLimit, now) && account.failures > kAccountLimit.free;
}

std::optional<milliseconds> WaitBeforeSignIn(const SignInAttempts& attempts, Instant now) {
  // An absent wait is less than any other.
  std::optional<milliseconds> wait =
      std::max(WaitBefore(attempts.account_address, kAccountAddressLimit, now),
               WaitBefore(attempts.address, kAddressLimit, now));
  if (!attempts.address_is_known && IsBesieged(attempts.account, now)) {
    wait = std::max(wait, WaitOfSeenAddress(attempts.account_address, now));
  }
  return wait;
}

std::string AddressGroup(const IpAddress& address) {
  const IpAddress plain = address.Unmapped();
  if (plain.IsV4()) {
    return Render(plain);
  }
  IpAddress::V6Bytes bytes{};
  std::ranges::copy(plain.Bytes().first(kSubscriberBytes), bytes.begin());
  return Render(IpAddress(bytes)) + "/64";
}

}  // namespace atrium::identity

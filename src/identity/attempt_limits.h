// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/instant.h"
#include "base/ip_network.h"

namespace atrium::identity {

/// What is remembered of wrong guesses: how many in a row, and when the last one was.
struct AttemptRecord {
  std::uint32_t failures = 0;
  Instant last{};

  friend bool operator==(const AttemptRecord&, const AttemptRecord&) = default;
};
BOOST_DESCRIBE_STRUCT(AttemptRecord, (), (failures, last))

/// How guessing is slowed down. The first `free` failures cost nothing; each one after them demands
/// a wait before the next try, `first_wait` first and twice as long each time, up to `wait_max`. A
/// record whose last failure is `forget_after` ago counts as none.
struct AttemptLimit {
  std::uint32_t free = 0;
  std::chrono::milliseconds first_wait{};
  std::chrono::milliseconds wait_max{};
  std::chrono::milliseconds forget_after{};
};

/// One account from one group of addresses.
inline constexpr AttemptLimit kAccountAddressLimit{.free = 5,
                                                   .first_wait = std::chrono::seconds(1),
                                                   .wait_max = std::chrono::minutes(15),
                                                   .forget_after = std::chrono::hours(24)};

/// One group of addresses, whatever the accounts. Many people may share it.
inline constexpr AttemptLimit kAddressLimit{.free = 30,
                                            .first_wait = std::chrono::seconds(1),
                                            .wait_max = std::chrono::minutes(15),
                                            .forget_after = std::chrono::hours(1)};

/// One account, whatever the addresses. Used through WaitBeforeSignIn, which never lets it keep out
/// somebody who comes from a fresh address.
inline constexpr AttemptLimit kAccountLimit{.free = 100,
                                            .first_wait = std::chrono::hours(24),
                                            .wait_max = std::chrono::hours(24),
                                            .forget_after = std::chrono::hours(24)};

/// One link that was sent or shared, and the password or code asked behind it.
inline constexpr AttemptLimit kLinkLimit{.free = 5,
                                         .first_wait = std::chrono::seconds(1),
                                         .wait_max = std::chrono::minutes(15),
                                         .forget_after = std::chrono::hours(24)};

/// People without an account whom one person invites in a day, and letters sent again: each may go
/// to any address.
inline constexpr AttemptLimit kInvitingLimit{.free = 200,
                                             .first_wait = std::chrono::minutes(1),
                                             .wait_max = std::chrono::hours(1),
                                             .forget_after = std::chrono::hours(24)};

/// How long to wait before the next try; nullopt: it may be made now.
///
/// Never more than `wait_max`, whatever happened to the clock: a record that would demand more was
/// written before the clock was set back, and lets one try pass.
std::optional<std::chrono::milliseconds> WaitBefore(const AttemptRecord& record,
                                                    const AttemptLimit& limit, Instant now);

/// The record to store after a wrong guess at `now`. After a right one there is nothing to store:
/// the record is erased.
AttemptRecord AfterFailure(const AttemptRecord& record, const AttemptLimit& limit, Instant now);

/// Everything that is remembered about one try to sign in.
struct SignInAttempts {
  AttemptRecord account_address{};  ///< Under kAccountAddressLimit.
  AttemptRecord address{};          ///< Under kAddressLimit.
  AttemptRecord account{};          ///< Under kAccountLimit.
  /// Somebody signed in to the account from this address not long ago.
  bool address_is_known = false;
};

/// The longest of the waits. An account that is guessed at from everywhere (above
/// kAccountLimit.free) admits only addresses without a failure of their own on this account: its
/// owner gets in from a fresh address, and each address of an attacker has one guess a day. Where
/// the owner signed in before they may mistype as they always may.
std::optional<std::chrono::milliseconds> WaitBeforeSignIn(const SignInAttempts& attempts,
                                                          Instant now);

/// Whether an account is guessed at from everywhere.
bool IsBesieged(const AttemptRecord& account, Instant now);

/// What counts as one address: an IPv4 address as a whole, "192.0.2.1", and of an IPv6 address the
/// part that a subscriber cannot choose, "2001:db8:1:2::/64".
std::string AddressGroup(const IpAddress& address);

}  // namespace atrium::identity

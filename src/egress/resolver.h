// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/ip_network.h"
#include "base/result.h"

namespace atrium::egress {

/// Finds the addresses of a host. Comes in from outside, so that tests decide. Any thread.
class Resolver {
 public:
  Resolver() = default;
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;
  virtual ~Resolver() = default;

  /// At least one address, in the order in which they are to be tried. kUnavailable when the host
  /// is not known, when nobody can tell, and when nobody told within `timeout`.
  virtual Result<std::vector<IpAddress>> Resolve(const std::string& host,
                                                 std::chrono::milliseconds timeout) = 0;
};

/// Asks the machine: hosts file, DNS, and whatever else it is set up to use.
///
/// The system's call cannot be interrupted, so each look-up runs on a thread of its own, which is
/// left behind when the time is over and ends by itself. At most kLookupsMax are under way at once;
/// a look-up beyond them is kUnavailable.
class SystemResolver final : public Resolver {
 public:
  static constexpr int kLookupsMax = 64;

  Result<std::vector<IpAddress>> Resolve(const std::string& host,
                                         std::chrono::milliseconds timeout) override;
};

}  // namespace atrium::egress

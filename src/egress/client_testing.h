// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/ip_network.h"
#include "base/result.h"
#include "egress/client.h"
#include "egress/resolver.h"
#include "egress/sleeper.h"

namespace atrium::egress {

/// Passes the time without waiting: the clock moves, and the waits are written down.
class RecordingSleeper final : public Sleeper {
 public:
  explicit RecordingSleeper(FixedClock& clock) : clock_(clock) {}

  void Sleep(std::chrono::milliseconds wait, const std::stop_token& /*stop*/) override {
    clock_.Advance(wait);
    const std::scoped_lock lock(mutex_);
    waits_.push_back(wait);
  }

  std::vector<std::chrono::milliseconds> Waits() const {
    const std::scoped_lock lock(mutex_);
    return waits_;
  }

 private:
  FixedClock& clock_;
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  std::vector<std::chrono::milliseconds> waits_;
};

/// Knows the names a test gave it, with one answer for each time it is asked; the last answer
/// stays.
class ScriptedResolver final : public Resolver {
 public:
  void Answer(const std::string& host, std::initializer_list<std::string_view> addresses) {
    std::vector<IpAddress> parsed;
    for (const std::string_view address : addresses) {
      parsed.push_back(ParseIpAddress(address).value());
    }
    const std::scoped_lock lock(mutex_);
    hosts_[host].answers.push_back(std::move(parsed));
  }

  Result<std::vector<IpAddress>> Resolve(const std::string& host,
                                         std::chrono::milliseconds /*timeout*/) override {
    const std::scoped_lock lock(mutex_);
    Host& known = hosts_[host];
    const std::size_t turn = known.asked++;
    if (known.answers.empty()) {
      return Fail(ErrorCode::kUnavailable, "the host " + host + " was not found");
    }
    return known.answers[std::min(turn, known.answers.size() - 1)];
  }

  std::size_t AskedFor(const std::string& host) {
    const std::scoped_lock lock(mutex_);
    return hosts_[host].asked;
  }

 private:
  struct Host {
    std::vector<std::vector<IpAddress>> answers;
    std::size_t asked = 0;
  };

  std::mutex mutex_;
  // Guarded by mutex_.
  std::map<std::string, Host> hosts_;
};

/// A client whose clock stands still, whose waits cost nothing and whose names are scripted.
class ClientFixture : public ::testing::Test {
 protected:
  /// Sun, 06 Nov 1994 08:49:37 GMT.
  static constexpr Instant kNow{std::chrono::seconds(784111777)};

  ClientOptions Options(std::initializer_list<std::string_view> allowed) const {
    ClientOptions options{
        .resolver = resolver_, .sleeper = sleeper_, .fraction = [] { return 0.5; }};
    for (const std::string_view network : allowed) {
      options.allowed.push_back(ParseNetwork(network).value());
    }
    return options;
  }

  FixedClock clock_{kNow};
  std::shared_ptr<RecordingSleeper> sleeper_ = std::make_shared<RecordingSleeper>(clock_);
  std::shared_ptr<ScriptedResolver> resolver_ = std::make_shared<ScriptedResolver>();
  Client client_{Options({"127.0.0.1"}), clock_};
};

}  // namespace atrium::egress

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/intrusive/list.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "http/awaitable.h"
#include "http/edge.h"
#include "http/exchange.h"
#include "http/route.h"

namespace atrium::http {

/// A connection as its I/O thread sees it: something with a deadline that can be interrupted.
class LiveConnection : public boost::intrusive::list_base_hook<
                           boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
 public:
  enum class Interruption : std::uint8_t {
    kNone,
    kTimeout,  ///< The deadline has passed.
    kShrink,   ///< Idle for a while: give the memory back.
    kDrain,    ///< The server is stopping: finish what is open, then close.
    kDismiss,  ///< Whoever listens may not any more: end what lasts, at once.
  };

  LiveConnection() = default;
  LiveConnection(const LiveConnection&) = delete;
  LiveConnection& operator=(const LiveConnection&) = delete;
  virtual ~LiveConnection() = default;

  virtual void Interrupt(Interruption why) = 0;
  /// It waits for a request and holds memory it could do without.
  virtual bool CanShrink(SteadyInstant now) const = 0;

  SteadyInstant deadline = SteadyInstant::max();
  /// Set while something lasts on it that ends when its rule says no: looked at in each sweep.
  std::optional<Admittance> admittance{};
};

/// One event loop with its connections. Everything in it belongs to its own thread.
class IoThread {
 public:
  IoThread(Edge& edge, std::size_t index);
  IoThread(const IoThread&) = delete;
  IoThread& operator=(const IoThread&) = delete;
  ~IoThread();

  void Start();
  /// Ends the loop at once and waits for the thread; what was open is cut off.
  void Stop();

  Edge& Shared() { return edge_; }
  MetricsShard& Metrics() { return metrics_; }
  boost::asio::io_context& Context() { return context_; }

  void Register(LiveConnection& connection) { connections_.push_back(connection); }
  /// Tells every connection; posted by the server.
  void DrainConnections();

  std::unique_ptr<Exchange> Borrow();
  void GiveBack(std::unique_ptr<Exchange> exchange);

  /// "Date: ...\r\n", made anew once a second.
  std::string_view DateLine();
  /// Now, in RFC 3339; good until the next call.
  std::string_view TimeText();
  /// Unlike any other of this process.
  void NewRequestId(std::string& id);
  void Log(const AccessRecord& record);

 private:
  using ConnectionList =
      boost::intrusive::list<LiveConnection, boost::intrusive::constant_time_size<false>>;

  Awaitable<void> SweepForever();
  void Sweep(SteadyInstant now);

  Edge& edge_;
  const std::size_t index_;
  MetricsShard& metrics_;
  ConnectionList connections_;
  std::vector<std::unique_ptr<Exchange>> spare_;
  std::string log_lines_;
  std::string date_line_;
  std::chrono::sys_seconds date_second_{};
  std::string time_text_;
  std::chrono::sys_seconds time_second_{};
  std::uint64_t next_id_;
  std::size_t sweeps_ = 0;

  // Last, so that the coroutines it holds are destroyed before what they use.
  boost::asio::io_context context_;
  boost::asio::basic_waitable_timer<std::chrono::steady_clock,
                                    boost::asio::wait_traits<std::chrono::steady_clock>, Executor>
      timer_;
  std::thread thread_;
};

}  // namespace atrium::http

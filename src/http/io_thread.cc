// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/io_thread.h"

#include <malloc.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "base/log.h"
#include "base/random.h"
#include "http/guarded.h"
#include "http/http_date.h"

namespace atrium::http {
namespace {

namespace asio = boost::asio;

constexpr std::chrono::milliseconds kSweepEvery{500};
/// How long looking at those who listen may take in one sweep: it keeps the whole thread.
constexpr std::chrono::milliseconds kTimeForLooks{250};
/// Sweeps between two looks at the clients nobody hears of any more.
constexpr std::size_t kLimiterSweeps = 20;
constexpr std::size_t kLogBlockBytes = std::size_t{32} << 10;
constexpr std::size_t kSpareExchangesMax = 256;
/// Connections that fall idle at once before the freed memory is given back to the system.
constexpr std::size_t kTrimAfter = 512;

std::uint64_t RandomNumber() {
  std::uint64_t number = 0;
  FillRandom(std::as_writable_bytes(std::span(&number, 1)));
  return number;
}

/// False when it threw, which is then in the log.
template <typename Call>
bool Outlived(Call&& call) {
  try {
    std::forward<Call>(call)();
    return true;
  } catch (...) {
    log::Error("an I/O thread met an exception", {{"error", Describe(CaughtError())}});
    return false;
  }
}

/// Coroutines guard themselves; what is posted to the loop otherwise must not end all connections.
void RunToItsEnd(asio::io_context& context) {
  while (!Outlived([&] { context.run(); })) {
  }
}

}  // namespace

IoThread::IoThread(Edge& edge, std::size_t index)
    : edge_(edge),
      index_(index),
      metrics_(edge.metrics.ShardOf(index)),
      next_id_(RandomNumber()),
      context_(BOOST_ASIO_CONCURRENCY_HINT_UNSAFE_IO),
      timer_(context_.get_executor()) {}

IoThread::~IoThread() {
  Stop();
}

void IoThread::Start() {
  asio::co_spawn(context_.get_executor(), SweepForever(), asio::detached);
  thread_ = std::thread([this] { RunToItsEnd(context_); });
}

void IoThread::Stop() {
  context_.stop();
  if (thread_.joinable()) {
    thread_.join();
  }
  edge_.access_log.Write(log_lines_);
}

void IoThread::DrainConnections() {
  for (auto it = connections_.begin(); it != connections_.end();) {
    // Interrupting may end the connection and unlink it.
    (it++)->Interrupt(LiveConnection::Interruption::kDrain);
  }
}

std::unique_ptr<Exchange> IoThread::Borrow() {
  if (spare_.empty()) {
    return std::make_unique<Exchange>();
  }
  std::unique_ptr<Exchange> exchange = std::move(spare_.back());
  spare_.pop_back();
  return exchange;
}

void IoThread::GiveBack(std::unique_ptr<Exchange> exchange) {
  // What one client sent must never be there when the next one borrows.
  exchange->Forget();
  if (spare_.size() < kSpareExchangesMax && exchange->IsSmall()) {
    spare_.push_back(std::move(exchange));
  }
}

std::string_view IoThread::DateLine() {
  const auto now = std::chrono::floor<std::chrono::seconds>(edge_.clock.Now());
  if (now != date_second_ || date_line_.empty()) {
    date_second_ = now;
    date_line_ = "Date: " + RenderHttpDate(now) + "\r\n";
  }
  return date_line_;
}

std::string_view IoThread::TimeText() {
  const Instant now = edge_.clock.Now();
  const auto second = std::chrono::floor<std::chrono::seconds>(now);
  if (second != time_second_ || time_text_.empty()) {
    time_second_ = second;
    time_text_ = RenderInstant(now);
    return time_text_;
  }
  // Within a second only the last three digits of "2026-11-15T22:34:00.123Z" change.
  const auto milliseconds = static_cast<unsigned>((now - second).count());
  for (unsigned divisor = 100, place = 20; divisor > 0; divisor /= 10, ++place) {
    time_text_[place] = static_cast<char>('0' + milliseconds / divisor % 10);
  }
  return time_text_;
}

void IoThread::NewRequestId(std::string& id) {
  static constexpr char kDigits[] = "0123456789abcdef";
  // An odd step visits all numbers before it repeats one.
  next_id_ += 0x9e3779b97f4a7c15ULL;
  id.resize(16);
  for (std::size_t i = 0; i < 16; ++i) {
    id[i] = kDigits[(next_id_ >> (60 - 4 * i)) & 15U];
  }
}

void IoThread::Log(const AccessRecord& record) {
  if (!edge_.access_log.Enabled()) {
    return;
  }
  AppendAccessLine(log_lines_, record);
  if (log_lines_.size() >= kLogBlockBytes) {
    edge_.access_log.Write(log_lines_);
  }
}

Awaitable<void> IoThread::SweepForever() {
  for (;;) {
    timer_.expires_after(kSweepEvery);
    const auto [error] = co_await timer_.async_wait(kToken);
    if (error) {
      co_return;
    }
    // Without further sweeps nobody would be timed out any more.
    Outlived([&] { Sweep(std::chrono::steady_clock::now()); });
  }
}

namespace {

using Interruption = LiveConnection::Interruption;

/// Whether whoever listens may go on is asked only with `look_until`: by when an answer is wanted.
Interruption WhatIsDue(const LiveConnection& connection, SteadyInstant now,
                       const std::optional<SteadyInstant>& look_until) {
  if (look_until && !connection.admittance->StillHolds(*look_until)) {
    return Interruption::kDismiss;
  }
  if (connection.deadline <= now) {
    return Interruption::kTimeout;
  }
  return connection.CanShrink(now) ? Interruption::kShrink : Interruption::kNone;
}

/// The connection may be gone afterwards.
void Interrupt(LiveConnection& connection, Interruption due) {
  if (due == Interruption::kDismiss) {
    connection.admittance.reset();
  }
  if (due != Interruption::kNone) {
    connection.Interrupt(due);
  }
}

}  // namespace

void IoThread::Sweep(SteadyInstant now) {
  const SteadyInstant looks_end = now + kTimeForLooks;
  ConnectionList seen;
  ConnectionList unseen;
  std::size_t shrunk = 0;
  while (!connections_.empty()) {
    LiveConnection& connection = connections_.front();
    connections_.pop_front();
    std::optional<SteadyInstant> look_until;
    if (connection.admittance && std::chrono::steady_clock::now() < looks_end) {
      look_until = looks_end;
    }
    (connection.admittance && !look_until ? unseen : seen).push_back(connection);
    // One that throws must not hide those behind it.
    Outlived([&] {
      const Interruption due = WhatIsDue(connection, now, look_until);
      shrunk += due == Interruption::kShrink ? 1 : 0;
      Interrupt(connection, due);
    });
  }
  // Whom there was no time to look at is looked at first the next time.
  connections_.splice(connections_.end(), unseen);
  connections_.splice(connections_.end(), seen);
  if (shrunk >= kTrimAfter) {
    asio::post(context_, [] { ::malloc_trim(0); });
  }
  edge_.access_log.Write(log_lines_);
  if (index_ == 0 && ++sweeps_ % kLimiterSweeps == 0) {
    edge_.limiter.Sweep(now);
  }
}

}  // namespace atrium::http

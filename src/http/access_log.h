// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace atrium::http {

/// What is said of one exchange. Holds no query, no header but the agent, and for paths with a
/// secret in them only the pattern: a log must not let its reader in.
struct AccessRecord {
  /// RFC 3339.
  std::string_view time;
  std::string_view request_id;
  std::string_view client;
  std::string_view method;
  std::string_view path;
  std::string_view route;
  std::string_view agent;
  int status = 0;
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  std::chrono::microseconds duration{0};
};

/// Appends the record as one line of JSON.
void AppendAccessLine(std::string& out, const AccessRecord& record);

/// Writes blocks of lines to a descriptor on a thread of its own: a full pipe or a slow disk never
/// holds an I/O thread. When the reader falls 16 MiB behind, blocks are dropped and counted.
class AccessLog {
 public:
  /// Does not own `descriptor`; -1 makes a log that keeps nothing.
  explicit AccessLog(int descriptor);
  /// Writes out what is left.
  ~AccessLog();
  AccessLog(const AccessLog&) = delete;
  AccessLog& operator=(const AccessLog&) = delete;

  bool Enabled() const { return descriptor_ >= 0; }
  /// Takes whole lines and leaves `lines` empty, its capacity kept.
  void Write(std::string& lines);
  std::uint64_t DroppedBytes() const { return dropped_.load(std::memory_order_relaxed); }

 private:
  void Run(const std::stop_token& stop);

  const int descriptor_;
  std::mutex mutex_;
  std::condition_variable_any ready_;
  std::string pending_;  // Guarded by mutex_.
  std::atomic<std::uint64_t> dropped_{0};
  std::jthread thread_;
};

}  // namespace atrium::http

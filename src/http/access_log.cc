// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/access_log.h"

#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <utility>

#include "base/json_text.h"

namespace atrium::http {
namespace {

constexpr std::size_t kPendingBytesMax = std::size_t{16} << 20;
constexpr std::size_t kAgentBytesMax = 200;

void AppendText(std::string& out, std::string_view name, std::string_view text) {
  out.append(",\"").append(name).append("\":");
  AppendJsonString(out, text);
}

void AppendNumber(std::string& out, std::string_view name, std::int64_t number) {
  char digits[24];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
  out.append(",\"").append(name).append("\":").append(digits, end);
}

void WriteAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return;  // A log that cannot be written is no reason to stop serving.
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

void AppendAccessLine(std::string& out, const AccessRecord& record) {
  out.append(R"({"time":")").append(record.time).append("\"");
  AppendText(out, "request_id", record.request_id);
  AppendText(out, "client", record.client);
  AppendText(out, "method", record.method);
  AppendText(out, "path", record.path);
  AppendText(out, "route", record.route);
  AppendNumber(out, "status", record.status);
  AppendNumber(out, "bytes_in", static_cast<std::int64_t>(record.bytes_in));
  AppendNumber(out, "bytes_out", static_cast<std::int64_t>(record.bytes_out));
  AppendNumber(out, "duration_us", record.duration.count());
  AppendText(out, "agent", record.agent.substr(0, kAgentBytesMax));
  out.append("}\n");
}

AccessLog::AccessLog(int descriptor) : descriptor_(descriptor) {
  if (Enabled()) {
    thread_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
  }
}

AccessLog::~AccessLog() = default;

void AccessLog::Write(std::string& lines) {
  if (!Enabled() || lines.empty()) {
    lines.clear();
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    if (pending_.size() + lines.size() > kPendingBytesMax) {
      dropped_.fetch_add(lines.size(), std::memory_order_relaxed);
    } else {
      pending_.append(lines);
    }
  }
  lines.clear();
  ready_.notify_one();
}

void AccessLog::Run(const std::stop_token& stop) {
  std::string writing;
  while (!stop.stop_requested()) {
    {
      std::unique_lock lock(mutex_);
      ready_.wait(lock, stop, [this] { return !pending_.empty(); });
      std::swap(writing, pending_);
    }
    WriteAll(descriptor_, writing);
    writing.clear();
  }
  const std::lock_guard lock(mutex_);
  WriteAll(descriptor_, pending_);
}

}  // namespace atrium::http

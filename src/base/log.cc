// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>

#include "base/instant.h"
#include "base/json_text.h"

namespace atrium::log {
namespace {

std::string_view Name(Level level) {
  switch (level) {
    case Level::kDebug:
      return "debug";
    case Level::kInfo:
      return "info";
    case Level::kWarn:
      return "warn";
    case Level::kError:
      return "error";
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

spdlog::level::level_enum SpdlogLevel(Level level) {
  switch (level) {
    case Level::kDebug:
      return spdlog::level::debug;
    case Level::kInfo:
      return spdlog::level::info;
    case Level::kWarn:
      return spdlog::level::warn;
    case Level::kError:
      return spdlog::level::err;
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

class FunctionSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit FunctionSink(std::function<void(std::string_view)> function)
      : function_(std::move(function)) {}

 private:
  // NOLINTBEGIN(readability-identifier-naming): spdlog's names.
  void sink_it_(const spdlog::details::log_msg& line) override {
    function_({line.payload.data(), line.payload.size()});
  }
  void flush_() override {}
  // NOLINTEND(readability-identifier-naming)

  std::function<void(std::string_view)> function_;
};

struct Target {
  Format format;
  std::shared_ptr<spdlog::logger> logger;
};

std::shared_ptr<const Target> MakeTarget(Settings settings) {
  spdlog::sink_ptr sink;
  if (settings.sink) {
    sink = std::make_shared<FunctionSink>(std::move(settings.sink));
  } else {
    sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  }
  auto logger = std::make_shared<spdlog::logger>("atrium", std::move(sink));
  // Lines come ready-made, so that time, order and escaping are ours in both formats.
  logger->set_formatter(std::make_unique<spdlog::pattern_formatter>("%v"));
  logger->set_level(SpdlogLevel(settings.level));
  logger->flush_on(spdlog::level::err);
  return std::make_shared<const Target>(settings.format, std::move(logger));
}

class Shared {
 public:
  std::shared_ptr<const Target> Get() {
    const std::scoped_lock lock(mutex_);
    return target_;
  }

  void Set(Level level, std::shared_ptr<const Target> target) {
    const std::scoped_lock lock(mutex_);
    level_ = level;
    target_ = std::move(target);
  }

  bool Wants(Level level) const { return level >= level_.load(std::memory_order_relaxed); }

 private:
  std::atomic<Level> level_ = Level::kInfo;
  std::mutex mutex_;
  // Guarded by mutex_.
  std::shared_ptr<const Target> target_ = MakeTarget({});
};

/// Never destroyed: whoever logs from a last destructor still finds it.
Shared& TheShared() {
  static Shared& shared = *new Shared;
  return shared;
}

/// Whether `text` stands in a line of words without being mistaken for two of them.
bool IsOneWord(std::string_view text) {
  const auto safe = [](char c) {
    return c > ' ' && c != '"' && c != '=' && c != '\\' && c != 0x7f;
  };
  return !text.empty() && std::ranges::all_of(text, safe);
}

/// A message may hold spaces, but nothing that starts a line or moves a terminal's cursor.
bool IsOneLine(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= ' ' && c != 0x7f; });
}

}  // namespace

/// Makes one line.
class LineWriter {
 public:
  static std::string Json(Level level, std::string_view message, Fields fields) {
    std::string line = "{\"time\":\"" + Now() + "\",\"level\":\"";
    line.append(Name(level)).append("\",\"message\":");
    AppendJsonString(line, message);
    for (const Field& field : fields) {
      line += ',';
      AppendJsonString(line, field.name);
      line += ':';
      AppendValue(line, field.value, [&](std::string_view text) { AppendJsonString(line, text); });
    }
    line += '}';
    return line;
  }

  static std::string Text(Level level, std::string_view message, Fields fields) {
    std::string line = Now() + ' ';
    line.append(Name(level)).append(6 - Name(level).size(), ' ');
    AppendPlain(line, message, IsOneLine(message));
    for (const Field& field : fields) {
      line.append(" ").append(field.name).append("=");
      AppendValue(line, field.value,
                  [&](std::string_view text) { AppendPlain(line, text, IsOneWord(text)); });
    }
    return line;
  }

 private:
  static std::string Now() {
    return RenderInstant(
        std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()));
  }

  static void AppendPlain(std::string& line, std::string_view text, bool plain) {
    if (plain) {
      line += text;
    } else {
      AppendJsonString(line, text);
    }
  }

  template <typename AppendText>
  static void AppendValue(std::string& line, const Value& value, AppendText append_text) {
    const auto append = [&]<typename T>(T held) {
      if constexpr (std::is_same_v<T, std::string_view>) {
        append_text(held);
      } else if constexpr (std::is_same_v<T, bool>) {
        line += held ? "true" : "false";
      } else {
        AppendJsonNumber(line, held);
      }
    };
    std::visit(append, value.value_);
  }
};

void Configure(Settings settings) {
  const Level level = settings.level;
  TheShared().Set(level, MakeTarget(std::move(settings)));
}

bool Enabled(Level level) {
  return TheShared().Wants(level);
}

void Write(Level level, std::string_view message, Fields fields) noexcept {
  try {
    if (!TheShared().Wants(level)) {
      return;
    }
    const std::shared_ptr<const Target> target = TheShared().Get();
    const std::string line = target->format == Format::kJson
                                 ? LineWriter::Json(level, message, fields)
                                 : LineWriter::Text(level, message, fields);
    target->logger->log(SpdlogLevel(level), spdlog::string_view_t(line));
    // NOLINTNEXTLINE(bugprone-empty-catch): a log that cannot be written has nowhere to say so.
  } catch (...) {
  }
}

}  // namespace atrium::log

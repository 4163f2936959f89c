// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string_view>
#include <variant>

/// The application's log: events with named fields, one line each.
///
///   log::Info("listening", {{"address", "127.0.0.1:8080"}, {"threads", 4}});
///
/// May be called from any thread, before Configure too, and never throws: a line that cannot be
/// written is lost. Secrets and personal texts do not belong here.
namespace atrium::log {

enum class Level : std::uint8_t { kDebug, kInfo, kWarn, kError };

enum class Format : std::uint8_t {
  kJson,  ///< {"time":"2026-11-15T22:34:00.123Z","level":"info","message":"listening",...}
  kText,  ///< 2026-11-15T22:34:00.123Z info  listening address=127.0.0.1:8080
};

struct Settings {
  Format format = Format::kJson;
  Level level = Level::kInfo;  ///< Lines below it are dropped.
  /// Gets each line without its end, one at a time. Empty: lines go to standard error.
  std::function<void(std::string_view line)> sink{};
};

/// Replaces the settings. Lines being written by other threads end under the old ones.
void Configure(Settings settings);

/// Whether a line of this level would be written; saves the making of costly fields.
bool Enabled(Level level);

/// A string, an integer or a boolean. Only a view of a string: made and used in one expression.
class Value {
 public:
  // NOLINTBEGIN(google-explicit-constructor): a field is written as {"name", value}.
  template <std::convertible_to<std::string_view> Text>
  Value(const Text& text) : value_(std::string_view(text)) {}
  Value(bool truth) : value_(truth) {}
  template <std::signed_integral Integer>
  Value(Integer number) : value_(std::int64_t{number}) {}
  template <std::unsigned_integral Integer>
    requires(!std::same_as<Integer, bool>)
  Value(Integer number) : value_(std::uint64_t{number}) {}
  // NOLINTEND(google-explicit-constructor)

 private:
  friend class LineWriter;
  std::variant<std::string_view, bool, std::int64_t, std::uint64_t> value_;
};

/// Names are lower snake case, and not "time", "level" or "message".
struct Field {
  Field(std::string_view its_name, Value its_value) : name(its_name), value(its_value) {}

  std::string_view name;
  Value value;
};

using Fields = std::initializer_list<Field>;

/// The message is a constant phrase; what varies goes into the fields.
void Write(Level level, std::string_view message, Fields fields = {}) noexcept;

inline void Debug(std::string_view message, Fields fields = {}) noexcept {
  Write(Level::kDebug, message, fields);
}
inline void Info(std::string_view message, Fields fields = {}) noexcept {
  Write(Level::kInfo, message, fields);
}
inline void Warn(std::string_view message, Fields fields = {}) noexcept {
  Write(Level::kWarn, message, fields);
}
/// Also flushes: what led to a failure is on the disk even if the process ends next.
inline void Error(std::string_view message, Fields fields = {}) noexcept {
  Write(Level::kError, message, fields);
}

}  // namespace atrium::log

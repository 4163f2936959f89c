// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

namespace atrium::http {

/// Whether a body comes fast enough. What counts is the time in which the server waits for the
/// client, and no other: a client is not slow because the server is.
///
/// Each stretch of time has to bring its bytes. An average over all would let a client that was
/// fast at first go on for hours with next to nothing, and hold what it has sent.
class BodyPace {
 public:
  struct Limits {
    /// How long a stretch is, at least.
    std::chrono::milliseconds stretch{};
    /// Zero asks for none.
    std::size_t bytes_per_second_min = 0;
    /// For the whole body; nullopt for any.
    std::optional<std::chrono::milliseconds> time_max{};
  };

  BodyPace() = default;
  explicit BodyPace(const Limits& limits) : limits_(limits) {}

  /// So many bytes came after so long a wait. False when that is too slow.
  [[nodiscard]] bool Keeps(std::size_t bytes, std::chrono::nanoseconds waited);

 private:
  Limits limits_;
  std::chrono::nanoseconds waited_{};
  std::chrono::nanoseconds stretch_waited_{};
  std::size_t stretch_bytes_ = 0;
};

}  // namespace atrium::http

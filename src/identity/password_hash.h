// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>

#include "base/result.h"

namespace atrium::identity {

/// What a password costs to check, and how many may be checked at once.
struct HasherOptions {
  /// Argon2id's own three. New hashes carry them; old hashes keep theirs until they are replaced.
  std::uint32_t memory_kib = 19456;
  std::uint32_t iterations = 2;
  std::uint32_t lanes = 1;
  /// Hashing uses at most parallel_max * memory_kib.
  std::size_t parallel_max = 2;
  /// How many callers may stand in line, and for how long, before they are sent away.
  std::size_t waiting_max = 16;
  std::chrono::milliseconds wait = std::chrono::seconds(5);
};

enum class PasswordMatch : std::uint8_t {
  kNo,
  kYes,
  kYesButOld,  ///< Right, but hashed with other parameters than today's: hash it again.
};

/// The line in front of the hasher: so many at work, so many waiting, everybody else is refused.
/// Any thread.
class HashTurns {
 public:
  /// Leaves when it is destroyed. The line outlives it.
  class Turn {
   public:
    explicit Turn(HashTurns& line) : line_(&line) {}
    Turn(Turn&& other) noexcept;
    Turn& operator=(Turn&&) = delete;
    ~Turn();

   private:
    HashTurns* line_;
  };

  explicit HashTurns(const HasherOptions& options);

  /// Blocks for at most the options' wait. kUnavailable, with retry_after, when the line is full or
  /// did not move in time.
  Result<Turn> Take();

  /// How many stand in line now.
  std::size_t Waiting() const;

 private:
  void Leave();

  const std::size_t parallel_max_;
  const std::size_t waiting_max_;
  const std::chrono::milliseconds wait_;
  mutable std::mutex mutex_;
  std::condition_variable freed_;
  // Guarded by mutex_.
  std::size_t working_ = 0;
  std::size_t waiting_ = 0;
};

/// Makes and checks password hashes: Argon2id (RFC 9106) in the PHC text form
///
///   $argon2id$v=19$m=19456,t=2,p=1$<salt, 16 bytes>$<tag, 32 bytes>
///
/// Each call blocks for tens of milliseconds and takes memory_kib while it works, so calls belong
/// on a worker. All of them answer kUnavailable, with retry_after, when too many are under way.
/// What a new password must look like is CheckNewPassword's business. Any thread.
class PasswordHasher {
 public:
  /// The options lie within 8 * lanes to kMemoryKibMax, 1 to kIterationsMax, 1 to kLanesMax and at
  /// least one at a time; anything else is a mistake of ours and ends the process.
  explicit PasswordHasher(const HasherOptions& options = {});

  /// A new salt each time: one password has many hashes.
  Result<std::string> Hash(std::string_view password);

  /// kCorrupt when `encoded` is no hash of the form above, or asks for more than the maxima.
  Result<PasswordMatch> Verify(std::string_view password, std::string_view encoded);

  /// Spends what Verify spends, for accounts that do not exist or have no password, so that the
  /// time of an answer does not tell.
  Result<void> VerifyAgainstNobody(std::string_view password);

  static constexpr std::uint32_t kMemoryKibMax = std::uint32_t{256} * 1024;
  static constexpr std::uint32_t kIterationsMax = 64;
  static constexpr std::uint32_t kLanesMax = 16;

 private:
  const HasherOptions options_;
  HashTurns turns_;
};

}  // namespace atrium::identity

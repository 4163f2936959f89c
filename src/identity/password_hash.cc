// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/password_hash.h"

#include <argon2.h>
#include <openssl/crypto.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <mutex>
#include <optional>
#include <source_location>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/check.h"
#include "base/error.h"
#include "base/random.h"
#include "base/result.h"

namespace atrium::identity {
namespace {

constexpr std::size_t kSaltBytes = 16;
constexpr std::size_t kTagBytes = 32;
constexpr std::chrono::seconds kRetryAfter{5};
constexpr std::uint32_t kMemoryKibMinPerLane = 8;  // RFC 9106 §3.1.

using Salt = std::array<std::byte, kSaltBytes>;

/// What a hash costs.
struct Cost {
  std::uint32_t memory_kib = 0;
  std::uint32_t iterations = 0;
  std::uint32_t lanes = 0;

  friend bool operator==(const Cost&, const Cost&) = default;
};

Cost CostOf(const HasherOptions& options) {
  return {
      .memory_kib = options.memory_kib, .iterations = options.iterations, .lanes = options.lanes};
}

bool IsAffordable(const Cost& cost) {
  return 1 <= cost.lanes && cost.lanes <= PasswordHasher::kLanesMax && 1 <= cost.iterations &&
         cost.iterations <= PasswordHasher::kIterationsMax &&
         kMemoryKibMinPerLane * cost.lanes <= cost.memory_kib &&
         cost.memory_kib <= PasswordHasher::kMemoryKibMax;
}

std::unexpected<Error> Busy(std::string detail) {
  return std::unexpected(Error{.code = ErrorCode::kUnavailable,
                               .detail = std::move(detail),
                               .client_message = {},
                               .retry_after = kRetryAfter,
                               .where = std::source_location::current()});
}

/// The library's own failures. Running out of memory or threads passes.
std::unexpected<Error> Failed(int code) {
  std::string detail = std::string("argon2: ") + argon2_error_message(code);
  if (code == ARGON2_MEMORY_ALLOCATION_ERROR || code == ARGON2_THREAD_FAIL) {
    return Busy(std::move(detail));
  }
  return FailPrivately(ErrorCode::kInternal, std::move(detail));
}

std::unexpected<Error> Malformed(std::string_view why) {
  return FailPrivately(ErrorCode::kCorrupt, "stored password hash: " + std::string(why));
}

bool Skip(std::string_view& rest, std::string_view expected) {
  if (!rest.starts_with(expected)) {
    return false;
  }
  rest.remove_prefix(expected.size());
  return true;
}

bool ReadNumber(std::string_view& rest, std::uint32_t& number) {
  const auto [end, failure] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (failure != std::errc()) {
    return false;
  }
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  return true;
}

/// The cost that a hash names. Salt and tag are left to the library.
std::optional<Cost> ReadCost(std::string_view encoded) {
  Cost cost;
  const bool read = Skip(encoded, "$argon2id$v=19$m=") && ReadNumber(encoded, cost.memory_kib) &&
                    Skip(encoded, ",t=") && ReadNumber(encoded, cost.iterations) &&
                    Skip(encoded, ",p=") && ReadNumber(encoded, cost.lanes) && Skip(encoded, "$");
  return read && !encoded.contains('\0') ? std::optional(cost) : std::nullopt;
}

}  // namespace

HashTurns::Turn::Turn(Turn&& other) noexcept : line_(std::exchange(other.line_, nullptr)) {}

HashTurns::Turn::~Turn() {
  if (line_ != nullptr) {
    line_->Leave();
  }
}

HashTurns::HashTurns(const HasherOptions& options)
    : parallel_max_(options.parallel_max), waiting_max_(options.waiting_max), wait_(options.wait) {
  Check(parallel_max_ > 0, "at least one password is hashed at a time");
}

Result<HashTurns::Turn> HashTurns::Take() {
  std::unique_lock lock(mutex_);
  if (working_ >= parallel_max_) {
    if (waiting_ >= waiting_max_) {
      return Busy("too many callers wait for the password hasher");
    }
    ++waiting_;
    const bool free = freed_.wait_for(lock, wait_, [this] { return working_ < parallel_max_; });
    --waiting_;
    if (!free) {
      return Busy("the password hasher had no turn in time");
    }
  }
  ++working_;
  return Turn(*this);
}

std::size_t HashTurns::Waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_;
}

void HashTurns::Leave() {
  {
    const std::lock_guard lock(mutex_);
    --working_;
  }
  freed_.notify_one();
}

PasswordHasher::PasswordHasher(const HasherOptions& options) : options_(options), turns_(options) {
  Check(IsAffordable(CostOf(options)), "the cost of a password hash lies within its bounds");
}

Result<std::string> PasswordHasher::Hash(std::string_view password) {
  ASSIGN_OR_RETURN(const HashTurns::Turn turn, turns_.Take());
  Salt salt{};
  FillRandom(salt);
  // The library counts the zero byte that ends the text.
  std::string encoded(argon2_encodedlen(options_.iterations, options_.memory_kib, options_.lanes,
                                        kSaltBytes, kTagBytes, Argon2_id),
                      '\0');
  const int code = argon2id_hash_encoded(options_.iterations, options_.memory_kib, options_.lanes,
                                         password.data(), password.size(), salt.data(), salt.size(),
                                         kTagBytes, encoded.data(), encoded.size());
  OPENSSL_cleanse(salt.data(), salt.size());
  if (code != ARGON2_OK) {
    return Failed(code);
  }
  encoded.resize(encoded.find('\0'));
  return encoded;
}

Result<PasswordMatch> PasswordHasher::Verify(std::string_view password, std::string_view encoded) {
  const std::optional<Cost> cost = ReadCost(encoded);
  if (!cost) {
    return Malformed("not an Argon2id hash");
  }
  if (!IsAffordable(*cost)) {
    return Malformed("it asks for more than is ever spent");
  }
  ASSIGN_OR_RETURN(const HashTurns::Turn turn, turns_.Take());
  std::string terminated(encoded);
  const int code = argon2id_verify(terminated.c_str(), password.data(), password.size());
  OPENSSL_cleanse(terminated.data(), terminated.size());
  if (code == ARGON2_VERIFY_MISMATCH) {
    return PasswordMatch::kNo;
  }
  if (code == ARGON2_MEMORY_ALLOCATION_ERROR || code == ARGON2_THREAD_FAIL) {
    return Failed(code);
  }
  if (code != ARGON2_OK) {
    return Malformed(argon2_error_message(code));
  }
  return *cost == CostOf(options_) ? PasswordMatch::kYes : PasswordMatch::kYesButOld;
}

Result<void> PasswordHasher::VerifyAgainstNobody(std::string_view password) {
  ASSIGN_OR_RETURN(const HashTurns::Turn turn, turns_.Take());
  // The time depends on neither the salt nor the tag.
  const Salt salt{};
  std::array<std::byte, kTagBytes> tag{};
  const int code =
      argon2id_hash_raw(options_.iterations, options_.memory_kib, options_.lanes, password.data(),
                        password.size(), salt.data(), salt.size(), tag.data(), tag.size());
  OPENSSL_cleanse(tag.data(), tag.size());
  if (code != ARGON2_OK) {
    return Failed(code);
  }
  return {};
}

}  // namespace atrium::identity

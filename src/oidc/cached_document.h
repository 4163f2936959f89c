// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "base/error.h"
#include "base/result.h"

namespace atrium::oidc {

/// A document of somebody else's, remembered for an hour.
///
/// When it cannot be fetched again, the old one is used on for a day, with a new attempt each
/// minute; when there is no old one, the failure itself is remembered for ten seconds, so that a
/// provider that hangs does not hold one worker after the other. One thread fetches; the others use
/// the old document meanwhile, and wait only when there is none. Any thread.
template <typename T>
class CachedDocument {
 public:
  using Document = std::shared_ptr<const T>;
  using Fetch = std::function<Result<T>()>;

  static constexpr std::chrono::hours kFresh{1};
  static constexpr std::chrono::hours kUsable{24};
  static constexpr std::chrono::minutes kRetryPause{1};
  static constexpr std::chrono::seconds kFailurePause{10};
  static constexpr std::chrono::minutes kRenewalPause{1};

  Result<Document> Get(const Clock& clock, const Fetch& fetch) {
    if (std::optional<Result<Document>> known = Known(clock.Steady())) {
      return *std::move(known);
    }
    std::unique_lock fetching(fetching_, std::try_to_lock);
    if (!fetching) {
      if (Document old = Usable(clock.Steady())) {
        return old;
      }
      fetching.lock();
      // Whoever held the lock has fetched it, or failed to.
      if (std::optional<Result<Document>> known = Known(clock.Steady())) {
        return *std::move(known);
      }
    }
    return FetchNow(clock, fetch);
  }

  /// A document fetched after `old`, which turned out to lack something; `old` itself when there
  /// was such a renewal less than a minute ago, or when this one fails. Whoever makes up key ids
  /// therefore causes one request a minute.
  Document Renew(const Document& old, const Clock& clock, const Fetch& fetch) {
    const std::lock_guard fetching(fetching_);
    {
      const std::lock_guard lock(mutex_);
      if (document_ && document_ != old) {
        return document_;
      }
      const SteadyInstant now = clock.Steady();
      if (renewed_at_ && now < *renewed_at_ + kRenewalPause) {
        return old;
      }
      renewed_at_ = now;
    }
    return FetchNow(clock, fetch).value_or(old);
  }

 private:
  /// What can be answered without fetching.
  std::optional<Result<Document>> Known(SteadyInstant now) {
    const std::lock_guard lock(mutex_);
    if (document_ && now < fetched_at_ + kFresh) {
      return document_;
    }
    const bool usable = document_ && now < fetched_at_ + kUsable;
    if (!failure_ || now >= failed_at_ + (usable ? kRetryPause : kFailurePause)) {
      return std::nullopt;
    }
    return usable ? Result<Document>(document_) : std::unexpected(*failure_);
  }

  /// Null when there is none, or none that may still be used.
  Document Usable(SteadyInstant now) {
    const std::lock_guard lock(mutex_);
    return document_ && now < fetched_at_ + kUsable ? document_ : nullptr;
  }

  /// Under fetching_, and without mutex_ while it waits for the other side.
  Result<Document> FetchNow(const Clock& clock, const Fetch& fetch) {
    Result<T> fetched = fetch();
    const SteadyInstant now = clock.Steady();
    if (fetched) {
      const std::lock_guard lock(mutex_);
      document_ = std::make_shared<const T>(*std::move(fetched));
      fetched_at_ = now;
      failure_.reset();
      return document_;
    }
    {
      const std::lock_guard lock(mutex_);
      failure_ = fetched.error();
      failed_at_ = now;
    }
    if (Document old = Usable(now)) {
      return old;
    }
    return std::unexpected(std::move(fetched).error());
  }

  /// Held by the one who fetches; taken before mutex_.
  std::mutex fetching_;
  std::mutex mutex_;
  // Guarded by mutex_.
  Document document_;
  SteadyInstant fetched_at_{};
  std::optional<Error> failure_;
  SteadyInstant failed_at_{};
  std::optional<SteadyInstant> renewed_at_;
};

}  // namespace atrium::oidc

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stop_token>

#include "base/result.h"
#include "files/people.h"
#include "files/records.h"
#include "files/verification.h"
#include "store/ground.h"

namespace atrium::files {

/// Looks at what people and organisations are counted to store: whether it is what their libraries
/// hold, with blocks that no state names yet. What changes meanwhile is passed over. One thread.
class SpaceVerification {
 public:
  /// All outlive it.
  SpaceVerification(const store::Ground& ground, const People& people,
                    const VerificationOptions& options)
      : ground_(ground), people_(people), options_(options) {}

  /// Adds to `seen`.
  Result<void> Run(Verification& seen, const std::stop_token& stop);

 private:
  struct Counted {
    std::int64_t bytes = 0;
    std::optional<store::Version> version{};

    friend bool operator==(const Counted&, const Counted&) = default;
  };

  Result<void> AddUp(const std::stop_token& stop);
  Result<void> ReadCounters();
  Result<Counted> ReadCounter(const UserId& user) const;
  Result<void> ComparePerson(const UserId& user, const Counted& counted, Verification& seen);
  Result<void> CompareOrg(const OrgId& org, std::int64_t before, Verification& seen);
  Result<bool> Correct(store::Batch batch) const;

  const store::Ground ground_;
  const People& people_;
  const VerificationOptions& options_;
  const store::OpContext op_ = store::OpContext::ForWork("files.verify");
  std::map<UserId, Counted> people_counted_{};
  std::map<OrgId, std::int64_t> orgs_counted_{};
  std::map<UserId, std::int64_t> people_hold_{};
  std::map<OrgId, std::int64_t> orgs_hold_{};
};

}  // namespace atrium::files

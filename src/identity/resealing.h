// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"
#include "base/sealed_box.h"
#include "identity/ground.h"
#include "jobs/job.h"
#include "store/collection.h"
#include "store/op_context.h"
#include "store/record.h"

namespace atrium::identity {

/// Texts that the keys of the server have sealed.
struct SealedTexts {
  std::size_t all = 0;
  /// Opened by an earlier key alone.
  std::size_t old = 0;
  /// Opened by no key that is configured.
  std::size_t lost = 0;

  friend bool operator==(const SealedTexts&, const SealedTexts&) = default;
};

/// Seals anew what an earlier secret of the server has sealed, so that the secret can go: second
/// factors, and what the server is called by at providers. What no key opens stays as it is, and is
/// counted. Any thread; `box` outlives it.
class Resealing {
 public:
  Resealing(const Ground& ground, const SealedBox& box) : ground_(ground), box_(box) {}

  /// Reads everything that is sealed and counts.
  Result<SealedTexts> Count(const store::OpContext& op) const;
  /// Seals anew what is old, one commit for each record, and answers what it found. Looks at
  /// nothing when there is no earlier key. Stops early when it is asked to.
  Result<SealedTexts> Run(jobs::JobContext& context);

 private:
  template <typename T, typename Visit>
  Result<void> ForEach(const store::OpContext& op, const store::Collection<T>& collection,
                       const Visit& visit) const;
  template <typename T>
  Result<SealedTexts> CountIn(const store::OpContext& op,
                              const store::Collection<T>& collection) const;
  template <typename T>
  Result<void> ResealIn(jobs::JobContext& context, const store::Collection<T>& collection,
                        SealedTexts& found);
  template <typename T>
  Result<void> Reseal(const store::OpContext& op, const store::Collection<T>& collection,
                      const T& record);
  template <typename T>
  SealedTexts Look(T record) const;

  const Ground ground_;
  const SealedBox& box_;
};

inline constexpr std::string_view kResealJob = "identity.reseal";

/// That job, every hour. `resealing` outlives it.
jobs::JobSpec MakeResealJob(Resealing& resealing);

}  // namespace atrium::identity

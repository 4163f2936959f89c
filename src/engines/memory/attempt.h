// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "base/instant.h"
#include "base/result.h"
#include "engines/memory/engine.h"
#include "store/row.h"
#include "store/write_set.h"

namespace atrium::engines {

/// A row exists until the instant it expires.
inline bool Exists(const store::Row& row, Instant now) {
  return !row.expires_at || now < *row.expires_at;
}

/// A commit on trial: what the rows would be, beside what they are. Nothing happens to them before
/// ApplyTo().
class Attempt {
 public:
  /// When it happens.
  struct Moment {
    store::Version version{};
    Instant now{};
  };

  /// `before` outlives the attempt, and does not change until ApplyTo().
  Attempt(const MemoryEngine::Rows& before, Moment moment)
      : before_(before), now_(moment.now), receipt_{.version = moment.version} {}

  /// kConflict when an expectation does not hold, kLimitExceeded when a counter leaves its bounds.
  Result<void> Run(const store::WriteSet& writes);

  void ApplyTo(MemoryEngine::Rows& rows) const;

  const store::Receipt& GetReceipt() const { return receipt_; }

 private:
  using Place = MemoryEngine::Place;

  Result<void> Expect(const store::Mutation& mutation) const;

  Result<void> Do(const store::Put& put);
  Result<void> Do(const store::Erase& erase);
  Result<void> Do(const store::Add& add);
  Result<void> Do(const store::Check& check);
  Result<void> Do(const store::Append& append);

  /// The row as the mutations so far have left it.
  std::optional<store::Row> Find(const Place& place) const;
  void Write(const Place& place, store::Row row);

  const MemoryEngine::Rows& before_;
  Instant now_;
  /// What becomes of each row that was touched; nullopt: it is erased.
  std::map<Place, std::optional<store::Row>> after_{};
  store::Receipt receipt_;
};

}  // namespace atrium::engines

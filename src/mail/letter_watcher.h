// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "store/batch.h"
#include "store/op_context.h"

namespace atrium::mail {

/// What became of a letter, or of one attempt to send it.
enum class LetterFate : std::uint8_t {
  kHandedOver,  ///< The mail server has taken it. Whether it is ever read is not known.
  kPutOff,      ///< It was not taken, and will be tried again.
  kRefused,     ///< It will not be tried any more.
  kOutOfDate,   ///< It was not sent before it would have misled.
};

struct LetterOutcome {
  /// What the letter is about, as whoever queued it wrote it: "invitation:01J…/2".
  std::string about{};
  LetterFate fate = LetterFate::kHandedOver;
  /// The words of the mail server; empty when it took the letter.
  std::string reason{};
};

/// Whoever wants to know what became of letters about one kind of thing.
class LetterWatcher {
 public:
  LetterWatcher() = default;
  LetterWatcher(const LetterWatcher&) = delete;
  LetterWatcher& operator=(const LetterWatcher&) = delete;
  virtual ~LetterWatcher() = default;

  /// Adds what follows from the outcome to the commit that writes it down for the letter itself:
  /// one is never there without the other. Called again after a conflict. A failure is logged and
  /// keeps no letter from being concluded, since it would be sent again.
  virtual Result<void> AddOutcome(const store::OpContext& op, store::Batch& batch,
                                  const LetterOutcome& outcome) = 0;
};

}  // namespace atrium::mail

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "calendar/agenda.h"
#include "calendar/records.h"
#include "store/row.h"

namespace atrium::calendar {

/// An entry whose occurrences share its texts until they are rendered.
struct SharedEntry {
  /// Without recurrence, of which no occurrence shows more than its own override.
  Entry entry{};
  store::Version version{};
};

/// Something that may get into an agenda.
struct AgendaCandidate {
  AgendaPlace place{};
  Date first{};
  Date last{};
  /// Of something that comes once, as it is stored: rendered already.
  std::string json{};
  /// Of all else, with what this occurrence has for itself.
  std::shared_ptr<const SharedEntry> source{};
  std::unique_ptr<const Override> override{};
  /// What it takes when it is rendered, or a little more.
  std::size_t bytes = 0;
};

/// Chooses what comes first, as much as fits into a number of bytes, from candidates that come in
/// any order. Never has more than that in memory. Always takes one, however long it is.
class AgendaChoice {
 public:
  explicit AgendaChoice(const AgendaQuery& query)
      : after_(query.after), end_(query.before), bytes_max_(query.bytes_max) {}

  /// Whether a candidate of this place would be taken; to be asked before one is made.
  bool Wants(const AgendaPlace& place) const;
  void Add(AgendaCandidate candidate);

  /// Nothing from here on is wanted any more.
  const std::optional<AgendaPlace>& End() const { return end_; }
  /// Something did not fit.
  bool IsCut() const { return cut_.has_value(); }

  /// Renders what was chosen.
  AgendaPage Take() &&;

 private:
  const std::optional<AgendaPlace> after_;
  std::optional<AgendaPlace> end_;
  const std::size_t bytes_max_;
  /// The last one by place is at the front.
  std::vector<AgendaCandidate> heap_;
  std::size_t bytes_ = 0;
  std::optional<AgendaPlace> cut_;
};

}  // namespace atrium::calendar

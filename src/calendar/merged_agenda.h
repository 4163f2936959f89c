// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "calendar/agenda.h"

namespace atrium::calendar {

/// What takes place in several calendars, as much as fits into a number of bytes, from what takes
/// place in each of them. Never has more than twice that in memory.
class MergedAgenda {
 public:
  explicit MergedAgenda(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  void Add(std::shared_ptr<const AgendaPage> page);

  /// Nothing from here on is in it: calendars still to be added need not be read any further.
  const std::optional<AgendaPlace>& End() const { return end_; }
  /// Of all items, rendered.
  std::size_t Bytes() const { return bytes_; }
  /// By place. Live as long as this.
  const std::vector<const AgendaItem*>& Items();

 private:
  void Sort();
  void Shorten();
  /// Copies what is left, so that what was left out takes no memory.
  void Gather();

  const std::size_t bytes_max_;
  std::vector<std::shared_ptr<const AgendaPage>> parts_;
  std::vector<const AgendaItem*> items_;
  std::size_t bytes_ = 0;
  std::optional<AgendaPlace> end_;
  bool is_sorted_ = true;
};

}  // namespace atrium::calendar

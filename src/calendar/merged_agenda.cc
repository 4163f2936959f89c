// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/merged_agenda.h"

#include <algorithm>
#include <utility>

namespace atrium::calendar {

void MergedAgenda::Add(std::shared_ptr<const AgendaPage> page) {
  is_sorted_ = items_.empty();
  for (const AgendaItem& item : page->items) {
    items_.push_back(&item);
  }
  bytes_ += page->bytes;
  const bool ends_earlier = page->cut && (!end_ || *page->cut < *end_);
  if (ends_earlier) {
    end_ = page->cut;
  }
  // A page that was read without regard to the others may go on where one of them was cut off.
  const bool goes_beyond = end_ && !page->items.empty() && *end_ <= page->items.back().place;
  parts_.push_back(std::move(page));
  if (bytes_ > bytes_max_ || goes_beyond || (ends_earlier && parts_.size() > 1)) {
    Shorten();
  }
}

const std::vector<const AgendaItem*>& MergedAgenda::Items() {
  Sort();
  return items_;
}

void MergedAgenda::Sort() {
  if (!is_sorted_) {
    std::ranges::sort(items_, {}, [](const AgendaItem* item) { return item->place; });
    is_sorted_ = true;
  }
}

void MergedAgenda::Shorten() {
  Sort();
  const std::size_t before = items_.size();
  const auto is_too_much = [this] {
    const AgendaPlace& last = items_.back()->place;
    return (end_ && *end_ <= last) || (bytes_ > bytes_max_ && items_.size() > 1);
  };
  while (!items_.empty() && is_too_much()) {
    const AgendaItem& last = *items_.back();
    end_ = end_ ? std::min(*end_, last.place) : last.place;
    bytes_ -= last.json.size();
    items_.pop_back();
  }
  if (items_.size() < before) {
    Gather();
  }
}

void MergedAgenda::Gather() {
  auto left = std::make_shared<AgendaPage>();
  left->items.reserve(items_.size());
  for (const AgendaItem* item : items_) {
    left->items.push_back(*item);
  }
  items_.clear();
  for (const AgendaItem& item : left->items) {
    items_.push_back(&item);
  }
  parts_.assign(1, std::move(left));
}

}  // namespace atrium::calendar

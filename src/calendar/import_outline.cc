// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/import_outline.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace atrium::calendar {

using icalendar::FoundItem;

Result<ImportOutline> ImportOutline::Read(std::string_view text) {
  ASSIGN_OR_RETURN(icalendar::ItemReader reader, icalendar::ItemReader::Open(text));
  ImportOutline outline;
  while (std::optional<icalendar::Finding> finding = reader.Next()) {
    ++outline.size_;
    if (auto* found = std::get_if<FoundItem>(&*finding)) {
      outline.Note(std::move(*found));
    } else {
      outline.others_.insert(std::get<icalendar::Refusal>(*finding).uid);
    }
  }
  return outline;
}

void ImportOutline::Note(FoundItem found) {
  const icalendar::Item& item = found.item;
  if (!item.recurrence_id) {
    const Place place{.line = found.line, .sequence = item.sequence};
    const auto [at, is_new] = series_.emplace(item.uid, place);
    if (!is_new && at->second.sequence <= place.sequence) {
      at->second = place;
    }
    return;
  }
  others_.insert(item.uid);
  if (occurrence_count_ == kOccurrencesOfFile) {
    too_many_from_ = too_many_from_.value_or(found.line);
    return;
  }
  ++occurrence_count_;
  std::vector<FoundItem>& all = occurrences_[item.uid];
  all.push_back(std::move(found));
}

std::size_t ImportOutline::LineThatCounts(std::string_view uid) const {
  const auto found = series_.find(std::string(uid));
  return found == series_.end() ? 0 : found->second.line;
}

std::vector<FoundItem> ImportOutline::TakeOccurrences(const std::string& uid) {
  const auto found = occurrences_.find(uid);
  if (found == occurrences_.end()) {
    return {};
  }
  std::vector<FoundItem> items = std::move(found->second);
  occurrences_.erase(found);
  std::ranges::sort(items, {},
                    [](const FoundItem& one) { return std::pair(one.item.sequence, one.line); });
  return items;
}

std::vector<FoundItem> ImportOutline::TakeLeftOver() {
  if (occurrences_.empty()) {
    return {};
  }
  const std::string uid = occurrences_.begin()->first;
  return TakeOccurrences(uid);
}

bool ImportOutline::Names(std::string_view uid) const {
  return series_.contains(std::string(uid)) || others_.contains(uid);
}

}  // namespace atrium::calendar

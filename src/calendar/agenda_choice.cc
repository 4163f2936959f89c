// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/agenda_choice.h"

#include <algorithm>
#include <utility>

#include "base/json_write.h"
#include "calendar/occurrences.h"

namespace atrium::calendar {
namespace {

bool ComesBefore(const AgendaCandidate& a, const AgendaCandidate& b) {
  return a.place < b.place;
}

std::string Rendered(const AgendaCandidate& one) {
  const std::optional<LocalTime>& occurrence = one.place.occurrence;
  const SharedEntry& source = *one.source;
  std::string json =
      WithVersion(ToJson(WholeOf(source.entry, occurrence, one.override.get())), source.version);
  if (occurrence) {
    json.pop_back();
    json += R"(,"occurrence":")" + occurrence->Render() + "\"}";
  }
  return json;
}

}  // namespace

bool AgendaChoice::Wants(const AgendaPlace& place) const {
  return (!after_ || *after_ < place) && (!end_ || place < *end_);
}

void AgendaChoice::Add(AgendaCandidate candidate) {
  if (!Wants(candidate.place)) {
    return;
  }
  bytes_ += candidate.bytes;
  heap_.push_back(std::move(candidate));
  std::ranges::push_heap(heap_, ComesBefore);
  while (bytes_ > bytes_max_ && heap_.size() > 1) {
    std::ranges::pop_heap(heap_, ComesBefore);
    bytes_ -= heap_.back().bytes;
    cut_ = heap_.back().place;
    end_ = cut_;
    heap_.pop_back();
  }
}

AgendaPage AgendaChoice::Take() && {
  std::ranges::sort_heap(heap_, ComesBefore);
  AgendaPage page{.cut = cut_};
  page.items.reserve(heap_.size());
  for (AgendaCandidate& one : heap_) {
    std::string json = one.source ? Rendered(one) : std::move(one.json);
    one.source.reset();
    page.bytes += json.size();
    page.items.push_back(
        {.place = one.place, .first = one.first, .last = one.last, .json = std::move(json)});
  }
  return page;
}

}  // namespace atrium::calendar

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/import_outline.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

namespace atrium::calendar {

using icalendar::FoundItem;

namespace {

/// What a map has of an element besides it, and of a string besides its text.
constexpr std::size_t kBytesBesides = 64;

std::size_t BytesOf(std::string_view text) {
  return kBytesBesides + text.size();
}

template <typename Participant>
std::size_t BytesOfTexts(const Participant& one) {
  return one.address.size() + (one.name ? one.name->size() : 0);
}

std::size_t BytesOfPeople(const icalendar::Item& item) {
  std::size_t bytes = item.organizer ? BytesOfTexts(*item.organizer) : 0;
  for (const icalendar::Attendee& one : item.attendees) {
    bytes += sizeof(one) + BytesOfTexts(one);
  }
  return bytes;
}

std::size_t BytesOf(const FoundItem& found) {
  const icalendar::Item& item = found.item;
  std::size_t bytes = sizeof(found) + kBytesBesides + BytesOfPeople(item);
  for (const std::string* text :
       {&item.uid, &item.summary, &item.description, &item.location, &item.url, &item.rule}) {
    bytes += text->size();
  }
  for (const std::string& note : found.notes) {
    bytes += BytesOf(note);
  }
  return bytes + (item.additions.size() + item.exceptions.size()) * sizeof(almanac::LocalTime) +
         item.reminders.size() * sizeof(std::chrono::minutes);
}

}  // namespace

std::size_t OutlineBytesMax(std::size_t file_bytes) {
  constexpr std::size_t kFewest = std::size_t{256} << 10;
  // With the longest file half of the smallest budget, which is the most that can be taken at once.
  constexpr std::size_t kMost = std::size_t{64} << 20;
  constexpr std::size_t kTimesTheFile = 3;
  return std::clamp(kTimesTheFile * file_bytes, kFewest, kMost);
}

Result<ImportOutline> ImportOutline::Read(std::string_view text,
                                          const icalendar::ReadTerms& terms) {
  ASSIGN_OR_RETURN(icalendar::ItemReader reader, icalendar::ItemReader::Open(text, terms));
  ImportOutline outline;
  outline.bytes_max_ = OutlineBytesMax(text.size());
  while (std::optional<icalendar::Finding> finding = reader.Next()) {
    ++outline.size_;
    if (auto* found = std::get_if<FoundItem>(&*finding)) {
      outline.Note(std::move(*found));
    } else {
      outline.NoteOther(std::get<icalendar::Refusal>(*finding).uid);
    }
    if (outline.bytes_ > outline.bytes_max_) {
      return Fail(ErrorCode::kLimitExceeded,
                  "the file has too many entries for one: bring it in as several");
    }
  }
  outline.zones_ = reader.Zones();
  return outline;
}

void ImportOutline::Note(FoundItem found) {
  if (!found.item.recurrence_id) {
    NoteSeries(found);
    return;
  }
  NoteOther(found.item.uid);
  // The last quarter is for UIDs, without which nothing of the file can be brought in.
  const std::size_t bytes = bytes_ + BytesOf(found);
  if (occurrence_count_ == kOccurrencesOfFile || bytes > bytes_max_ / 4 * 3) {
    too_many_from_ = too_many_from_.value_or(found.line);
    return;
  }
  bytes_ = bytes;
  ++occurrence_count_;
  Occurrences& all = occurrences_[found.item.uid];
  all.push_back(std::make_unique<FoundItem>(std::move(found)));
}

void ImportOutline::NoteSeries(const FoundItem& found) {
  const Place place{.line = found.line, .sequence = found.item.sequence};
  const auto [at, is_new] = series_.emplace(found.item.uid, place);
  if (is_new) {
    bytes_ += sizeof(*at) + BytesOf(found.item.uid);
  } else if (at->second.sequence <= place.sequence) {
    at->second = place;
  }
}

void ImportOutline::NoteOther(const std::string& uid) {
  if (others_.insert(uid).second) {
    bytes_ += sizeof(uid) + BytesOf(uid);
  }
}

std::size_t ImportOutline::LineThatCounts(std::string_view uid) const {
  const auto found = series_.find(std::string(uid));
  return found == series_.end() ? 0 : found->second.line;
}

ImportOutline::Occurrences ImportOutline::TakeOccurrences(const std::string& uid) {
  const auto found = occurrences_.find(uid);
  if (found == occurrences_.end()) {
    return {};
  }
  Occurrences items = std::move(found->second);
  occurrences_.erase(found);
  std::ranges::sort(items, {}, [](const std::unique_ptr<FoundItem>& one) {
    return std::pair(one->item.sequence, one->line);
  });
  return items;
}

ImportOutline::Occurrences ImportOutline::TakeLeftOver() {
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

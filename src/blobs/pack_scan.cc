// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/pack_scan.h"

#include <algorithm>

#include "blobs/blob_id.h"

namespace atrium::blobs {
namespace {

constexpr std::size_t kWindowBytes = std::size_t{1} << 20;

bool IsNoteOf(const RecordHead& head, std::string_view note) {
  return note.size() == head.note_bytes && CheckOf(note) == head.note_check;
}

bool IsPayloadOf(const RecordHead& head, std::string_view payload) {
  return payload.size() == head.PayloadBytes() &&
         (head.kind != RecordKind::kWhole || BlobId::Of(payload) == head.id);
}

}  // namespace

Result<std::optional<ScannedRecord>> PackScan::Next() {
  while (true) {
    ASSIGN_OR_RETURN(std::optional<ScannedRecord> record, TryRecord());
    if (record) {
      at_ += record->head.RecordBytes();
      return record;
    }
    ASSIGN_OR_RETURN(const bool more, FindNext());
    if (!more) {
      return std::nullopt;
    }
  }
}

/// The record that begins here; nullopt when none does that ends within the scan.
Result<std::optional<ScannedRecord>> PackScan::TryRecord() {
  if (at_ >= options_.before) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(const std::string_view bytes, View(at_, kHeadBytes));
  const std::optional<RecordHead> head = DecodeRecordHead(bytes, pack_.head, at_);
  if (!head || head->RecordBytes() > options_.before - at_) {
    return std::nullopt;
  }
  ScannedRecord record{.head = *head, .at = at_};
  if (options_.payloads == Payloads::kRead) {
    ASSIGN_OR_RETURN(std::string_view whole, View(at_, head->RecordBytes()));
    whole.remove_prefix(kHeadBytes);
    record.payload = whole.substr(0, head->PayloadBytes());
    record.note = whole.substr(record.payload.size());
    record.sound = IsNoteOf(*head, record.note) && IsPayloadOf(*head, record.payload);
  } else {
    ASSIGN_OR_RETURN(record.note, View(at_ + kHeadBytes + head->PayloadBytes(), head->note_bytes));
    record.sound = IsNoteOf(*head, record.note);
  }
  return record;
}

/// Moves to the next place where a record may begin; false when there is none.
Result<bool> PackScan::FindNext() {
  if (at_ >= options_.before) {
    return false;
  }
  passed_over_ = true;
  ++at_;
  while (at_ + kHeadBytes <= options_.before) {
    ASSIGN_OR_RETURN(const std::string_view bytes, View(at_, kWindowBytes));
    if (bytes.size() < kHeadBytes) {
      break;
    }
    const std::size_t mark = FindRecordMark(bytes);
    if (mark != std::string_view::npos) {
      at_ += mark;
      return true;
    }
    // A mark may lie across the end of what was looked at.
    at_ += bytes.size() - (kHeadBytes - 1);
  }
  at_ = options_.before;
  return false;
}

Result<std::string_view> PackScan::View(std::uint64_t at, std::size_t bytes) {
  if (at < window_at_ || at + bytes > window_at_ + window_.size()) {
    ASSIGN_OR_RETURN(window_, ReadAt(*pack_.descriptor, at, std::max(bytes, kWindowBytes)));
    window_at_ = at;
  }
  return std::string_view(window_).substr(at - window_at_).substr(0, bytes);
}

Result<bool> EndsInZeros(int file, std::uint64_t from) {
  while (true) {
    ASSIGN_OR_RETURN(const std::string bytes, ReadAt(file, from, kWindowBytes));
    if (bytes.empty()) {
      return true;
    }
    if (bytes.find_first_not_of('\0') != std::string::npos) {
      return false;
    }
    from += bytes.size();
  }
}

}  // namespace atrium::blobs

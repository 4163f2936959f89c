// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "blobs/blob_id.h"

/// The bytes of pack files; docs/formats/blobs.md draws them. Integers are big-endian.
///
///   pack    | head 64 | record | record | ... | zeros, while it is being written
///   record  | head 64 | payload | note |
namespace atrium::blobs {

/// Of a pack, and of each record in it.
inline constexpr std::size_t kHeadBytes = 64;

enum class RecordKind : std::uint8_t {
  kWhole = 1,    ///< The bytes of the blob follow.
  kOwnFile = 2,  ///< The blob became a file of its own.
  kMention = 3,  ///< The blob was there before; only the note is new.
};

struct PackHead {
  std::uint64_t number = 0;
  /// Random. Mixed into the checksum of each record, so that bytes of another pack are not taken
  /// for records of this one.
  std::array<std::byte, 16> salt{};

  friend bool operator==(const PackHead&, const PackHead&) = default;
};

struct RecordHead {
  RecordKind kind = RecordKind::kWhole;
  BlobId id{};
  /// Of the blob, wherever it lies.
  std::uint64_t bytes = 0;
  std::uint16_t note_bytes = 0;
  /// CheckOf() the note.
  std::uint64_t note_check = 0;

  /// What follows the head, without the note.
  std::uint64_t PayloadBytes() const { return kind == RecordKind::kWhole ? bytes : 0; }
  std::uint64_t RecordBytes() const { return kHeadBytes + PayloadBytes() + note_bytes; }

  friend bool operator==(const RecordHead&, const RecordHead&) = default;
};

/// The first eight bytes of the SHA-256; of nothing, zero.
std::uint64_t CheckOf(std::string_view bytes);

std::string EncodePackHead(const PackHead& head);
/// nullopt when these bytes are no head of a pack.
std::optional<PackHead> DecodePackHead(std::string_view bytes);

/// Bound to the pack and to the place of the record in it.
void AppendRecordHead(std::string& out, const RecordHead& head, const PackHead& pack,
                      std::uint64_t at);
/// nullopt when no record of this pack begins here.
std::optional<RecordHead> DecodeRecordHead(std::string_view bytes, const PackHead& pack,
                                           std::uint64_t at);

/// The same without its checksum: enough for somebody who knows which blob should be here, and
/// compares.
std::optional<RecordHead> PeekRecordHead(std::string_view bytes);

/// Where in `bytes` a head might begin; npos when nowhere.
std::size_t FindRecordMark(std::string_view bytes);

}  // namespace atrium::blobs

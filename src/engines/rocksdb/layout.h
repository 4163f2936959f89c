// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.h"
#include "store/row.h"

/// How rows lie in RocksDB. Described for other programs in docs/formats/rocksdb.md, where golden
/// bytes are; integers are big-endian.
///
/// Key: bytewise order is table, then partition, then sort, so a partition is one stretch of keys.
///
///   | table  2 | partition length  2 | partition | sort |
///
/// Value: the document is what is left, so that a reader copies it once.
///
///   | format 1 = 1 | flags 1 | version 8 | expiry 8 | counters | document |
///                                          flag 1     flag 2
///   expiry    milliseconds since 1970, two's complement
///   counters  | count 2 | count times: | name length 2 | name | value 8, two's complement | |
///
/// One key of table 0 belongs to the engine, see Metadata.
namespace atrium::rocks {

inline constexpr std::size_t kTableBytes = 2;
inline constexpr std::size_t kPrefixHeadBytes = 4;

/// The bytes of a key. Keys of the usual length cost no allocation.
class KeyBuffer {
 public:
  KeyBuffer(std::uint16_t table, const store::KeyView& key);
  KeyBuffer(const KeyBuffer&) = delete;
  KeyBuffer& operator=(const KeyBuffer&) = delete;

  std::string_view View() const { return view_; }

 private:
  std::array<char, 256> short_{};
  std::string long_;
  std::string_view view_;
};

/// Appends the bytes of a key.
void AppendKey(std::string& out, std::uint16_t table, const store::KeyView& key);
std::string EncodeKey(std::uint16_t table, const store::KeyView& key);
/// What all keys of a table begin with.
std::string TablePrefix(std::uint16_t table);

/// How many bytes of a key are table and partition; zero when it is no key of ours.
std::size_t PrefixSize(std::string_view key);
/// Partition and sort of a key; nullopt when it is no key of ours.
std::optional<store::KeyView> DecodeKey(std::string_view key);

/// A value taken apart; the views are into its bytes.
struct ValueView {
  store::Version version{};
  std::optional<Instant> expires_at{};
  /// Encoded; empty when there are none.
  std::string_view counters{};
  std::string_view document{};
};

/// nullopt when the bytes are not a value, or one of a format that is not known.
std::optional<ValueView> DecodeValue(std::string_view value);

/// Replaces what is in `counters`. False when the bytes do not decode.
bool DecodeCounters(std::string_view encoded, std::vector<store::Counter>& counters);
/// Appends; `counters` are in the order of their names.
void EncodeCounters(std::span<const store::Counter> counters, std::string& out);

/// The inverse of DecodeValue().
std::string EncodeValue(const ValueView& value);
/// Writes the version into an encoded value.
void SetVersion(std::string& value, store::Version version);

/// A row exists until the instant it expires.
inline bool Exists(const std::optional<Instant>& expires_at, Instant now) {
  return !expires_at || now < *expires_at;
}

/// What the engine knows about the whole store, in one row of its own:
///
///   key    | 0000 | 0006 | "atrium" |
///   value  | format of the layout 4 | highest version ever given 8 |
struct Metadata {
  std::uint32_t format = 0;
  store::Version highest{};

  friend bool operator==(const Metadata&, const Metadata&) = default;
};

inline constexpr std::uint32_t kLayoutFormat = 1;
inline constexpr std::string_view kMetadataKey{
    "\0\0\0\x06"
    "atrium",
    10};

std::string EncodeMetadata(const Metadata& metadata);
std::optional<Metadata> DecodeMetadata(std::string_view value);

}  // namespace atrium::rocks

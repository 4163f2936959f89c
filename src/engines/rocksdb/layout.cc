// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/layout.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>

#include "base/check.h"

namespace atrium::rocks {
namespace {

constexpr char kValueFormat = 1;
constexpr unsigned char kHasExpiry = 1;
constexpr unsigned char kHasCounters = 2;
constexpr std::size_t kVersionAt = 2;
constexpr std::size_t kValueHeadBytes = 10;

template <typename Integer>
Integer BigEndian(Integer number) {
  return std::endian::native == std::endian::big ? number : std::byteswap(number);
}

template <typename Integer>
char* Store(char* out, Integer number) {
  number = BigEndian(number);
  std::memcpy(out, &number, sizeof(number));
  return out + sizeof(number);
}

template <typename Integer>
void Append(std::string& out, Integer number) {
  std::array<char, sizeof(Integer)> bytes{};
  Store(bytes.data(), number);
  out.append(bytes.data(), bytes.size());
}

/// Takes big-endian integers and bytes off the front; false when there are too few.
template <typename Integer>
bool TakeInteger(std::string_view& bytes, Integer& number) {
  if (bytes.size() < sizeof(Integer)) {
    return false;
  }
  std::memcpy(&number, bytes.data(), sizeof(Integer));
  number = BigEndian(number);
  bytes.remove_prefix(sizeof(Integer));
  return true;
}

bool TakeBytes(std::string_view& bytes, std::size_t count, std::string_view& taken) {
  if (bytes.size() < count) {
    return false;
  }
  taken = bytes.substr(0, count);
  bytes.remove_prefix(count);
  return true;
}

std::uint16_t Short(std::size_t size) {
  Check(size <= UINT16_MAX, "lengths in keys and counters fit two bytes");
  return static_cast<std::uint16_t>(size);
}

void WriteKey(char* out, std::uint16_t table, const store::KeyView& key) {
  out = Store(Store(out, table), Short(key.partition.size()));
  out = std::ranges::copy(key.partition, out).out;
  std::ranges::copy(key.sort, out);
}

std::size_t KeySize(const store::KeyView& key) {
  return kPrefixHeadBytes + key.partition.size() + key.sort.size();
}

/// Where the encoded counters at the front of `bytes` end; npos when they do not decode.
std::size_t CountersSize(std::string_view bytes) {
  std::string_view rest = bytes;
  std::uint16_t count = 0;
  if (!TakeInteger(rest, count)) {
    return std::string_view::npos;
  }
  for (; count > 0; --count) {
    std::uint16_t length = 0;
    std::string_view skipped;
    if (!TakeInteger(rest, length) || !TakeBytes(rest, length + sizeof(std::int64_t), skipped)) {
      return std::string_view::npos;
    }
  }
  return bytes.size() - rest.size();
}

}  // namespace

KeyBuffer::KeyBuffer(std::uint16_t table, const store::KeyView& key) {
  const std::size_t size = KeySize(key);
  char* out = short_.data();
  if (size > short_.size()) {
    long_.resize(size);
    out = long_.data();
  }
  WriteKey(out, table, key);
  view_ = {out, size};
}

void AppendKey(std::string& out, std::uint16_t table, const store::KeyView& key) {
  const std::size_t before = out.size();
  out.resize(before + KeySize(key));
  WriteKey(out.data() + before, table, key);
}

std::string EncodeKey(std::uint16_t table, const store::KeyView& key) {
  std::string bytes;
  AppendKey(bytes, table, key);
  return bytes;
}

std::string TablePrefix(std::uint16_t table) {
  std::string bytes;
  Append(bytes, table);
  return bytes;
}

std::size_t PrefixSize(std::string_view key) {
  std::string_view rest = key;
  std::uint16_t table = 0;
  std::uint16_t length = 0;
  if (!TakeInteger(rest, table) || !TakeInteger(rest, length) || rest.size() < length) {
    return 0;
  }
  return kPrefixHeadBytes + length;
}

std::optional<store::KeyView> DecodeKey(std::string_view key) {
  const std::size_t prefix = PrefixSize(key);
  if (prefix == 0) {
    return std::nullopt;
  }
  return store::KeyView{.partition = key.substr(kPrefixHeadBytes, prefix - kPrefixHeadBytes),
                        .sort = key.substr(prefix)};
}

std::optional<ValueView> DecodeValue(std::string_view value) {
  if (value.size() < kValueHeadBytes || value[0] != kValueFormat) {
    return std::nullopt;
  }
  const auto flags = static_cast<unsigned char>(value[1]);
  if ((flags & ~(kHasExpiry | kHasCounters)) != 0) {
    return std::nullopt;
  }
  ValueView view;
  value.remove_prefix(kVersionAt);
  TakeInteger(value, view.version.number);
  if ((flags & kHasExpiry) != 0) {
    std::int64_t expiry = 0;
    if (!TakeInteger(value, expiry)) {
      return std::nullopt;
    }
    view.expires_at = Instant(std::chrono::milliseconds(expiry));
  }
  if ((flags & kHasCounters) != 0) {
    const std::size_t size = CountersSize(value);
    if (size == std::string_view::npos) {
      return std::nullopt;
    }
    view.counters = value.substr(0, size);
    value.remove_prefix(size);
  }
  view.document = value;
  return view;
}

bool DecodeCounters(std::string_view encoded, std::vector<store::Counter>& counters) {
  counters.clear();
  if (encoded.empty()) {
    return true;
  }
  std::uint16_t count = 0;
  if (!TakeInteger(encoded, count)) {
    return false;
  }
  for (; count > 0; --count) {
    std::uint16_t length = 0;
    std::string_view name;
    std::int64_t value = 0;
    if (!TakeInteger(encoded, length) || !TakeBytes(encoded, length, name) ||
        !TakeInteger(encoded, value)) {
      return false;
    }
    counters.push_back({.name = std::string(name), .value = value});
  }
  return encoded.empty();
}

void EncodeCounters(std::span<const store::Counter> counters, std::string& out) {
  Append(out, Short(counters.size()));
  for (const store::Counter& counter : counters) {
    Append(out, Short(counter.name.size()));
    out += counter.name;
    Append(out, static_cast<std::uint64_t>(counter.value));
  }
}

std::string EncodeValue(const ValueView& value) {
  std::string bytes;
  bytes.reserve(kValueHeadBytes + sizeof(std::int64_t) + value.counters.size() +
                value.document.size());
  bytes += kValueFormat;
  bytes += static_cast<char>((value.expires_at ? kHasExpiry : 0U) |
                             (value.counters.empty() ? 0U : kHasCounters));
  Append(bytes, value.version.number);
  if (value.expires_at) {
    Append(bytes, static_cast<std::uint64_t>(value.expires_at->time_since_epoch().count()));
  }
  bytes += value.counters;
  bytes += value.document;
  return bytes;
}

void SetVersion(std::string& value, store::Version version) {
  Check(value.size() >= kValueHeadBytes, "an encoded value has a version");
  Store(value.data() + kVersionAt, version.number);
}

std::string EncodeMetadata(const Metadata& metadata) {
  std::string bytes;
  Append(bytes, metadata.format);
  Append(bytes, metadata.highest.number);
  return bytes;
}

std::optional<Metadata> DecodeMetadata(std::string_view value) {
  Metadata metadata;
  if (!TakeInteger(value, metadata.format) || !TakeInteger(value, metadata.highest.number)) {
    return std::nullopt;
  }
  return metadata;
}

}  // namespace atrium::rocks

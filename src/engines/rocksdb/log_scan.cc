// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/log_scan.h"

#include <algorithm>
#include <boost/crc.hpp>
#include <utility>

namespace atrium::rocks {
namespace {

// A block holds fragments of records: | checksum 4 | length 2 | type 1 | payload |. What is too
// short for a head at the end of a block is filled with zeros. A record that does not fit goes on
// in the next block.
constexpr std::size_t kHeadBytes = 7;
constexpr std::size_t kSectorBytes = 512;
constexpr std::uint8_t kFull = 1;
constexpr std::uint8_t kFirst = 2;
constexpr std::uint8_t kLast = 4;

// A record is a batch: | sequence number 8 | count 4 | then what it does |.
constexpr std::size_t kBatchHeadBytes = 12;
/// What RocksDB writes to the log only, by its length and its bytes.
constexpr char kLogDataTag = 3;
constexpr std::string_view kMark = "synced";
constexpr std::size_t kMarkBytes = kMark.size() + 8;

template <typename Number>
Number ReadLittleEndian(std::string_view bytes) {
  Number number = 0;
  for (std::size_t i = 0; i < sizeof(Number); ++i) {
    number |=
        static_cast<Number>(static_cast<Number>(static_cast<std::uint8_t>(bytes[i])) << (8 * i));
  }
  return number;
}

std::uint32_t MaskedChecksum(std::string_view bytes) {
  boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> sum;
  sum.process_bytes(bytes.data(), bytes.size());
  const std::uint32_t crc = sum.checksum();
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8U;
}

struct Fragment {
  std::uint8_t type = 0;
  std::string_view payload;
};

/// The head of what may be a fragment; nullopt when it cannot be one of this length.
std::optional<Fragment> ReadHead(std::string_view rest) {
  if (rest.size() < kHeadBytes) {
    return std::nullopt;
  }
  const auto type = static_cast<std::uint8_t>(rest[6]);
  const std::size_t length = ReadLittleEndian<std::uint16_t>(rest.substr(4));
  if (type < kFull || type > kLast || kHeadBytes + length > rest.size()) {
    return std::nullopt;
  }
  return Fragment{.type = type, .payload = rest.substr(kHeadBytes, length)};
}

std::optional<Fragment> ReadFragment(std::string_view rest) {
  const std::optional<Fragment> fragment = ReadHead(rest);
  const bool whole = fragment && ReadLittleEndian<std::uint32_t>(rest) ==
                                     MaskedChecksum(rest.substr(6, fragment->payload.size() + 1));
  return whole ? fragment : std::nullopt;
}

bool IsZero(std::string_view bytes) {
  return bytes.find_first_not_of('\0') == std::string_view::npos;
}

/// Bytes that were not written are zeros: to the end, or in whole sectors.
bool LooksTorn(std::string_view block, std::size_t at) {
  const std::optional<Fragment> head = ReadHead(block.substr(at));
  const std::size_t end = head ? at + kHeadBytes + head->payload.size() : block.size();
  if ((!head && block.size() < LogScan::kBlockBytes) || block[end - 1] == '\0') {
    return true;
  }
  for (std::size_t begin = at; begin < end;) {
    const std::size_t next = std::min((begin / kSectorBytes + 1) * kSectorBytes, end);
    if (IsZero(block.substr(begin, next - begin))) {
      return true;
    }
    begin = next;
  }
  return false;
}

/// Where the next whole fragment of the block begins, or its end.
std::size_t FindFragment(std::string_view block, std::size_t from) {
  while (from < block.size() && !ReadFragment(block.substr(from))) {
    ++from;
  }
  return from;
}

}  // namespace

std::string EncodeSyncedMark(std::uint64_t sequence) {
  std::string mark(kMark);
  for (int shift = 0; shift < 64; shift += 8) {
    mark.push_back(static_cast<char>((sequence >> shift) & 0xFFU));
  }
  return mark;
}

void LogScan::BeginFile(std::string name) {
  file_ = std::move(name);
  offset_ = 0;
  zeros_from_.reset();
}

void LogScan::AddBlock(std::string_view block) {
  std::size_t at = 0;
  while (at < block.size()) {
    const std::string_view rest = block.substr(at);
    if (const auto fragment = ReadFragment(rest)) {
      NoteEndOfZeros();
      // What goes on in a later block may belong to the record that is flawed.
      if (fragment->type == kFull || fragment->type == kFirst) {
        NoteRecord(fragment->payload);
        goes_on_ |= flaw_.has_value();
      }
      at += kHeadBytes + fragment->payload.size();
    } else if (IsZero(rest)) {
      const bool is_filling = rest.size() < kHeadBytes && block.size() == kBlockBytes;
      if (!is_filling && !zeros_from_) {
        zeros_from_ = offset_ + at;
      }
      break;
    } else {
      NoteEndOfZeros();
      NoteFlaw(offset_ + at, LooksTorn(block, at));
      at = FindFragment(block, at + 1);
    }
  }
  offset_ += block.size();
}

void LogScan::EndFile() {
  zeros_from_.reset();
}

void LogScan::NoteRecord(std::string_view payload) {
  if (payload.size() < kBatchHeadBytes) {
    // The head goes on in the next block, so what number comes next is not known.
    next_sequence_.reset();
    return;
  }
  const auto sequence = ReadLittleEndian<std::uint64_t>(payload);
  NoteNumbers(sequence);
  next_sequence_ = sequence + ReadLittleEndian<std::uint32_t>(payload.substr(8));
  const std::string_view first = payload.substr(kBatchHeadBytes);
  if (first.size() < 2 + kMarkBytes || first[0] != kLogDataTag || first[1] != kMarkBytes ||
      !first.substr(2).starts_with(kMark)) {
    return;
  }
  synced_ = std::max(synced_, ReadLittleEndian<std::uint64_t>(first.substr(2 + kMark.size())));
}

void LogScan::NoteNumbers(std::uint64_t sequence) {
  if (!next_sequence_ || sequence == *next_sequence_) {
    return;
  }
  in_doubt_ = true;
  // Behind a flaw, numbers are missing because of it.
  if (sequence > *next_sequence_ && !gap_ && !flaw_) {
    gap_ = {.first = *next_sequence_, .count = sequence - *next_sequence_};
  }
}

void LogScan::NoteFlaw(std::uint64_t offset, bool torn) {
  if (!flaw_) {
    flaw_ = {.file = file_, .offset = offset, .torn = torn};
  }
}

void LogScan::NoteEndOfZeros() {
  if (zeros_from_) {
    NoteFlaw(*zeros_from_, true);
    zeros_from_.reset();
  }
}

}  // namespace atrium::rocks

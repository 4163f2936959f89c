// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/pack_format.h"

#include <cstring>
#include <span>

#include "base/bytes.h"
#include "base/hash.h"
#include "blobs/blobs.h"

namespace atrium::blobs {
namespace {

// The last digit is the version of what follows.
constexpr std::string_view kPackMark = "ATRPACK1";
constexpr std::string_view kRecordMark = "ABR1";
constexpr std::size_t kCheckAt = kHeadBytes - sizeof(std::uint64_t);

template <typename Integer>
void AppendInteger(std::string& out, Integer value) {
  for (int shift = static_cast<int>(sizeof(Integer)) * 8 - 8; shift >= 0; shift -= 8) {
    out += static_cast<char>(static_cast<unsigned char>(value >> shift));
  }
}

template <typename Integer>
Integer TakeInteger(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes.substr(0, sizeof(Integer))) {
    value = value << 8 | static_cast<unsigned char>(byte);
  }
  bytes.remove_prefix(sizeof(Integer));
  return static_cast<Integer>(value);
}

std::uint64_t CheckOf(const Sha256Digest& digest) {
  std::string_view bytes = AsChars(digest);
  return TakeInteger<std::uint64_t>(bytes);
}

/// Of a head without its last eight bytes.
std::uint64_t HeadCheck(std::string_view fields, const PackHead& pack, std::uint64_t at) {
  std::string bound(AsChars(pack.salt));
  AppendInteger(bound, at);
  bound += fields;
  return CheckOf(Sha256Of(bound));
}

/// A pack head is checked as a record head is that lies nowhere.
std::uint64_t PackCheck(std::string_view fields) {
  return HeadCheck(fields, {}, 0);
}

bool IsKnown(RecordKind kind) {
  return kind == RecordKind::kWhole || kind == RecordKind::kOwnFile || kind == RecordKind::kMention;
}

}  // namespace

std::uint64_t CheckOf(std::string_view bytes) {
  return bytes.empty() ? 0 : CheckOf(Sha256Of(bytes));
}

std::string EncodePackHead(const PackHead& head) {
  std::string bytes(kPackMark);
  AppendInteger(bytes, head.number);
  bytes += AsChars(head.salt);
  bytes.resize(kCheckAt, '\0');
  AppendInteger(bytes, PackCheck(bytes));
  return bytes;
}

std::optional<PackHead> DecodePackHead(std::string_view bytes) {
  if (bytes.size() < kHeadBytes || !bytes.starts_with(kPackMark)) {
    return std::nullopt;
  }
  std::string_view check = bytes.substr(kCheckAt);
  if (TakeInteger<std::uint64_t>(check) != PackCheck(bytes.substr(0, kCheckAt))) {
    return std::nullopt;
  }
  bytes.remove_prefix(kPackMark.size());
  PackHead head;
  head.number = TakeInteger<std::uint64_t>(bytes);
  std::memcpy(head.salt.data(), bytes.data(), head.salt.size());
  return head;
}

void AppendRecordHead(std::string& out, const RecordHead& head, const PackHead& pack,
                      std::uint64_t at) {
  const std::size_t start = out.size();
  out += kRecordMark;
  out += static_cast<char>(head.kind);
  out += '\0';
  AppendInteger(out, head.note_bytes);
  AppendInteger(out, head.bytes);
  out += head.id.Bytes();
  AppendInteger(out, head.note_check);
  AppendInteger(out, HeadCheck(std::string_view(out).substr(start), pack, at));
}

std::optional<RecordHead> DecodeRecordHead(std::string_view bytes, const PackHead& pack,
                                           std::uint64_t at) {
  const std::optional<RecordHead> head = PeekRecordHead(bytes);
  if (!head) {
    return std::nullopt;
  }
  std::string_view check = bytes.substr(kCheckAt);
  const bool sound =
      TakeInteger<std::uint64_t>(check) == HeadCheck(bytes.substr(0, kCheckAt), pack, at);
  return sound ? head : std::nullopt;
}

std::optional<RecordHead> PeekRecordHead(std::string_view bytes) {
  if (bytes.size() < kHeadBytes || !bytes.starts_with(kRecordMark)) {
    return std::nullopt;
  }
  RecordHead head{.kind = static_cast<RecordKind>(bytes[kRecordMark.size()])};
  bytes.remove_prefix(kRecordMark.size() + 2);
  head.note_bytes = TakeInteger<std::uint16_t>(bytes);
  head.bytes = TakeInteger<std::uint64_t>(bytes);
  std::memcpy(head.id.digest.data(), bytes.data(), head.id.digest.size());
  bytes.remove_prefix(head.id.digest.size());
  head.note_check = TakeInteger<std::uint64_t>(bytes);
  if (!IsKnown(head.kind) || head.bytes > kBlobBytesMax || head.note_bytes > kNoteBytesMax) {
    return std::nullopt;
  }
  return head;
}

std::size_t FindRecordMark(std::string_view bytes) {
  return bytes.find(kRecordMark);
}

}  // namespace atrium::blobs

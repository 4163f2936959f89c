// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/socket_frames.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/utf8.h"

namespace atrium::http {
namespace {

constexpr std::uint8_t kMaskBit = 0x80;
constexpr std::uint8_t kLengthBits = 0x7F;
constexpr std::uint8_t kReservedBits = 0x70;
constexpr std::uint8_t kLengthOf2Bytes = 126;
constexpr std::uint8_t kLengthOf8Bytes = 127;
constexpr std::size_t kMaskBytes = 4;
constexpr std::size_t kReasonBytesMax = kControlBytesMax - 2;

bool IsKnown(Opcode opcode) {
  switch (opcode) {
    case Opcode::kContinuation:
    case Opcode::kText:
    case Opcode::kBytes:
    case Opcode::kClose:
    case Opcode::kPing:
    case Opcode::kPong:
      return true;
  }
  return false;
}

/// The numbers that may stand in a close frame, RFC 6455 §7.4 and the registry it set up.
bool IsCloseCode(std::uint16_t code) {
  const bool reserved = code == 1004 || code == 1005 || code == 1006;
  return (code >= 1000 && code <= 1014 && !reserved) || (code >= 3000 && code <= 4999);
}

std::uint64_t ReadBigEndian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char byte : bytes) {
    number = number << 8 | static_cast<unsigned char>(byte);
  }
  return number;
}

void AppendBigEndian(std::string& out, std::uint64_t number, std::size_t bytes) {
  for (std::size_t i = bytes; i > 0; --i) {
    out.push_back(static_cast<char>(number >> (8 * (i - 1)) & 0xFF));
  }
}

}  // namespace

void Unmask(std::span<char> bytes, std::span<const char, 4> mask, std::size_t at) {
  std::array<char, 8> key{};
  for (std::size_t i = 0; i < key.size(); ++i) {
    key[i] = mask[(at + i) % kMaskBytes];
  }
  std::uint64_t key_word = 0;
  std::memcpy(&key_word, key.data(), sizeof key_word);
  std::size_t done = 0;
  for (; done + sizeof key_word <= bytes.size(); done += sizeof key_word) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + done, sizeof word);
    word ^= key_word;
    std::memcpy(bytes.data() + done, &word, sizeof word);
  }
  for (; done < bytes.size(); ++done) {
    bytes[done] = static_cast<char>(bytes[done] ^ key[done % key.size()]);
  }
}

FrameReader::Event FrameReader::Read(std::string_view& bytes) {
  if (dead_) {
    return Event::kFault;
  }
  for (;;) {
    if (!in_payload_ && !ReadHead(bytes)) {
      return dead_ ? Event::kFault : Event::kNeedMore;
    }
    TakePayload(bytes);
    if (payload_left_ > 0) {
      return Event::kNeedMore;
    }
    in_payload_ = false;
    head_bytes_ = 0;
    const Event event = EndFrame();
    if (event != Event::kNeedMore) {
      return event;
    }
  }
}

SocketMessage FrameReader::TakeMessage() {
  return std::exchange(message_, {});
}

FrameReader::Event FrameReader::Fault(std::uint16_t code, std::string_view reason) {
  dead_ = true;
  end_ = {.code = code, .reason = std::string(reason)};
  message_ = {};
  return Event::kFault;
}

/// How long the head is, as its first two bytes say.
std::size_t FrameReader::HeadBytes() const {
  const std::uint8_t length = HeadByte(1) & kLengthBits;
  const std::size_t length_bytes =
      length == kLengthOf8Bytes ? 8 : (length == kLengthOf2Bytes ? 2 : 0);
  return 2 + length_bytes + kMaskBytes;
}

/// True when the first `upto` bytes of the head are there.
bool FrameReader::FillHead(std::string_view& bytes, std::size_t upto) {
  if (head_bytes_ < upto) {
    const std::size_t count = std::min(upto - head_bytes_, bytes.size());
    std::copy_n(bytes.data(), count, head_.data() + head_bytes_);
    head_bytes_ = static_cast<std::uint8_t>(head_bytes_ + count);
    bytes.remove_prefix(count);
  }
  return head_bytes_ >= upto;
}

/// True when the head is whole and the payload may come.
bool FrameReader::ReadHead(std::string_view& bytes) {
  if (!FillHead(bytes, 2)) {
    return false;
  }
  // Before the rest: the head of an unmasked frame is shorter.
  if (const std::string_view fault = FirstBytesFault(); !fault.empty()) {
    Fault(kCloseProtocolError, fault);
    return false;
  }
  return FillHead(bytes, HeadBytes()) && BeginPayload();
}

std::string_view FrameReader::FirstBytesFault() const {
  const Opcode opcode = FrameOpcode();
  if ((HeadByte(0) & kReservedBits) != 0) {
    return "no extension was agreed on";
  }
  if (!IsKnown(opcode)) {
    return "there is no such opcode";
  }
  if ((HeadByte(1) & kMaskBit) == 0) {
    return "clients mask their frames";
  }
  if (IsControl()) {
    const bool short_and_whole = IsLast() && (HeadByte(1) & kLengthBits) <= kControlBytesMax;
    return short_and_whole ? "" : "control frames are short and whole";
  }
  if ((opcode == Opcode::kContinuation) != in_message_) {
    return in_message_ ? "a message begins inside another" : "nothing is there to be continued";
  }
  return {};
}

/// False, with a fault, when the length is not one or too much.
bool FrameReader::BeginPayload() {
  const std::size_t length_bytes = HeadBytes() - 2 - kMaskBytes;
  std::uint64_t length = HeadByte(1) & kLengthBits;
  if (length_bytes > 0) {
    length = ReadBigEndian(std::string_view(head_.data() + 2, length_bytes));
    // A length has one spelling, the shortest.
    const std::uint64_t least = length_bytes == 2 ? kLengthOf2Bytes : std::uint64_t{1} << 16;
    if (length < least || length >> 63 != 0) {
      Fault(kCloseProtocolError, "that is no length");
      return false;
    }
  }
  if (IsControl()) {
    control_.clear();
  } else {
    if (length > bytes_max_ - message_.payload.size()) {
      Fault(kCloseTooLong, "messages here have at most " + std::to_string(bytes_max_) + " bytes");
      return false;
    }
    if (!in_message_) {
      message_.kind =
          FrameOpcode() == Opcode::kText ? SocketMessage::Kind::kText : SocketMessage::Kind::kBytes;
    }
    in_message_ = true;
  }
  payload_left_ = length;
  mask_at_ = 0;
  in_payload_ = true;
  return true;
}

void FrameReader::TakePayload(std::string_view& bytes) {
  const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(payload_left_, bytes.size()));
  if (count == 0) {
    return;
  }
  std::string& payload = IsControl() ? control_ : message_.payload;
  const std::size_t before = payload.size();
  payload.append(bytes.substr(0, count));
  Unmask(std::span(payload).subspan(before),
         std::span<const char, kMaskBytes>(head_.data() + HeadBytes() - kMaskBytes, kMaskBytes),
         mask_at_);
  bytes.remove_prefix(count);
  payload_left_ -= count;
  mask_at_ = (mask_at_ + count) % kMaskBytes;
}

FrameReader::Event FrameReader::EndFrame() {
  if (IsControl()) {
    return EndControl();
  }
  if (!IsLast()) {
    return Event::kNeedMore;
  }
  in_message_ = false;
  if (message_.kind == SocketMessage::Kind::kText && !IsValidUtf8(message_.payload)) {
    return Fault(kCloseNotText, "the text is not UTF-8");
  }
  return Event::kMessage;
}

FrameReader::Event FrameReader::EndControl() {
  switch (FrameOpcode()) {
    case Opcode::kPing:
      return Event::kPing;
    case Opcode::kClose:
      return ReadClose();
    case Opcode::kPong:
    case Opcode::kContinuation:
    case Opcode::kText:
    case Opcode::kBytes:
      return Event::kPong;
  }
  return Event::kPong;
}

FrameReader::Event FrameReader::ReadClose() {
  if (control_.empty()) {
    end_ = {.code = kCloseNoReason, .reason = {}};
    return Event::kClose;
  }
  const std::string_view payload = control_;
  const auto code = static_cast<std::uint16_t>(ReadBigEndian(payload.substr(0, 2)));
  if (payload.size() < 2 || !IsCloseCode(code)) {
    return Fault(kCloseProtocolError, "that is no reason to close");
  }
  if (!IsValidUtf8(payload.substr(2))) {
    return Fault(kCloseNotText, "the reason is not UTF-8");
  }
  end_ = {.code = code, .reason = std::string(payload.substr(2))};
  return Event::kClose;
}

void AppendFrameHead(std::string& out, Opcode opcode, std::size_t payload_bytes) {
  out.push_back(static_cast<char>(0x80U | static_cast<std::uint8_t>(opcode)));
  if (payload_bytes < kLengthOf2Bytes) {
    out.push_back(static_cast<char>(payload_bytes));
  } else if (payload_bytes <= 0xFFFF) {
    out.push_back(static_cast<char>(kLengthOf2Bytes));
    AppendBigEndian(out, payload_bytes, 2);
  } else {
    out.push_back(static_cast<char>(kLengthOf8Bytes));
    AppendBigEndian(out, payload_bytes, 8);
  }
}

void AppendFrame(std::string& out, Opcode opcode, std::string_view payload) {
  AppendFrameHead(out, opcode, payload.size());
  out.append(payload);
}

void AppendCloseFrame(std::string& out, const SocketEnd& end) {
  std::string payload;
  if (end.code != kCloseNoReason) {
    AppendBigEndian(payload, end.code, 2);
    payload.append(TruncateUtf8(end.reason, kReasonBytesMax));
  }
  AppendFrame(out, Opcode::kClose, payload);
}

}  // namespace atrium::http

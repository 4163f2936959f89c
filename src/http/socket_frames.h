// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "http/socket.h"

namespace atrium::http {

/// What a frame carries, RFC 6455 §5.2.
enum class Opcode : std::uint8_t {
  kContinuation = 0x0,
  kText = 0x1,
  kBytes = 0x2,
  kClose = 0x8,
  kPing = 0x9,
  kPong = 0xA,
};

/// Control frames carry no more, RFC 6455 §5.5.
inline constexpr std::size_t kControlBytesMax = 125;

/// Reads the frames of a client from bytes that arrive in any portions, and puts messages together.
/// Keeps a message only while it arrives; between messages it owns no memory.
///
///   head: | fin, opcode | mask, length | length of 2 or 8 bytes, if long | mask of 4 bytes |
class FrameReader {
 public:
  enum class Event : std::uint8_t {
    kNeedMore,  ///< All bytes were used.
    kMessage,   ///< TakeMessage() has it. Nothing more may be read before it was taken.
    kPing,      ///< With ControlPayload(), to be sent back.
    kPong,
    kClose,  ///< The client ends the socket; End() says why.
    kFault,  ///< The client broke the rules; End() says what to tell it. Nothing more can be read.
  };

  /// A message longer than this is a fault, as soon as that is known.
  explicit FrameReader(std::size_t message_bytes_max) : bytes_max_(message_bytes_max) {}

  /// Takes bytes off the front of `bytes` up to the next event.
  Event Read(std::string_view& bytes);

  SocketMessage TakeMessage();
  std::string_view ControlPayload() const { return control_; }
  const SocketEnd& End() const { return end_; }

  /// A frame or a message has begun and not ended.
  bool Unfinished() const { return in_message_ || head_bytes_ > 0; }

 private:
  static constexpr std::size_t kHeadBytesMax = 14;

  std::uint8_t HeadByte(std::size_t at) const { return static_cast<std::uint8_t>(head_[at]); }
  Opcode FrameOpcode() const { return static_cast<Opcode>(HeadByte(0) & 0x0FU); }
  bool IsControl() const { return (HeadByte(0) & 0x08U) != 0; }
  bool IsLast() const { return (HeadByte(0) & 0x80U) != 0; }
  std::size_t HeadBytes() const;

  bool FillHead(std::string_view& bytes, std::size_t upto);
  bool ReadHead(std::string_view& bytes);
  std::string_view FirstBytesFault() const;
  bool BeginPayload();
  void TakePayload(std::string_view& bytes);
  Event EndFrame();
  Event EndControl();
  Event ReadClose();
  Event Fault(std::uint16_t code, std::string_view reason);

  const std::size_t bytes_max_;
  // The frame that is being read; valid as far as head_bytes_ says.
  std::array<char, kHeadBytesMax> head_{};
  std::uint8_t head_bytes_ = 0;
  bool in_payload_ = false;
  std::uint64_t payload_left_ = 0;
  std::size_t mask_at_ = 0;

  std::string control_;
  SocketMessage message_;
  bool in_message_ = false;
  bool dead_ = false;
  SocketEnd end_;
};

/// Flips the bits of `bytes` with the mask of a frame, of which `at` bytes were flipped before.
void Unmask(std::span<char> bytes, std::span<const char, 4> mask, std::size_t at);

/// Appends the head of an unmasked frame that is a whole message, as servers send them.
void AppendFrameHead(std::string& out, Opcode opcode, std::size_t payload_bytes);

/// Appends a whole frame.
void AppendFrame(std::string& out, Opcode opcode, std::string_view payload);

/// Appends the frame that ends a socket; empty for kCloseNoReason.
void AppendCloseFrame(std::string& out, const SocketEnd& end);

}  // namespace atrium::http

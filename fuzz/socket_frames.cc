// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/socket_frames.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/utf8.h"
#include "fuzz/fuzzing.h"

namespace atrium::fuzz {
namespace {

using http::FrameReader;
using http::SocketMessage;
using Event = FrameReader::Event;

constexpr std::size_t kMessageBytesMax = 300;

std::string Transcribe(const SocketMessage& message) {
  const bool text = message.kind == SocketMessage::Kind::kText;
  Check(message.payload.size() <= kMessageBytesMax, "messages are limited");
  Check(!text || IsValidUtf8(message.payload), "text is text");
  return (text ? "text " : "bytes ") + message.payload + "\n";
}

std::string TranscribeEnd(const FrameReader& reader, std::string_view what) {
  const http::SocketEnd& end = reader.End();
  std::string frame;
  http::AppendCloseFrame(frame, end);
  Check(frame.size() <= 2 + http::kControlBytesMax, "what is said at the end is short");
  return std::string(what) + std::to_string(end.code) + end.reason;
}

/// One event, written down. True when there can be more.
bool Note(FrameReader& reader, Event event, std::string& transcript) {
  switch (event) {
    case Event::kNeedMore:
      return true;
    case Event::kMessage:
      transcript += Transcribe(reader.TakeMessage());
      return true;
    case Event::kPing:
    case Event::kPong:
      Check(reader.ControlPayload().size() <= http::kControlBytesMax, "control frames are short");
      transcript += event == Event::kPing ? "ping " : "pong ";
      transcript += reader.ControlPayload();
      return true;
    case Event::kClose:
      Check(IsValidUtf8(reader.End().reason), "reasons are text");
      transcript += TranscribeEnd(reader, "close ");
      return false;
    case Event::kFault:
      transcript += TranscribeEnd(reader, "fault ");
      return false;
  }
  return false;
}

std::string Read(std::string_view input, std::size_t portion) {
  FrameReader reader(kMessageBytesMax);
  std::string transcript;
  while (!input.empty()) {
    // A copy, so that a view kept past the call is seen.
    const std::string piece(input.substr(0, portion));
    input.remove_prefix(piece.size());
    std::string_view rest = piece;
    while (!rest.empty()) {
      const std::size_t before = rest.size();
      const Event event = reader.Read(rest);
      Check(event != Event::kNeedMore || rest.empty(), "all that can be understood is");
      Check(rest.size() < before || event == Event::kFault, "it goes on");
      if (!Note(reader, event, transcript)) {
        return transcript;
      }
    }
  }
  return transcript + (reader.Unfinished() ? "unfinished" : "");
}

/// The input as a message of ours, masked as a client would: reads back as itself.
void CheckRoundTrip(std::string_view input) {
  const std::string_view payload = input.substr(0, kMessageBytesMax);
  std::string frame;
  http::AppendFrameHead(frame, http::Opcode::kBytes, payload.size());
  frame[1] = static_cast<char>(static_cast<unsigned char>(frame[1]) | 0x80U);
  const std::string mask = "m\x80s\xff";
  frame += mask;
  std::string masked(payload);
  http::Unmask(masked, std::span<const char, 4>(mask.data(), 4), 0);
  frame += masked;
  FrameReader reader(kMessageBytesMax);
  std::string_view rest = frame;
  Check(reader.Read(rest) == Event::kMessage && rest.empty(), "a frame is read");
  Check(reader.TakeMessage().payload == payload, "what is sent reads back");
}

}  // namespace

/// Where the bytes were cut must not decide what was said.
void TryInput(std::string_view input) {
  const std::string whole = Read(input, input.size() + 1);
  for (const std::size_t portion : {std::size_t{1}, std::size_t{5}}) {
    Check(Read(input, portion) == whole, "the same however it arrives");
  }
  CheckRoundTrip(input);
}

}  // namespace atrium::fuzz

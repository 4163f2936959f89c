// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/socket_frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace atrium::http {
namespace {

using Event = FrameReader::Event;
using std::string_literals::operator""s;

constexpr std::size_t kLimit = 1000;
constexpr std::uint8_t kLast = 0x80;

/// A frame as clients send it. `first` is its first byte.
std::string Masked(std::uint8_t first, std::string_view payload,
                   std::string_view mask = "\1\2\3\4") {
  std::string frame;
  AppendFrameHead(frame, Opcode::kText, payload.size());
  frame[0] = static_cast<char>(first);
  frame[1] = static_cast<char>(static_cast<std::uint8_t>(frame[1]) | 0x80U);
  frame.append(mask);
  for (std::size_t i = 0; i < payload.size(); ++i) {
    frame.push_back(static_cast<char>(payload[i] ^ mask[i % 4]));
  }
  return frame;
}

std::string Frame(Opcode opcode, std::string_view payload) {
  return Masked(kLast | static_cast<std::uint8_t>(opcode), payload);
}

std::string Fragment(Opcode opcode, std::string_view payload) {
  return Masked(static_cast<std::uint8_t>(opcode), payload);
}

/// What a reader makes of the bytes, given to it `portion` at a time: "text hello; ping x; ".
std::string Told(std::string_view bytes, std::size_t portion = 1'000'000) {
  FrameReader reader(kLimit);
  std::string told;
  while (!bytes.empty()) {
    std::string_view piece = bytes.substr(0, portion);
    bytes.remove_prefix(piece.size());
    while (!piece.empty()) {
      switch (reader.Read(piece)) {
        case Event::kNeedMore:
          break;
        case Event::kMessage: {
          const SocketMessage message = reader.TakeMessage();
          told += message.kind == SocketMessage::Kind::kText ? "text " : "bytes ";
          told += message.payload + "; ";
          break;
        }
        case Event::kPing:
          told += "ping " + std::string(reader.ControlPayload()) + "; ";
          break;
        case Event::kPong:
          told += "pong " + std::string(reader.ControlPayload()) + "; ";
          break;
        case Event::kClose:
          return told + "close " + std::to_string(reader.End().code) + " " + reader.End().reason;
        case Event::kFault:
          return told + "fault " + std::to_string(reader.End().code);
      }
    }
  }
  return told + (reader.Unfinished() ? "unfinished" : "");
}

TEST(FrameReaderTest, AMessageOfOneFrameIsRead) {
  EXPECT_EQ(Told(Frame(Opcode::kText, "hello")), "text hello; ");
  EXPECT_EQ(Told(Frame(Opcode::kBytes, "\xff\xfe")), "bytes \xff\xfe; ");
  EXPECT_EQ(Told(Frame(Opcode::kText, "")), "text ; ");
}

TEST(FrameReaderTest, TheExampleOfTheStandardIsRead) {
  // RFC 6455 §5.7: a single-frame masked text message.
  EXPECT_EQ(Told("\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58"s), "text Hello; ");
}

TEST(FrameReaderTest, LengthsOfAllSpellingsAreRead) {
  for (const std::size_t size : {125U, 126U, 127U, 255U, 256U, 1000U}) {
    const std::string text(size, 'x');
    EXPECT_EQ(Told(Frame(Opcode::kText, text)), "text " + text + "; ") << size;
  }
  FrameReader large(1'000'000);
  const std::string text(70'000, 'y');
  const std::string frame = Frame(Opcode::kText, text);
  std::string_view bytes = frame;
  ASSERT_EQ(large.Read(bytes), Event::kMessage);
  EXPECT_EQ(large.TakeMessage().payload, text);
}

TEST(FrameReaderTest, FragmentsBecomeOneMessageWithControlFramesBetweenThem) {
  const std::string bytes = Fragment(Opcode::kText, "one ") + Frame(Opcode::kPing, "here?") +
                            Fragment(Opcode::kContinuation, "") +
                            Fragment(Opcode::kContinuation, "two ") + Frame(Opcode::kPong, "") +
                            Frame(Opcode::kContinuation, "three") + Frame(Opcode::kText, "four");
  const std::string expected = "ping here?; pong ; text one two three; text four; ";
  EXPECT_EQ(Told(bytes), expected);
  for (const std::size_t portion : {1U, 2U, 3U, 7U}) {
    EXPECT_EQ(Told(bytes, portion), expected) << portion;
  }
}

TEST(FrameReaderTest, ACharacterMayBeCutByTheEndOfAFragment) {
  EXPECT_EQ(Told(Fragment(Opcode::kText, "\xe2\x82") + Frame(Opcode::kContinuation, "\xac")),
            "text €; ");
}

TEST(FrameReaderTest, TextThatIsNotUtf8IsAFault) {
  EXPECT_EQ(Told(Frame(Opcode::kText, "\xff")), "fault 1007");
  EXPECT_EQ(Told(Frame(Opcode::kText, "\xe2\x82")), "fault 1007");
  EXPECT_EQ(Told(Fragment(Opcode::kText, "a") + Frame(Opcode::kContinuation, "\xc0\x80")),
            "fault 1007");
}

TEST(FrameReaderTest, AFaultIsSeenAsSoonAsItIsKnown) {
  EXPECT_EQ(Told("\x81\x05"s), "fault 1002") << "not masked";
  EXPECT_EQ(Told("\xc1\x85"s), "fault 1002") << "reserved bit";
  EXPECT_EQ(Told("\x83\x80"s), "fault 1002") << "no such opcode";
  EXPECT_EQ(Told("\x8b\x80"s), "fault 1002") << "no such control opcode";
  EXPECT_EQ(Told("\x09\x80"s), "fault 1002") << "a ping in fragments";
  EXPECT_EQ(Told("\x89\xfe"s), "fault 1002") << "a ping of 126 bytes";
  EXPECT_EQ(Told("\x80\x80"s), "fault 1002") << "nothing to continue";
  EXPECT_EQ(Told(Fragment(Opcode::kText, "a") + "\x81\x80"s), "fault 1002") << "text inside text";
  EXPECT_EQ(Told("\x82\xfe\x00\x7d\0\0\0\0"s), "fault 1002") << "125 spelled too long";
  EXPECT_EQ(Told("\x82\xff\0\0\0\0\0\0\xff\xff\0\0\0\0"s), "fault 1002") << "65535 too long";
  EXPECT_EQ(Told("\x82\xff\x80\0\0\0\0\0\0\0\0\0\0\0"s), "fault 1002") << "a negative length";
}

TEST(FrameReaderTest, AMessageThatIsTooLongIsAFaultBeforeItArrives) {
  EXPECT_EQ(Told(Frame(Opcode::kText, std::string(kLimit, 'x'))).size(), kLimit + 7);
  EXPECT_EQ(Told("\x82\xfe\x03\xe9\0\0\0\0"s), "fault 1009") << "1001 bytes announced";
  EXPECT_EQ(Told("\x82\xff\x7f\xff\xff\xff\xff\xff\xff\xff\0\0\0\0"s), "fault 1009");
  EXPECT_EQ(Told(Fragment(Opcode::kText, std::string(kLimit, 'x')) +
                 Fragment(Opcode::kContinuation, "") + Frame(Opcode::kContinuation, "y")),
            "fault 1009");
}

TEST(FrameReaderTest, AfterAFaultNothingIsRead) {
  FrameReader reader(kLimit);
  const std::string bytes = "\x81\x05"s + Frame(Opcode::kText, "hello");
  std::string_view rest = bytes;
  EXPECT_EQ(reader.Read(rest), Event::kFault);
  EXPECT_EQ(reader.Read(rest), Event::kFault);
}

TEST(FrameReaderTest, AClosingClientIsUnderstood) {
  EXPECT_EQ(Told(Frame(Opcode::kClose, "")), "close 1005 ");
  EXPECT_EQ(Told(Frame(Opcode::kClose, "\x03\xe8")), "close 1000 ");
  EXPECT_EQ(Told(Frame(Opcode::kClose, "\x0f\xa1gone")), "close 4001 gone");
}

TEST(FrameReaderTest, AClosingClientKeepsTheRules) {
  EXPECT_EQ(Told(Frame(Opcode::kClose, "\x03")), "fault 1002");
  for (const int code : {0, 999, 1004, 1005, 1006, 1015, 1100, 2999, 5000, 65535}) {
    std::string payload;
    payload.push_back(static_cast<char>(code >> 8));
    payload.push_back(static_cast<char>(code & 0xFF));
    EXPECT_EQ(Told(Frame(Opcode::kClose, payload)), "fault 1002") << code;
  }
  EXPECT_EQ(Told(Frame(Opcode::kClose, "\x03\xe8\xff")), "fault 1007");
}

TEST(FrameReaderTest, BetweenMessagesNothingIsUnfinished) {
  const std::string frame = Frame(Opcode::kText, "hello");
  EXPECT_EQ(Told(frame), "text hello; ");
  for (std::size_t cut = 1; cut < frame.size(); ++cut) {
    EXPECT_EQ(Told(frame.substr(0, cut)), "unfinished") << cut;
  }
  EXPECT_EQ(Told(Fragment(Opcode::kText, "a")), "unfinished");
}

TEST(FrameReaderTest, WhereTheBytesWereCutMakesNoDifference) {
  const std::uint32_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const auto below = [&](std::size_t limit) { return random() % limit; };
  for (int round = 0; round < 200; ++round) {
    std::string bytes;
    for (std::size_t i = below(8) + 1; i > 0; --i) {
      std::string payload(below(300), '\0');
      for (char& byte : payload) {
        byte = static_cast<char>('a' + below(26));
      }
      bytes += below(2) == 0 ? Frame(Opcode::kText, payload)
                             : Fragment(Opcode::kBytes, payload) +
                                   Frame(Opcode::kPing, payload.substr(0, 9)) +
                                   Frame(Opcode::kContinuation, payload);
    }
    EXPECT_EQ(Told(bytes, below(40) + 1), Told(bytes));
  }
}

TEST(UnmaskTest, GoesOnWhereItStopped) {
  const std::string mask = "\x11\x22\x33\x44";
  const std::string plain = "the quick brown fox jumps over the lazy dog";
  std::string whole = plain;
  Unmask(whole, std::span<const char, 4>(mask.data(), 4), 0);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(whole[i], static_cast<char>(plain[i] ^ mask[i % 4]));
  }
  for (std::size_t cut = 0; cut <= plain.size(); ++cut) {
    std::string parts = plain;
    const std::span<char> bytes(parts);
    Unmask(bytes.first(cut), std::span<const char, 4>(mask.data(), 4), 0);
    Unmask(bytes.subspan(cut), std::span<const char, 4>(mask.data(), 4), cut % 4);
    EXPECT_EQ(parts, whole) << cut;
  }
}

TEST(AppendFrameTest, HeadsAreAsShortAsTheyCanBe) {
  const auto head = [](std::size_t bytes) {
    std::string out;
    AppendFrameHead(out, Opcode::kBytes, bytes);
    return out;
  };
  EXPECT_EQ(head(0), "\x82\x00"s);
  EXPECT_EQ(head(125), "\x82\x7d"s);
  EXPECT_EQ(head(126), "\x82\x7e\x00\x7e"s);
  EXPECT_EQ(head(65535), "\x82\x7e\xff\xff"s);
  EXPECT_EQ(head(65536), "\x82\x7f\0\0\0\0\0\x01\0\0"s);
}

TEST(AppendFrameTest, TheEndIsSaidWithItsReason) {
  const auto closing = [](const SocketEnd& end) {
    std::string out;
    AppendCloseFrame(out, end);
    return out;
  };
  EXPECT_EQ(closing({.code = kCloseNormal, .reason = {}}), "\x88\x02\x03\xe8"s);
  EXPECT_EQ(closing({.code = kCloseGoingAway, .reason = "bye"}), "\x88\x05\x03\xe9"s + "bye");
  EXPECT_EQ(closing({.code = kCloseNoReason, .reason = "unsaid"}), "\x88\x00"s);
}

TEST(AppendFrameTest, AReasonThatIsTooLongIsCutBetweenCharacters) {
  std::string out;
  AppendCloseFrame(out, {.code = kCloseNormal, .reason = "a" + std::string(200, 'x')});
  EXPECT_EQ(out.size(), 2 + kControlBytesMax);
  out.clear();
  std::string euros;
  for (int i = 0; i < 50; ++i) {
    euros += "€";
  }
  AppendCloseFrame(out, {.code = kCloseNormal, .reason = euros});
  EXPECT_EQ(out.substr(4), euros.substr(0, 123));
  AppendCloseFrame(out, {.code = kCloseNormal, .reason = "x" + euros});
  EXPECT_TRUE(out.ends_with("€"));
}

}  // namespace
}  // namespace atrium::http

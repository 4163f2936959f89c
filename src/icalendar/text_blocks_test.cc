// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/text_blocks.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace atrium::icalendar {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string Describe(const Block& block) {
  std::string text = fmt::format("{}@{}", block.name, block.line);
  for (const TextLine& line : block.lines) {
    text += fmt::format(" {}:[{}]", line.number, line.text);
  }
  return text;
}

std::string Describe(const BrokenBlock& broken) {
  return fmt::format("broken {}@{} {}", broken.block.name, broken.block.line, broken.reason);
}

std::string Describe(const CalendarLine& line) {
  return fmt::format("head {}:[{}]", line.line.number, line.line.text);
}

std::string Describe(const StrayText& stray) {
  return fmt::format("stray@{} {}", stray.line, stray.reason);
}

std::vector<std::string> PiecesOf(std::string_view text) {
  TextBlocks blocks(text);
  std::vector<std::string> pieces;
  while (const std::optional<Piece> piece = blocks.Next()) {
    pieces.push_back(
        std::visit([](const auto& alternative) { return Describe(alternative); }, *piece));
  }
  EXPECT_EQ(blocks.Position(), text.size());
  return pieces;
}

TEST(TextBlocksTest, ComponentsComeWithTheirLinesAndPlaces) {
  EXPECT_THAT(PiecesOf("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:1\r\n"
                       "END:VEVENT\r\nBEGIN:VTODO\r\nEND:VTODO\r\nEND:VCALENDAR\r\n"),
              ElementsAre("head 2:[VERSION:2.0]", "VEVENT@3 4:[UID:1]", "VTODO@6"));
}

TEST(TextBlocksTest, LinesMayEndWithoutCarriageReturnAndTheLastWithNothing) {
  EXPECT_THAT(PiecesOf("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\r\r\nEND:VEVENT\nEND:VCALENDAR"),
              ElementsAre("VEVENT@2 3:[UID:1]"));
}

TEST(TextBlocksTest, FoldedLinesAreJoinedAndKeepTheirFirstNumber) {
  EXPECT_THAT(
      PiecesOf("BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:a\n b\r\n\t c\nUID:1\nEND:VE\n VENT\n"
               "END:VCALENDAR\n"),
      ElementsAre("VEVENT@2 3:[SUMMARY:ab c] 6:[UID:1]"));
}

TEST(TextBlocksTest, ByteOrderMarkAndEmptyLinesArePassedOver) {
  EXPECT_THAT(
      PiecesOf("\xEF\xBB\xBF"
               "BEGIN:VCALENDAR\n\n\nBEGIN:VEVENT\n\nUID:1\nEND:VEVENT\n\nEND:VCALENDAR\n\n"),
      ElementsAre("VEVENT@4 6:[UID:1]"));
}

TEST(TextBlocksTest, NamesAreTheSameInEitherCase) {
  EXPECT_THAT(PiecesOf("begin:vcalendar\nBegin:vEvent \nend:VEVENT\nEND:vcalendar\n"),
              ElementsAre("VEVENT@2"));
}

TEST(TextBlocksTest, ComponentsWithinAComponentStayInIt) {
  EXPECT_THAT(PiecesOf("BEGIN:VCALENDAR\nBEGIN:VEVENT\nBEGIN:VALARM\nACTION:AUDIO\nEND:VALARM\n"
                       "END:VEVENT\nEND:VCALENDAR\n"),
              ElementsAre("VEVENT@2 3:[BEGIN:VALARM] 4:[ACTION:AUDIO] 5:[END:VALARM]"));
}

TEST(TextBlocksTest, AMissingEndCostsOneComponentOnly) {
  EXPECT_THAT(PiecesOf("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nBEGIN:VEVENT\nUID:2\nEND:VEVENT\n"
                       "BEGIN:VEVENT\nEND:VCALENDAR\n"),
              ElementsAre("broken VEVENT@2 has not ended where line 4 begins a VEVENT",
                          "VEVENT@4 5:[UID:2]",
                          "broken VEVENT@7 has not ended where line 8 ends the calendar"));
}

TEST(TextBlocksTest, AnEndThatClosesNothingBreaksItsComponent) {
  EXPECT_THAT(PiecesOf("BEGIN:VCALENDAR\nEND:VEVENT\nBEGIN:VEVENT\nEND:VALARM\nEND:VEVENT\n"
                       "BEGIN:VEVENT\nBEGIN:VALARM\nEND:VEVENT\nEND:VCALENDAR\n"),
              ElementsAre("stray@2 END:VEVENT closes nothing",
                          "broken VEVENT@3 END:VALARM on line 4 closes nothing",
                          "broken VEVENT@6 VALARM in it has not ended where line 8 ends VEVENT"));
}

TEST(TextBlocksTest, AFileThatWasCutShortIsToldAsSuch) {
  EXPECT_THAT(PiecesOf("BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1"),
              ElementsAre("broken VEVENT@2 has not ended where the file ends",
                          "stray@3 the file ends before its calendar does: it was cut short"));
}

TEST(TextBlocksTest, StrayLinesThatFollowEachOtherAreToldOnce) {
  EXPECT_THAT(
      PiecesOf("Dear all,\nhere is it:\nBEGIN:VCALENDAR\nEND:VCALENDAR\nRegards\n-- \nme\n"),
      ElementsAre("stray@1 stands in no calendar", "stray@5 stands in no calendar"));
}

TEST(TextBlocksTest, SeveralCalendarsMayFollowEachOther) {
  EXPECT_THAT(PiecesOf("BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VEVENT\nEND:VCALENDAR\n"
                       "BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VEVENT\nEND:VCALENDAR\n"),
              ElementsAre("VEVENT@2", "VEVENT@6"));
}

TEST(TextBlocksTest, ALargeComponentIsBrokenAndTheNextIsRead) {
  const std::string line = "DESCRIPTION:" + std::string(1000, 'x') + "\n";
  std::string text = "BEGIN:VCALENDAR\nBEGIN:VEVENT\n";
  for (std::size_t bytes = 0; bytes <= kBlockBytesMax; bytes += line.size()) {
    text += line;
  }
  text += "END:VEVENT\nBEGIN:VEVENT\nEND:VEVENT\nEND:VCALENDAR\n";
  EXPECT_THAT(PiecesOf(text), ElementsAre("broken VEVENT@2 is larger than 64 KiB", "VEVENT@69"));
}

TEST(TextBlocksTest, AComponentOfTheLargestSizeIsRead) {
  const std::string text =
      fmt::format("BEGIN:VCALENDAR\nBEGIN:VEVENT\n{}\nEND:VEVENT\nEND:VCALENDAR\n",
                  std::string(kBlockBytesMax - 1, 'x'));
  TextBlocks blocks(text);
  const std::optional<Piece> piece = blocks.Next();
  ASSERT_TRUE(piece && std::holds_alternative<Block>(*piece));
  EXPECT_THAT(std::get<Block>(*piece).lines, SizeIs(1));
}

TEST(TextBlocksTest, ALineOfAnyLengthIsHeldOnlyInPart) {
  std::string text = "BEGIN:VCALENDAR\nX-LONG:";
  for (int i = 0; i < 100; ++i) {
    text += std::string(10'000, 'x') + "\n ";
  }
  EXPECT_THAT(PiecesOf(text + "\nEND:VCALENDAR\n"), ElementsAre("stray@2 is larger than 64 KiB"));
}

TEST(TextBlocksTest, DepthIsBounded) {
  std::string text = "BEGIN:VCALENDAR\nBEGIN:VEVENT\n";
  for (int i = 0; i < 1000; ++i) {
    text += "BEGIN:X\n";
  }
  const std::vector<std::string> pieces = PiecesOf(text + "END:VEVENT\nEND:VCALENDAR\n");
  EXPECT_THAT(pieces, ElementsAre("broken VEVENT@2 holds too much within each other on line 6"));
}

TEST(TextBlocksTest, NothingHasNoPieces) {
  EXPECT_THAT(PiecesOf(""), IsEmpty());
  EXPECT_THAT(PiecesOf("\n\n"), IsEmpty());
}

TEST(TextBlocksTest, BytesThatAreNoTextAreToldInText) {
  EXPECT_THAT(PiecesOf(std::string_view("BEGIN:VCALENDAR\nEND:\xFF\x01\nEND:VCALENDAR\n")),
              ElementsAre(HasSubstr("END:?? closes nothing")));
}

}  // namespace
}  // namespace atrium::icalendar

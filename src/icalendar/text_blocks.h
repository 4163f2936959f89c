// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace atrium::icalendar {

/// What one event or task may take, folding undone.
constexpr std::size_t kBlockBytesMax = std::size_t{64} * 1024;

/// A line as its author meant it: folding undone (RFC 5545 §3.1), without its end.
struct TextLine {
  /// Where it begins in the file; the first is 1.
  std::size_t number{};
  std::string text{};
};

/// A component of a calendar, with all that is between its BEGIN and its END.
struct Block {
  /// "VEVENT", in upper case.
  std::string name{};
  /// Of its BEGIN.
  std::size_t line{};
  /// Without BEGIN and END of the block itself; those of components in it are here, and match.
  std::vector<TextLine> lines{};
};

/// A component that is too large, or whose END is missing or misplaced.
struct BrokenBlock {
  /// As much as was read of it before that.
  Block block{};
  /// For people: "is larger than 64 KiB".
  std::string reason{};
};

/// A property of the calendar itself, as X-WR-CALNAME.
struct CalendarLine {
  TextLine line{};
};

/// Something that belongs nowhere. Lines of it that follow each other are one.
struct StrayText {
  std::size_t line{};
  std::string reason{};
};

using Piece = std::variant<Block, BrokenBlock, CalendarLine, StrayText>;

/// Cuts a file into components, one after another, so that never more than one of them is in memory
/// besides the text, and one that is broken takes none of the others with it.
///
/// Lines end with LF or CRLF, a byte order mark is passed over, and so are empty lines. Says
/// nothing about what is in the lines. The text must live as long as the object.
class TextBlocks {
 public:
  explicit TextBlocks(std::string_view text);

  /// The next piece; nullopt after the last.
  std::optional<Piece> Next();

  /// How many bytes of the text have been used.
  std::size_t Position() const { return position_; }

  /// Whether there has been a BEGIN:VCALENDAR so far.
  bool HasCalendar() const { return has_calendar_; }

 private:
  struct Marker;

  std::string_view TakeRawLine();
  std::optional<TextLine> TakeLine();
  std::optional<Piece> Outside(TextLine line);
  std::optional<Piece> OutsideMarker(const Marker& marker, std::size_t line);
  std::optional<Piece> Inside(TextLine line);
  std::optional<Piece> Begin(const Marker& marker, TextLine line);
  std::optional<Piece> End(const Marker& marker, TextLine line);
  std::optional<Piece> AtEnd();
  std::optional<Piece> Stray(std::size_t line, std::string reason);
  void Keep(TextLine line);
  void Fault(std::string reason);
  Piece Finish();

  std::string_view text_;
  std::size_t position_ = 0;
  std::size_t line_number_ = 1;
  /// A line that was read and belongs to what comes next.
  std::optional<TextLine> pending_;
  bool has_calendar_ = false;
  bool in_calendar_ = false;
  bool in_stray_text_ = false;

  // The block that is being read. Nothing is open between blocks.
  std::vector<std::string> open_;
  Block block_;
  std::size_t block_bytes_ = 0;
  std::string fault_;
};

}  // namespace atrium::icalendar

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/folding.h"

#include <cstddef>
#include <string>
#include <string_view>

#include "base/utf8.h"

namespace atrium::icalendar {

void AppendLine(std::string& out, std::string_view line) {
  constexpr std::size_t kLineBytesMax = 75;
  std::size_t room = kLineBytesMax;
  while (line.size() > room) {
    std::string_view piece = TruncateUtf8(line, room);
    if (piece.empty()) {
      // No character is that long: this is no UTF-8, and may be cut anywhere.
      piece = line.substr(0, room);
    }
    out += piece;
    out += "\r\n ";
    line.remove_prefix(piece.size());
    // The blank that says that the line goes on counts too.
    room = kLineBytesMax - 1;
  }
  out += line;
  out += "\r\n";
}

}  // namespace atrium::icalendar

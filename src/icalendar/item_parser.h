// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "icalendar/item.h"
#include "icalendar/text_blocks.h"
#include "icalendar/zone_names.h"

namespace atrium::icalendar {

struct ParsedItem {
  Item item{};
  /// What was not kept of it, for people.
  std::vector<std::string> notes{};
};

/// Reads a VEVENT or a VTODO. kInvalidArgument with a reason for people when it cannot be
/// understood, or is something else. Without a UID it gets one that is made from its text, so that
/// the same text is the same item the next time.
Result<ParsedItem> ParseItem(const Block& block, ZoneNames& zones);

}  // namespace atrium::icalendar

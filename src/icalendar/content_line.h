// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "icalendar/text_blocks.h"

namespace atrium::icalendar {

struct Parameter {
  /// In upper case.
  std::string name{};
  /// As written, without quotes; a list is one text with commas.
  std::string value{};
};

/// One line of a component, taken apart (RFC 5545 §3.1).
struct Property {
  std::size_t line{};
  /// In upper case.
  std::string name{};
  std::vector<Parameter> parameters{};
  /// As written: only the reader of the property knows what a comma or a backslash means in it.
  std::string value{};

  /// The value of the first parameter of that name, which is in upper case; empty when there is
  /// none.
  std::string_view Find(std::string_view parameter) const;
};

/// kInvalidArgument when the line is no property, or is not UTF-8.
Result<Property> ParseContentLine(const TextLine& line);

/// How a message to people speaks of a property: "DTSTART on line 17".
std::string Place(const Property& property);

}  // namespace atrium::icalendar

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/content_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/result.h"
#include "base/utf8.h"
#include "icalendar/letter_case.h"
#include "icalendar/quote.h"

namespace atrium::icalendar {
namespace {

/// The longest registered name has 24 letters; those of X- properties are not much longer.
constexpr std::size_t kNameBytesMax = 100;

bool IsNameLetter(char letter) {
  return (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z') ||
         (letter >= '0' && letter <= '9') || letter == '-' || letter == '_';
}

/// Takes a name off the front of `rest`; empty when there is none, or too much of it. The
/// underscore is not of the RFC, but of real files.
std::string TakeName(std::string_view& rest) {
  const auto* const end = std::ranges::find_if_not(rest, IsNameLetter);
  const auto size = static_cast<std::size_t>(end - rest.begin());
  if (size > kNameBytesMax) {
    return {};
  }
  std::string name = ToUpper(rest.substr(0, size));
  rest.remove_prefix(size);
  return name;
}

/// Takes the value of a parameter, which ends at a semicolon or a colon that is not in quotes;
/// nullopt when a quote is left open.
std::optional<std::string> TakeParameterValue(std::string_view& rest) {
  std::string value;
  bool quoted = false;
  std::size_t at = 0;
  for (; at < rest.size(); ++at) {
    const char letter = rest[at];
    if (letter == '"') {
      quoted = !quoted;
    } else if (!quoted && (letter == ';' || letter == ':')) {
      break;
    } else {
      value += letter;
    }
  }
  if (quoted) {
    return std::nullopt;
  }
  rest.remove_prefix(at);
  return value;
}

/// Takes ";NAME=value" off the front of `rest`.
std::optional<Parameter> TakeParameter(std::string_view& rest) {
  rest.remove_prefix(1);
  Parameter parameter{.name = TakeName(rest), .value = {}};
  if (parameter.name.empty() || !rest.starts_with('=')) {
    return std::nullopt;
  }
  rest.remove_prefix(1);
  std::optional<std::string> value = TakeParameterValue(rest);
  if (!value) {
    return std::nullopt;
  }
  parameter.value = *std::move(value);
  return parameter;
}

std::unexpected<Error> NotAProperty(const TextLine& line) {
  return Fail(ErrorCode::kInvalidArgument,
              fmt::format("line {} is not a property: \"{}\"", line.number, Shown(line.text)));
}

}  // namespace

std::string_view Property::Find(std::string_view parameter) const {
  const auto found = std::ranges::find(parameters, parameter, &Parameter::name);
  return found == parameters.end() ? std::string_view() : std::string_view(found->value);
}

Result<Property> ParseContentLine(const TextLine& line) {
  if (!IsValidUtf8(line.text)) {
    return Fail(ErrorCode::kInvalidArgument,
                fmt::format("line {} is not text in UTF-8", line.number));
  }
  std::string_view rest = line.text;
  Property property{.line = line.number, .name = TakeName(rest), .parameters = {}, .value = {}};
  if (property.name.empty()) {
    return NotAProperty(line);
  }
  while (rest.starts_with(';')) {
    std::optional<Parameter> parameter = TakeParameter(rest);
    if (!parameter) {
      return NotAProperty(line);
    }
    property.parameters.push_back(*std::move(parameter));
  }
  if (!rest.starts_with(':')) {
    return NotAProperty(line);
  }
  property.value = rest.substr(1);
  return property;
}

std::string Place(const Property& property) {
  return fmt::format("{} on line {}", property.name, property.line);
}

}  // namespace atrium::icalendar

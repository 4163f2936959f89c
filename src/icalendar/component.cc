// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/component.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <expected>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "icalendar/content_line.h"
#include "icalendar/letter_case.h"
#include "icalendar/text_blocks.h"

namespace atrium::icalendar {
namespace {

constexpr std::size_t kNamesToldMax = 20;

}  // namespace

Result<Component> ParseComponent(const Block& block) {
  Component component{.name = block.name, .properties = {}, .parts = {}};
  std::size_t depth = 0;
  for (const TextLine& line : block.lines) {
    ASSIGN_OR_RETURN(Property property, ParseContentLine(line));
    if (property.name == "BEGIN") {
      if (++depth == 1) {
        component.parts.push_back(
            {.name = ToUpper(property.value), .line = line.number, .properties = {}});
      }
    } else if (property.name == "END") {
      // They match: TextBlocks has seen to that.
      --depth;
    } else if (depth == 0) {
      component.properties.push_back(std::move(property));
    } else if (depth == 1) {
      component.parts.back().properties.push_back(std::move(property));
    }
  }
  return component;
}

const Property* Find(const std::vector<Property>& properties, std::string_view name) {
  const auto found = std::ranges::find_if(properties, [name](const Property& property) {
    return property.name == name && !property.value.empty();
  });
  return found == properties.end() ? nullptr : &*found;
}

Result<const Property*> FindOnly(const std::vector<Property>& properties, std::string_view name) {
  const Property* only = nullptr;
  for (const Property& property : properties) {
    if (property.name != name || property.value.empty()) {
      continue;
    }
    if (only != nullptr) {
      return Refuse(property, fmt::format("stands on line {} already", only->line));
    }
    only = &property;
  }
  return only;
}

std::unexpected<Error> Refuse(const Property& property, std::string_view reason) {
  return Fail(ErrorCode::kInvalidArgument, fmt::format("{}: {}", Place(property), reason));
}

void Notes::Add(const Property& property, std::string_view note) {
  std::string told = fmt::format("{}: {}", Place(property), note);
  // A list may give the same cause many times.
  if (notes_.empty() || notes_.back() != told) {
    Add(std::move(told));
  }
}

void Notes::NotKept(std::string_view name) {
  if (std::ranges::find(not_kept_, name) == not_kept_.end()) {
    not_kept_.emplace_back(name);
  }
}

std::vector<std::string> Notes::Take() && {
  if (not_kept_.empty()) {
    return std::move(notes_);
  }
  std::string names;
  for (const std::string& name : not_kept_ | std::views::take(kNamesToldMax)) {
    names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
  }
  const std::string more = not_kept_.size() > kNamesToldMax
                               ? fmt::format(" and {} more", not_kept_.size() - kNamesToldMax)
                               : "";
  notes_.push_back(fmt::format("not kept: {}{}", names, more));
  return std::move(notes_);
}

}  // namespace atrium::icalendar

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "icalendar/content_line.h"
#include "icalendar/text_blocks.h"

namespace atrium::icalendar {

/// A component within another, as VALARM in VEVENT. What is in it deeper than that is left out.
struct Subcomponent {
  std::string name{};
  std::size_t line{};
  std::vector<Property> properties{};
};

/// A block with its lines taken apart.
struct Component {
  /// In upper case, as all names below.
  std::string name{};
  std::vector<Property> properties{};
  std::vector<Subcomponent> parts{};
};

/// kInvalidArgument when a line is no property.
Result<Component> ParseComponent(const Block& block);

/// The first property of that name which has a value; null: there is none.
const Property* Find(const std::vector<Property>& properties, std::string_view name);

/// The same, of a property that must not come twice: kInvalidArgument when it does.
Result<const Property*> FindOnly(const std::vector<Property>& properties, std::string_view name);

/// kInvalidArgument with where and why: "DTSTART on line 17: ...".
std::unexpected<Error> Refuse(const Property& property, std::string_view reason);

/// What was not kept of an item, or taken otherwise than it says, for people.
class Notes {
 public:
  void Add(std::string note) { notes_.push_back(std::move(note)); }
  void Add(const Property& property, std::string_view note);

  /// A property or component that has no place with us; each name is told once.
  void NotKept(std::string_view name);

  std::vector<std::string> Take() &&;

 private:
  std::vector<std::string> notes_;
  std::vector<std::string> not_kept_;
};

}  // namespace atrium::icalendar

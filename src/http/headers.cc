// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/headers.h"

#include <algorithm>

namespace atrium::http {
namespace {

constexpr char Lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

}  // namespace

bool EqualsIgnoringCase(std::string_view left, std::string_view right) {
  return left.size() == right.size() &&
         std::equal(left.begin(), left.end(), right.begin(),
                    [](char a, char b) { return a == b || Lower(a) == Lower(b); });
}

std::optional<std::string_view> Headers::Find(std::string_view name) const {
  for (const HeaderField& field : fields_) {
    if (EqualsIgnoringCase(field.name, name)) {
      return field.value;
    }
  }
  return std::nullopt;
}

std::string_view Headers::Get(std::string_view name) const {
  return Find(name).value_or("");
}

std::size_t Headers::Count(std::string_view name) const {
  return static_cast<std::size_t>(std::count_if(
      fields_.begin(), fields_.end(),
      [name](const HeaderField& field) { return EqualsIgnoringCase(field.name, name); }));
}

std::string Headers::Join(std::string_view name) const {
  std::string list;
  for (const HeaderField& field : fields_) {
    if (EqualsIgnoringCase(field.name, name)) {
      list.append(list.empty() ? "" : ", ").append(field.value);
    }
  }
  return list;
}

}  // namespace atrium::http

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/document_text.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/config_values.h"

namespace atrium::app {
namespace {

namespace json = boost::json;

constexpr std::size_t kTextBytesMax = 4096;

std::string Harmless(std::string_view text) {
  const std::string quoted = Quoted(text, kTextBytesMax);
  return quoted.substr(1, quoted.size() - 2);
}

std::string Show(const json::value& value);

std::string ShowAll(const json::array& values) {
  std::string text;
  for (const json::value& value : values) {
    text += (text.empty() ? "" : ",") + Show(value);
  }
  return text;
}

std::string ShowAll(const json::object& members) {
  std::string text;
  for (const auto& member : members) {
    text += (text.empty() ? "" : " ") + Harmless(member.key()) + "=" + Show(member.value());
  }
  return text;
}

std::string Show(const json::value& value) {
  std::string text;
  if (const auto* string = value.if_string()) {
    text = Harmless(*string);
  } else if (const auto* flag = value.if_bool()) {
    text = *flag ? "yes" : "no";
  } else if (const auto* array = value.if_array()) {
    text = ShowAll(*array);
  } else if (const auto* object = value.if_object()) {
    text = ShowAll(*object);
  } else if (!value.is_null()) {
    text = json::serialize(value);
  }
  return text.empty() ? "-" : text;
}

/// In characters, so that lines with letters of all languages stay aligned.
std::size_t WidthOf(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

using Row = std::vector<std::string>;

Row RowOf(std::span<const Column> columns, const json::value& document) {
  Row row;
  for (const Column& column : columns) {
    const json::value* member =
        document.is_object() ? document.get_object().if_contains(column.member) : nullptr;
    row.push_back(member == nullptr ? "-" : Show(*member));
  }
  return row;
}

std::string Padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, WidthOf(text)), ' ');
}

}  // namespace

std::string RenderTable(std::span<const Column> columns, const json::array& documents) {
  std::vector<Row> rows(1);
  for (const Column& column : columns) {
    rows.front().emplace_back(column.title);
  }
  for (const json::value& document : documents) {
    rows.push_back(RowOf(columns, document));
  }
  std::vector<std::size_t> widths(columns.size());
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], WidthOf(row[i]));
    }
  }
  std::string text;
  for (const Row& row : rows) {
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      text += Padded(row[i], widths[i] + 2);
    }
    text += row.back() + "\n";
  }
  return text;
}

std::string RenderMembers(const json::object& document) {
  std::size_t width = 0;
  for (const auto& member : document) {
    width = std::max(width, member.key().size());
  }
  std::string text;
  for (const auto& member : document) {
    text += Padded(Harmless(member.key()), width + 2) + Show(member.value()) + "\n";
  }
  return text;
}

}  // namespace atrium::app

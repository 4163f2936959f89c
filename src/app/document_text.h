// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <span>
#include <string>
#include <string_view>

namespace atrium::app {

// JSON documents as text for people. What a document says was written by others: control characters
// come out escaped, so that no name can move the cursor of a terminal.

struct Column {
  std::string_view title;
  /// The member of each document that it shows.
  std::string_view member;
};

/// A line of titles and one for each document, in columns as wide as they need to be; "-" where a
/// document has no such member.
std::string RenderTable(std::span<const Column> columns, const boost::json::array& documents);

/// One member a line, in the order of the document.
std::string RenderMembers(const boost::json::object& document);

}  // namespace atrium::app

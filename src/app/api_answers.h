// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/api_door.h"
#include "app/command_line.h"
#include "app/document_text.h"
#include "app/store_commands.h"
#include "base/error.h"
#include "base/result.h"
#include "http/urlencoded.h"

namespace atrium::app {

// What commands that ask the API share: where they ask, and how they read and show what comes back.

/// The answer has not the form that the API promises: kUnavailable.
std::unexpected<Error> PuzzlingAnswer();

Result<boost::json::object> ReadObject(const std::string& body);
/// A list of the reply, by its name.
Result<boost::json::array> ReadList(const boost::json::object& page, std::string_view name);
std::optional<std::string> FindText(const boost::json::object& object, std::string_view name);

/// The path with those of the fields that say something.
std::string Target(std::string path, http::Form query);
/// The path with one more segment.
std::string Under(std::string path, std::string_view segment);

/// All documents of a list that comes in pages, over `after`; `query` goes with each page.
Result<boost::json::array> AskForAll(ApiDoor& door, const std::string& path, std::string_view name,
                                     const http::Form& query);

/// A document: a member a line for people, as it came for programs. Nothing, when there is none.
Result<CommandOutput> PrintDocument(const ApiReply& reply, OutputFormat format);
/// A list: a table for people, an array for programs.
CommandOutput PrintAll(const boost::json::array& documents, std::span<const Column> columns,
                       OutputFormat format);

}  // namespace atrium::app

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/api_answers.h"

#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <utility>

#include "base/json_read.h"
#include "http/percent.h"

namespace atrium::app {

namespace json = boost::json;

std::unexpected<Error> PuzzlingAnswer() {
  return Fail(ErrorCode::kUnavailable, "the answer of the server makes no sense");
}

Result<json::object> ReadObject(const std::string& body) {
  const Result<json::value> value = ParseJson(body);
  return value && value->is_object() ? Result<json::object>(value->get_object()) : PuzzlingAnswer();
}

Result<json::array> ReadList(const json::object& page, std::string_view name) {
  const json::value* list = page.if_contains(name);
  return list != nullptr && list->is_array() ? Result<json::array>(list->get_array())
                                             : PuzzlingAnswer();
}

std::optional<std::string> FindText(const json::object& object, std::string_view name) {
  const json::value* member = object.if_contains(name);
  return member != nullptr && member->is_string()
             ? std::optional<std::string>(member->get_string().c_str())
             : std::nullopt;
}

std::string Target(std::string path, http::Form query) {
  std::erase_if(query.fields, [](const http::FormField& field) { return field.value.empty(); });
  return query.fields.empty() ? path : std::move(path) + "?" + http::RenderForm(query);
}

std::string Under(std::string path, std::string_view segment) {
  return std::move(path) + "/" + http::PercentEncode(segment);
}

Result<json::array> AskForAll(ApiDoor& door, const std::string& path, std::string_view name,
                              const http::Form& query) {
  json::array all;
  std::optional<std::string> after;
  do {
    http::Form asked = query;
    asked.fields.push_back({.name = "after", .value = after.value_or("")});
    ASSIGN_OR_RETURN(const ApiReply reply, door.Ask({.target = Target(path, std::move(asked))}));
    ASSIGN_OR_RETURN(const json::object page, ReadObject(reply.body));
    ASSIGN_OR_RETURN(const json::array some, ReadList(page, name));
    all.insert(all.end(), some.begin(), some.end());
    after = FindText(page, "after");
  } while (after);
  return all;
}

Result<CommandOutput> PrintDocument(const ApiReply& reply, OutputFormat format) {
  const bool empty = reply.body.empty() || reply.body == "{}";
  if (format == OutputFormat::kJson) {
    return CommandOutput{.text = (empty ? "{}" : reply.body) + "\n"};
  }
  if (empty) {
    return CommandOutput{};
  }
  ASSIGN_OR_RETURN(const json::object document, ReadObject(reply.body));
  return CommandOutput{.text = RenderMembers(document)};
}

CommandOutput PrintAll(const json::array& documents, std::span<const Column> columns,
                       OutputFormat format) {
  return {.text = format == OutputFormat::kJson ? json::serialize(documents) + "\n"
                                                : RenderTable(columns, documents)};
}

}  // namespace atrium::app

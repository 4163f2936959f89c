// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/record.h"

#include <algorithm>
#include <boost/json/serialize.hpp>

#include "base/json_text.h"

namespace atrium::store::record_internal {

std::string Finish(std::string document, unsigned format, std::string_view unknown) {
  if (format < 2 && unknown.empty()) {
    return document;
  }
  document.pop_back();
  const auto separate = [&] {
    if (document.size() > 1) {
      document += ',';
    }
  };
  if (!unknown.empty()) {
    separate();
    document += unknown;
  }
  if (format > 1) {
    separate();
    document += "\"format\":" + std::to_string(format);
  }
  document += '}';
  return document;
}

Result<Parsed> Parse(std::string_view document, unsigned newest) {
  Result<boost::json::value> json = ParseJson(document);
  if (!json) {
    return std::unexpected(Corrupt(std::move(json).error()));
  }
  if (!json->is_object()) {
    return FailPrivately(ErrorCode::kCorrupt, "a stored document is not an object");
  }
  Parsed parsed{.object = std::move(json->get_object())};
  const auto format = parsed.object.find(kFormatMember);
  if (format == parsed.object.end()) {
    return parsed;
  }
  if (!format->value().is_int64() || format->value().get_int64() < 2) {
    return FailPrivately(ErrorCode::kCorrupt, "a stored document has a format that is none");
  }
  if (format->value().get_int64() > newest) {
    return FailPrivately(
        ErrorCode::kCorrupt,
        "a stored document has format " + std::to_string(format->value().get_int64()) +
            ", which a later release has written; this one knows " + std::to_string(newest));
  }
  parsed.format = static_cast<unsigned>(format->value().get_int64());
  parsed.object.erase(format);
  return parsed;
}

std::string UnknownMembers(const boost::json::object& object,
                           std::span<const std::string_view> known) {
  std::string text;
  // They mostly stand in the order of their description, so the next one is looked for first.
  auto next = known.begin();
  for (const auto& [name, value] : object) {
    const std::string_view plain = name;
    auto found = std::find(next, known.end(), plain);
    if (found == known.end()) {
      found = std::find(known.begin(), next, plain);
      found = found == next ? known.end() : found;
    }
    if (found != known.end()) {
      next = found + 1;
      continue;
    }
    text += text.empty() ? "" : ",";
    AppendJsonString(text, plain);
    text += ':';
    text += boost::json::serialize(value);
  }
  return text;
}

Error Corrupt(Error error) {
  error.detail =
      "a stored document: " + (error.client_message.empty() ? error.detail : error.client_message);
  error.client_message.clear();
  error.code = ErrorCode::kCorrupt;
  return error;
}

}  // namespace atrium::store::record_internal

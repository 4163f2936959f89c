// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/content_type.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/result.h"
#include "http/grammar.h"
#include "http/headers.h"

namespace atrium::http {
namespace {

/// Takes `type/subtype` off the front, lowered; nullopt when it is not one.
std::optional<std::string> TakeType(std::string_view& rest) {
  const std::string_view type = TakeToken(rest);
  if (type.empty() || !rest.starts_with('/')) {
    return std::nullopt;
  }
  rest.remove_prefix(1);
  const std::string_view subtype = TakeToken(rest);
  if (subtype.empty()) {
    return std::nullopt;
  }
  return LowerAscii(type) + "/" + LowerAscii(subtype);
}

std::optional<std::string> TakeValue(std::string_view& rest) {
  if (rest.starts_with('"')) {
    return TakeQuoted(rest);
  }
  const std::string_view token = TakeToken(rest);
  return token.empty() ? std::nullopt : std::optional<std::string>(token);
}

/// Takes `name=value` off the front.
Result<ContentType::Parameter> TakeParameter(std::string_view& rest) {
  const std::string_view name = TakeToken(rest);
  if (name.empty() || !rest.starts_with('=')) {
    return Fail(ErrorCode::kInvalidArgument,
                "content type with a parameter that is not name=value");
  }
  rest.remove_prefix(1);
  std::optional<std::string> value = TakeValue(rest);
  if (!value) {
    return Fail(ErrorCode::kInvalidArgument,
                "content type with a bad value of its parameter " + LowerAscii(name));
  }
  return ContentType::Parameter{.name = LowerAscii(name), .value = *std::move(value)};
}

Result<void> AddParameter(ContentType& content_type, ContentType::Parameter parameter) {
  if (content_type.Find(parameter.name)) {
    return Fail(ErrorCode::kInvalidArgument, "content type with two parameters " + parameter.name);
  }
  if (content_type.parameters.size() == kContentTypeParametersMax) {
    return Fail(ErrorCode::kLimitExceeded, "content type with too many parameters");
  }
  content_type.parameters.push_back(std::move(parameter));
  return {};
}

}  // namespace

bool ContentType::Is(std::string_view media_type) const {
  return EqualsIgnoringCase(type, media_type);
}

std::optional<std::string_view> ContentType::Find(std::string_view name) const {
  const auto found = std::ranges::find_if(parameters, [name](const Parameter& parameter) {
    return EqualsIgnoringCase(parameter.name, name);
  });
  if (found == parameters.end()) {
    return std::nullopt;
  }
  return found->value;
}

Result<ContentType> ParseContentType(std::string_view text) {
  std::string_view rest = TrimSpace(text);
  ContentType content_type;
  std::optional<std::string> type = TakeType(rest);
  if (!type) {
    return Fail(ErrorCode::kInvalidArgument, "content type that is not type/subtype");
  }
  content_type.type = *std::move(type);
  // RFC 9110 §5.6.6: spaces around a semicolon, and parameters that are not there, mean nothing.
  for (rest = TrimSpace(rest); !rest.empty(); rest = TrimSpace(rest)) {
    if (!rest.starts_with(';')) {
      return Fail(ErrorCode::kInvalidArgument,
                  "content type with something but a semicolon "
                  "between its parameters");
    }
    rest = TrimSpace(rest.substr(1));
    if (rest.empty() || rest.starts_with(';')) {
      continue;
    }
    ASSIGN_OR_RETURN(ContentType::Parameter parameter, TakeParameter(rest));
    RETURN_IF_ERROR(AddParameter(content_type, std::move(parameter)));
  }
  return content_type;
}

std::string RenderContentType(const ContentType& content_type) {
  std::string text = content_type.type;
  for (const ContentType::Parameter& parameter : content_type.parameters) {
    text += "; " + parameter.name + "=" + RenderWord(parameter.value);
  }
  return text;
}

}  // namespace atrium::http

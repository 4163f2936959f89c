// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/urlencoded.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "http/percent.h"

namespace atrium::http {
namespace {

Result<FormField> ParseField(std::string_view piece) {
  const std::size_t equals = std::min(piece.find('='), piece.size());
  FormField field;
  ASSIGN_OR_RETURN(field.name, FormDecode(piece.substr(0, equals)));
  ASSIGN_OR_RETURN(field.value, FormDecode(piece.substr(std::min(equals + 1, piece.size()))));
  return field;
}

std::unexpected<Error> InField(std::size_t position, Error error) {
  const std::string place = "field " + std::to_string(position) + ": ";
  error.detail.insert(0, place);
  error.client_message.insert(0, place);
  return std::unexpected(std::move(error));
}

}  // namespace

std::optional<std::string_view> Form::Find(std::string_view name) const {
  const auto found = std::ranges::find(fields, name, &FormField::name);
  if (found == fields.end()) {
    return std::nullopt;
  }
  return found->value;
}

std::vector<std::string_view> Form::All(std::string_view name) const {
  std::vector<std::string_view> values;
  for (const FormField& field : fields) {
    if (field.name == name) {
      values.emplace_back(field.value);
    }
  }
  return values;
}

Result<Form> ParseForm(std::string_view text, const FormLimits& limits) {
  if (text.size() > limits.bytes_max) {
    return Fail(ErrorCode::kLimitExceeded,
                "form of more than " + std::to_string(limits.bytes_max) + " bytes");
  }
  Form form;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('&'), text.size());
    const std::string_view piece = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (piece.empty()) {
      continue;
    }
    if (form.fields.size() == limits.fields_max) {
      return Fail(ErrorCode::kLimitExceeded,
                  "form of more than " + std::to_string(limits.fields_max) + " fields");
    }
    Result<FormField> field = ParseField(piece);
    if (!field) {
      return InField(form.fields.size() + 1, std::move(field).error());
    }
    form.fields.push_back(*std::move(field));
  }
  return form;
}

std::string RenderForm(const Form& form) {
  std::string text;
  for (const FormField& field : form.fields) {
    if (!text.empty()) {
      text.push_back('&');
    }
    text += PercentEncode(field.name);
    text.push_back('=');
    text += PercentEncode(field.value);
  }
  return text;
}

}  // namespace atrium::http

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace atrium::http {

struct FormField {
  std::string name;
  std::string value;

  bool operator==(const FormField&) const = default;
};

/// The fields of a query or of a form, in the order they were sent, repeated ones included.
struct Form {
  std::vector<FormField> fields;

  /// The first value sent under this name. The view lives as long as the form is unchanged.
  std::optional<std::string_view> Find(std::string_view name) const;

  /// Every value sent under this name, in order.
  std::vector<std::string_view> All(std::string_view name) const;

  bool operator==(const Form&) const = default;
};

struct FormLimits {
  std::size_t fields_max = 1000;
  std::size_t bytes_max = std::size_t{1} << 20U;  ///< Of the whole text, still encoded.
};

/// Reads `a=1&b=two+words`: the part of a URL after the question mark, or a body of type
/// application/x-www-form-urlencoded.
///
/// A piece without an equals sign is a field with an empty value; empty pieces are skipped.
/// kLimitExceeded past a limit; kInvalidArgument, naming the field by its position, for a bad
/// escape or for text that is not UTF-8.
Result<Form> ParseForm(std::string_view text, const FormLimits& limits = {});

/// The text that ParseForm reads back as the same form.
std::string RenderForm(const Form& form);

}  // namespace atrium::http

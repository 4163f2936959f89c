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

/// A media type as in Content-Type (RFC 9110 §8.3.1): `text/html; charset="utf-8"`.
struct ContentType {
  struct Parameter {
    std::string name;   ///< Lower case.
    std::string value;  ///< As sent, without quotes and escapes.

    bool operator==(const Parameter&) const = default;
  };

  std::string type;  ///< Lower case, with its subtype: "text/html".
  std::vector<Parameter> parameters;

  /// Whatever the case of `media_type` ("application/json") and whatever the parameters.
  bool Is(std::string_view media_type) const;

  /// The value of the parameter of this name, in any case. The view lives as long as this object.
  std::optional<std::string_view> Find(std::string_view name) const;

  bool operator==(const ContentType&) const = default;
};

inline constexpr std::size_t kContentTypeParametersMax = 16;

/// kInvalidArgument for anything the grammar does not allow, and for a parameter given twice, since
/// two readers would then read two different things; kLimitExceeded for too many parameters.
Result<ContentType> ParseContentType(std::string_view text);

/// The text that ParseContentType reads back as the same.
std::string RenderContentType(const ContentType& content_type);

}  // namespace atrium::http

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/method.h"

#include <array>
#include <cstdlib>

namespace atrium::http {

std::string_view Name(Method method) {
  switch (method) {
    case Method::kGet:
      return "GET";
    case Method::kHead:
      return "HEAD";
    case Method::kPost:
      return "POST";
    case Method::kPut:
      return "PUT";
    case Method::kPatch:
      return "PATCH";
    case Method::kDelete:
      return "DELETE";
    case Method::kOptions:
      return "OPTIONS";
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

std::optional<Method> ParseMethod(std::string_view text) {
  static constexpr std::array kAll{Method::kGet,   Method::kHead,   Method::kPost,   Method::kPut,
                                   Method::kPatch, Method::kDelete, Method::kOptions};
  for (const Method method : kAll) {
    if (Name(method) == text) {
      return method;
    }
  }
  return std::nullopt;
}

}  // namespace atrium::http

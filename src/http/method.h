// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace atrium::http {

/// The methods routes can have. HEAD and OPTIONS are answered by the router itself.
enum class Method : std::uint8_t { kGet, kHead, kPost, kPut, kPatch, kDelete, kOptions };

inline constexpr std::size_t kMethodCount = 7;

/// "GET", "POST", ... as on the wire.
std::string_view Name(Method method);

/// nullopt for methods no route of ours can have.
std::optional<Method> ParseMethod(std::string_view text);

/// RFC 9110 §9.2.1: asks for nothing to change.
constexpr bool IsSafe(Method method) {
  return method == Method::kGet || method == Method::kHead || method == Method::kOptions;
}

}  // namespace atrium::http

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <expected>
#include <source_location>
#include <string>
#include <utility>

#include "base/error.h"

namespace atrium {

/// A value, or why there is none. A function that may fail returns this and never throws.
template <typename T>
using Result = std::expected<T, Error>;

/// A failure that both the log and the client may read in the same words.
inline std::unexpected<Error> Fail(ErrorCode code, std::string message,
                                   std::source_location where = std::source_location::current()) {
  std::string detail = message;
  return std::unexpected(Error{.code = code,
                               .detail = std::move(detail),
                               .client_message = std::move(message),
                               .where = where});
}

/// A failure whose words are for the log alone; the client gets the stock phrase for `code`.
inline std::unexpected<Error> FailPrivately(
    ErrorCode code, std::string detail,
    std::source_location where = std::source_location::current()) {
  return std::unexpected(
      Error{.code = code, .detail = std::move(detail), .client_message = {}, .where = where});
}

/// The same error with what was being done in front of its detail.
inline std::unexpected<Error> While(std::string_view doing, Error error) {
  error.detail.insert(0, std::string(doing) + ": ");
  return std::unexpected(std::move(error));
}

}  // namespace atrium

// NOLINTBEGIN(bugprone-macro-parentheses): the arguments are a declaration and an expression.
#define ATRIUM_CONCAT_(a, b) a##b
#define ATRIUM_CONCAT(a, b) ATRIUM_CONCAT_(a, b)

/// Leaves the function with the error of `expression`, if it has one.
#define RETURN_IF_ERROR(expression)                              \
  do {                                                           \
    if (auto atrium_outcome = (expression); !atrium_outcome) {   \
      return std::unexpected(std::move(atrium_outcome).error()); \
    }                                                            \
  } while (false)

/// Declares (or assigns) `target` from the value of `expression`, or leaves with its error.
#define ASSIGN_OR_RETURN(target, expression) \
  ASSIGN_OR_RETURN_(ATRIUM_CONCAT(atrium_result_, __LINE__), target, expression)
#define ASSIGN_OR_RETURN_(result, target, expression)             \
  auto result = (expression);                                     \
  if (!result) return std::unexpected(std::move(result).error()); \
  target = std::move(*result)
// NOLINTEND(bugprone-macro-parentheses)

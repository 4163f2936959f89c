// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <type_traits>

#include "base/error.h"
#include "base/result.h"

namespace atrium {

/// Lets GoogleTest print an Error inside a failed Result.
inline void PrintTo(const Error& error, std::ostream* out) {
  *out << Describe(error);
}

/// The result holds a value.
MATCHER(IsOk, negation ? "is an error" : "is ok") {
  if (arg.has_value()) {
    return true;
  }
  *result_listener << Describe(arg.error());
  return false;
}

/// The result holds a value that matches `inner`.
MATCHER_P(Holds, inner,
          "holds a value that " +
              ::testing::DescribeMatcher<typename std::remove_cvref_t<arg_type>::value_type>(
                  inner, negation)) {
  if (!arg.has_value()) {
    *result_listener << Describe(arg.error());
    return false;
  }
  return ::testing::ExplainMatchResult(inner, *arg, result_listener);
}

/// The result is an error of exactly this code. There is deliberately no "is some error".
MATCHER_P(FailsWith, code, std::string("fails with ") + std::string(Name(code))) {
  if (arg.has_value()) {
    *result_listener << "which holds a value";
    return false;
  }
  *result_listener << Describe(arg.error());
  return arg.error().code == code;
}

/// The result is an error of this code whose client message contains `text`.
MATCHER_P2(FailsSaying, code, text,
           std::string("fails with ") + std::string(Name(code)) + " saying \"" + text + "\"") {
  if (arg.has_value()) {
    *result_listener << "which holds a value";
    return false;
  }
  *result_listener << Describe(arg.error()) << ", client message \"" << arg.error().client_message
                   << "\"";
  return arg.error().code == code && arg.error().client_message.find(text) != std::string::npos;
}

}  // namespace atrium

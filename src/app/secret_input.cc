// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/secret_input.h"

#include <cstddef>
#include <string>

#include "app/config_values.h"
#include "app/input_file.h"
#include "base/error.h"
#include "base/result.h"

namespace atrium::app {
namespace {

constexpr std::size_t kBytesMax = 4096;

}  // namespace

Result<std::string> ReadSecretInput(const std::string& path) {
  ASSIGN_OR_RETURN(std::string text, ReadInputFile(path, kBytesMax));
  if (text.ends_with('\n')) {
    text.pop_back();
  }
  if (text.ends_with('\r')) {
    text.pop_back();
  }
  if (text.empty()) {
    return Fail(ErrorCode::kInvalidArgument,
                Printable(path == "-" ? "standard input" : path) + ": is empty");
  }
  return text;
}

}  // namespace atrium::app

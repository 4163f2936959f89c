// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/names.h"

#include <string>

#include "base/utf8.h"

namespace atrium::files {
namespace {

std::unexpected<Error> BadName(std::string_view problem) {
  return Fail(ErrorCode::kInvalidArgument, std::string("name: ").append(problem));
}

}  // namespace

Result<void> CheckName(std::string_view name) {
  if (name.empty()) {
    return BadName("must not be empty");
  }
  if (name.size() > kNameBytesMax) {
    return BadName("longer than " + std::to_string(kNameBytesMax) + " bytes");
  }
  if (name == "." || name == "..") {
    return BadName("\".\" and \"..\" are not names");
  }
  if (name.contains('/')) {
    return BadName("must not contain \"/\"");
  }
  if (name.contains('\0')) {
    return BadName("must not contain NUL");
  }
  if (!IsValidUtf8(name)) {
    return BadName("not UTF-8");
  }
  return {};
}

}  // namespace atrium::files

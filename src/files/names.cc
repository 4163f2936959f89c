// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/names.h"

#include <cstddef>
#include <string>

#include "base/utf8.h"

namespace atrium::files {
namespace {

std::unexpected<Error> BadName(std::string_view problem) {
  return Fail(ErrorCode::kInvalidArgument, std::string("name: ").append(problem));
}

/// How many bytes the control character has with which the text begins; zero: it begins with
/// another one. The lines and paragraphs of Unicode are among them.
std::size_t ControlAt(std::string_view text) {
  const auto first = static_cast<unsigned char>(text.front());
  if (first < 0x20 || first == 0x7F) {
    return 1;
  }
  // U+0080 to U+009F.
  if (first == 0xC2 && text.size() > 1 && static_cast<unsigned char>(text[1]) < 0xA0) {
    return 2;
  }
  return text.starts_with("\u2028") || text.starts_with("\u2029") ? 3 : 0;
}

}  // namespace

std::string WithoutControls(std::string_view name, char instead) {
  std::string without;
  while (!name.empty()) {
    const std::size_t control = ControlAt(name);
    without += control > 0 ? instead : name.front();
    name.remove_prefix(control > 0 ? control : 1);
  }
  return without;
}

Result<void> CheckNewName(std::string_view name) {
  RETURN_IF_ERROR(CheckName(name));
  for (; !name.empty(); name.remove_prefix(1)) {
    if (ControlAt(name) > 0) {
      return BadName("must not contain line breaks or other control characters");
    }
  }
  return {};
}

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

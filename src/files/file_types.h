// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace atrium::files {

/// How a file is handed to a browser.
struct FileType {
  /// A literal.
  std::string_view media_type = "application/octet-stream";
  /// Whether a browser may show it at all: nothing that could run in it, whoever wrote the file.
  bool is_harmless = false;
};

/// By the end of its name. What could run in a browser (HTML, SVG, XML and their kin) is plain
/// bytes.
FileType TypeOf(std::string_view name);

/// The value of Content-Disposition (RFC 6266) for a file of that name, whatever the name holds.
/// `is_shown`: in the browser, instead of being kept.
std::string DispositionOf(std::string_view name, bool is_shown);

}  // namespace atrium::files

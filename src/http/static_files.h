// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "http/reply.h"
#include "http/request.h"

namespace atrium::http {

/// A file built into the binary, with its compressed twins where they are smaller.
struct StaticFile {
  /// Without the leading slash: "assets/app.css".
  std::string_view path;
  std::string_view content_type;
  /// SHA-256 of the plain bytes, in hex.
  std::string_view hash;
  std::string_view plain;
  std::string_view gzip;    ///< Empty: not worth it.
  std::string_view brotli;  ///< Empty: not worth it.
};

/// The file of that path in the form the client likes best. kNotFound when there is none: only the
/// listed paths exist, so that no spelling of ".." can mean anything.
///
/// Names under assets/ carry a hash of what they hold and may be kept for ever; the rest is asked
/// for again and answered with 304 when it is unchanged.
Result<Reply> ServeStatic(std::span<const StaticFile> files, const Request& request,
                          std::string_view path);

}  // namespace atrium::http

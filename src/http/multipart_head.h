// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace atrium::http {

/// What the head of one part of a form says of it (RFC 7578 §4).
struct PartHead {
  /// The name of the field. Like the file name, UTF-8 without control characters but the tab.
  std::string name;
  /// nullopt for a plain field. Empty when a person left a file input empty. A label chosen by the
  /// sender: it may contain slashes, or be "..", and must not become a path as it is.
  std::optional<std::string> filename = {};
  /// As sent, and not checked to be a media type; empty when absent.
  std::string content_type = {};

  bool operator==(const PartHead&) const = default;
};

/// Reads the header lines of a part, each with its CRLF, without the empty line behind them.
///
/// A file name may be a quoted string or, going before that, `filename*` in UTF-8 (RFC 5987).
/// Of backslashes only those before a quote or a backslash are escapes, since browsers have always
/// sent Windows paths as they are. Percent escapes in a quoted string are left alone: they cannot
/// be told from a name that really contains them.
///
/// kInvalidArgument for lines that are not headers, without a `Content-Disposition: form-data` that
/// names the field, when a header or parameter we use comes twice, for names that are not UTF-8,
/// and for a Content-Transfer-Encoding that would need decoding.
Result<PartHead> ParsePartHead(std::string_view lines);

/// The boundary of a multipart/form-data content type; kInvalidArgument when it is another type, or
/// when the boundary is missing or not one of RFC 2046 §5.1.1.
Result<std::string> BoundaryOf(std::string_view content_type);

/// One to seventy of the characters RFC 2046 §5.1.1 allows, not ending in a space.
bool IsBoundary(std::string_view text);

}  // namespace atrium::http

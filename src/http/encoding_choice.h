// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace atrium::http {

enum class ContentEncoding : std::uint8_t { kIdentity, kGzip, kBrotli };

/// As in Content-Encoding: "identity", "gzip", "br".
std::string_view Name(ContentEncoding encoding);

/// Which of the `available` forms of a body to send to a client with this Accept-Encoding header
/// (RFC 9110 §12.5.3). `available` is in the order of our preference, which decides between forms
/// the client likes equally well.
///
/// Without the header the answer is identity: who says nothing may be a tool that would store the
/// compressed bytes as they are. Elements that do not follow the grammar are passed over. nullopt
/// when the client refuses everything we have; the caller may send identity all the same, or 406.
std::optional<ContentEncoding> ChooseEncoding(std::optional<std::string_view> accept_encoding,
                                              std::span<const ContentEncoding> available);

}  // namespace atrium::http

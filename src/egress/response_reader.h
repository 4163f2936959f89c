// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "egress/message.h"

namespace atrium::egress {

/// Puts a response together from the pieces in which it arrives, within bounds.
class ResponseReader {
 public:
  enum class Bound : std::uint8_t { kNone, kHeaders, kBody };

  explicit ResponseReader(std::size_t body_bytes_max) : body_bytes_max_(body_bytes_max) {}

  /// One line with its line end: a status line, a header or the empty line behind them. The status
  /// line of a later response (after "100 Continue") starts again; trailers are counted and
  /// dropped. False once the header lines together are too long.
  bool AddHeaderLine(std::string_view line);
  /// False once the body is too long.
  bool AddBody(std::string_view piece);

  /// Which bound was passed, if one was.
  Bound Excess() const { return excess_; }
  bool IsSuccess() const { return response_.status >= 200 && response_.status < 300; }
  OutgoingResponse Take();

 private:
  enum class Part : std::uint8_t { kHeaders, kBody };

  std::size_t body_bytes_max_;
  std::size_t header_bytes_ = 0;
  Bound excess_ = Bound::kNone;
  Part part_ = Part::kHeaders;
  OutgoingResponse response_;
};

}  // namespace atrium::egress

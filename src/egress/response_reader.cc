// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "egress/response_reader.h"

#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "egress/message.h"
#include "egress/transfer.h"

namespace atrium::egress {
namespace {

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

/// "HTTP/1.1 200 OK" or "HTTP/2 200"; 0 when there is no number where one belongs.
int StatusOf(std::string_view line) {
  const std::string_view rest = line.substr(std::min(line.find(' '), line.size() - 1) + 1);
  int status = 0;
  std::from_chars(rest.data(), rest.data() + rest.size(), status);
  return status;
}

}  // namespace

bool ResponseReader::AddHeaderLine(std::string_view line) {
  header_bytes_ += line.size();
  if (header_bytes_ > kHeaderBytesMax) {
    excess_ = Bound::kHeaders;
    return false;
  }
  const std::string_view text = Trimmed(line);
  if (text.starts_with("HTTP/")) {
    response_ = OutgoingResponse{.status = StatusOf(text)};
    part_ = Part::kHeaders;
    return true;
  }
  if (text.empty()) {
    part_ = Part::kBody;
  }
  const std::size_t colon = text.find(':');
  if (part_ == Part::kHeaders && colon != std::string_view::npos) {
    response_.headers.push_back({.name = std::string(Trimmed(text.substr(0, colon))),
                                 .value = std::string(Trimmed(text.substr(colon + 1)))});
  }
  return true;
}

bool ResponseReader::AddBody(std::string_view piece) {
  if (piece.size() > body_bytes_max_ - response_.body.size()) {
    excess_ = Bound::kBody;
    return false;
  }
  response_.body += piece;
  return true;
}

OutgoingResponse ResponseReader::Take() {
  return std::move(response_);
}

}  // namespace atrium::egress

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/multipart.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/error.h"
#include "base/result.h"
#include "http/grammar.h"
#include "http/multipart_head.h"

namespace atrium::http {
namespace {

constexpr std::string_view kLineEnd = "\r\n";

/// White space that mail gateways once added behind a boundary; nobody needs more.
constexpr std::size_t kTailBytesMax = 64;

std::unexpected<Error> InPart(std::size_t number, Error error) {
  const std::string place = "part " + std::to_string(number) + ": ";
  error.detail.insert(0, place);
  if (!error.client_message.empty()) {
    error.client_message.insert(0, place);
  }
  return std::unexpected(std::move(error));
}

}  // namespace

MultipartParser::MultipartParser(std::string_view boundary, const MultipartLimits& limits,
                                 MultipartHandler& handler)
    : delimiter_("\r\n--" + std::string(boundary)),
      limits_(limits),
      handler_(handler),
      matched_(kLineEnd.size()) {
  // The search relies on the boundary holding no CR.
  Check(IsBoundary(boundary), "the boundary is one of RFC 2046");
}

Result<void> MultipartParser::Feed(std::string_view bytes) {
  Result<void> outcome = Consume(bytes);
  if (!outcome) {
    state_ = State::kClosed;
  }
  return outcome;
}

Result<void> MultipartParser::Finish() {
  if (std::exchange(state_, State::kClosed) != State::kEpilogue) {
    return Fail(ErrorCode::kInvalidArgument, "form ends before its last boundary");
  }
  return {};
}

Result<void> MultipartParser::Consume(std::string_view bytes) {
  while (!bytes.empty()) {
    switch (state_) {
      case State::kPreamble:
      case State::kBody:
        RETURN_IF_ERROR(ScanForDelimiter(bytes));
        break;
      case State::kTail:
        RETURN_IF_ERROR(ReadTail(bytes));
        break;
      case State::kHead:
        RETURN_IF_ERROR(ReadHead(bytes));
        break;
      case State::kEpilogue:
        return {};
      case State::kClosed:
        return Fail(ErrorCode::kInvalidArgument, "form goes on after its end or an error");
    }
  }
  return {};
}

/// Hands on what is surely data and holds back what may be the beginning of a delimiter.
///
/// A CR stands only at the very front of the delimiter, so a search for it never has to go back,
/// and data without one is passed over at the speed of memchr.
Result<void> MultipartParser::ScanForDelimiter(std::string_view& bytes) {
  if (matched_ > 0) {
    return ResumeMatch(bytes);
  }
  std::size_t at = 0;
  while (at < bytes.size()) {
    const void* const found = std::memchr(bytes.data() + at, '\r', bytes.size() - at);
    if (found == nullptr) {
      break;
    }
    at = static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data());
    const std::size_t length = std::min(bytes.size() - at, delimiter_.size());
    if (std::memcmp(found, delimiter_.data(), length) == 0) {
      RETURN_IF_ERROR(EmitData(bytes.substr(0, at)));
      bytes.remove_prefix(at + length);
      matched_ = length;
      return length == delimiter_.size() ? DelimiterFound() : Result<void>();
    }
    ++at;
  }
  return EmitData(std::exchange(bytes, {}));
}

Result<void> MultipartParser::ResumeMatch(std::string_view& bytes) {
  const std::string_view missing = std::string_view(delimiter_).substr(matched_);
  const std::size_t length = std::min(missing.size(), bytes.size());
  if (!bytes.starts_with(missing.substr(0, length))) {
    // What was held back is data. The bytes at hand stay: a delimiter may begin among them.
    return EmitData(std::string_view(delimiter_).substr(0, std::exchange(matched_, 0)));
  }
  bytes.remove_prefix(length);
  matched_ += length;
  return matched_ == delimiter_.size() ? DelimiterFound() : Result<void>();
}

Result<void> MultipartParser::EmitData(std::string_view bytes) {
  if (state_ != State::kBody || bytes.empty()) {
    return {};
  }
  return handler_.OnData(bytes);
}

Result<void> MultipartParser::DelimiterFound() {
  matched_ = 0;
  line_.clear();
  const State before = std::exchange(state_, State::kTail);
  return before == State::kBody ? handler_.OnPartEnd() : Result<void>();
}

/// What follows a boundary on its line: two hyphens for the last one, else white space.
Result<void> MultipartParser::ReadTail(std::string_view& bytes) {
  line_.push_back(bytes.front());
  bytes.remove_prefix(1);
  if (line_ == "--") {
    state_ = State::kEpilogue;
    return {};
  }
  if (line_.ends_with(kLineEnd)) {
    line_.resize(line_.size() - kLineEnd.size());
    if (!TrimSpace(line_).empty()) {
      return Fail(ErrorCode::kInvalidArgument, "something but white space behind a boundary");
    }
    line_.clear();
    state_ = State::kHead;
    return {};
  }
  if (line_.size() > kTailBytesMax) {
    return Fail(ErrorCode::kInvalidArgument, "boundary that does not end its line");
  }
  return {};
}

Result<void> MultipartParser::ReadHead(std::string_view& bytes) {
  const std::size_t newline = bytes.find('\n');
  const std::size_t length = newline == std::string_view::npos ? bytes.size() : newline + 1;
  if (line_.size() + length > limits_.head_bytes_max) {
    return Fail(ErrorCode::kLimitExceeded, "part " + std::to_string(parts_ + 1) +
                                               ": headers of more than " +
                                               std::to_string(limits_.head_bytes_max) + " bytes");
  }
  line_.append(bytes.substr(0, length));
  bytes.remove_prefix(length);
  const bool whole = line_ == kLineEnd || line_.ends_with("\r\n\r\n");
  return whole ? BeginPart() : Result<void>();
}

Result<void> MultipartParser::BeginPart() {
  if (parts_ == limits_.parts_max) {
    return Fail(ErrorCode::kLimitExceeded,
                "form of more than " + std::to_string(limits_.parts_max) + " parts");
  }
  ++parts_;
  line_.resize(line_.size() - kLineEnd.size());
  const Result<PartHead> head = ParsePartHead(line_);
  if (!head) {
    return InPart(parts_, head.error());
  }
  line_.clear();
  state_ = State::kBody;
  return handler_.OnPart(*head);
}

}  // namespace atrium::http

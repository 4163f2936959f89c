// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/request_parser.h"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/optional/optional.hpp>

namespace atrium::http {
namespace {

using BeastError = boost::beast::http::error;

std::string_view Std(boost::beast::string_view view) {
  return {view.data(), view.size()};
}

}  // namespace

RequestParser::RequestParser(Head& head, Limits limits) : head_(head), limits_(limits) {
  head_.text.clear();
  head_.spans.clear();
  header_limit(static_cast<std::uint32_t>(limits.head_bytes));
  // Each route has its own limit, checked by whoever takes the body.
  body_limit(boost::none);
}

std::size_t RequestParser::Feed(std::string_view input) {
  std::size_t used = 0;
  while (used < input.size() && !is_done() && !NeedsMore(input.size() - used)) {
    const bool head_was_done = is_header_done();
    ErrorCode error;
    const std::size_t count = put({input.data() + used, input.size() - used}, error);
    used += count;
    head_bytes_ += head_was_done ? 0 : count;
    if (error && error != BeastError::need_more) {
      fault_ = FaultOf(error);
      return used;
    }
    if (error || (!head_was_done && is_header_done())) {
      break;
    }
  }
  // Beast measures what is unread; a head of many short lines, each read as it comes, is longer.
  if (head_bytes_ > limits_.head_bytes) {
    fault_ = Fault::kHeadTooLarge;
  }
  return used;
}

/// What is left of an unfinished chunked body is at least "0\r\n\r\n", and Beast asserts that it
/// sees that much of the last chunk at once.
bool RequestParser::NeedsMore(std::size_t unread_bytes) const {
  return is_header_done() && chunked() && unread_bytes < 5;
}

void RequestParser::GiveUp() {
  if (fault_ == Fault::kNone) {
    fault_ = Fault::kMalformed;
  }
}

void RequestParser::TakeBodyWith(BodyTaker& taker) {
  taker_ = &taker;
  eager(true);
}

std::string_view RequestParser::MethodText() const {
  return std::string_view(head_.text).substr(0, head_.method_bytes);
}

std::string_view RequestParser::Target() const {
  return std::string_view(head_.text).substr(head_.method_bytes, head_.target_bytes);
}

void RequestParser::ListFields(Headers& headers) const {
  const std::string_view text = head_.text;
  for (const Head::Span& span : head_.spans) {
    headers.Add(text.substr(span.offset, span.name_bytes),
                text.substr(span.offset + span.name_bytes, span.value_bytes));
  }
}

std::optional<std::uint64_t> RequestParser::ContentLength() const {
  const Length length = content_length();
  return length ? std::optional(*length) : std::nullopt;
}

void RequestParser::on_request_impl(boost::beast::http::verb /*method*/, View method_text,
                                    View target, int version, ErrorCode& /*error*/) {
  http_1_1_ = version == 11;
  head_.text.append(Std(method_text)).append(Std(target));
  head_.method_bytes = method_text.size();
  head_.target_bytes = target.size();
}

void RequestParser::on_response_impl(int /*code*/, View /*reason*/, int /*version*/,
                                     ErrorCode& error) {
  error = BeastError::bad_method;
}

void RequestParser::on_field_impl(boost::beast::http::field /*field*/, View name, View value,
                                  ErrorCode& error) {
  if (head_complete_) {
    return;  // Trailers must not become headers: nobody has checked them.
  }
  if (head_.spans.size() >= limits_.fields) {
    error = BeastError::header_limit;
    return;
  }
  head_.spans.push_back({.offset = static_cast<std::uint32_t>(head_.text.size()),
                         .name_bytes = static_cast<std::uint32_t>(name.size()),
                         .value_bytes = static_cast<std::uint32_t>(value.size())});
  head_.text.append(Std(name)).append(Std(value));
}

void RequestParser::on_header_impl(ErrorCode& /*error*/) {
  head_complete_ = true;
}

void RequestParser::on_body_init_impl(const Length& /*length*/, ErrorCode& /*error*/) {}

std::size_t RequestParser::on_body_impl(View body, ErrorCode& error) {
  if (taker_ == nullptr || !taker_->Take(Std(body))) {
    body_refused_ = true;
    error = BeastError::body_limit;
  }
  return body.size();
}

void RequestParser::on_chunk_header_impl(std::uint64_t /*size*/, View /*extensions*/,
                                         ErrorCode& /*error*/) {}

std::size_t RequestParser::on_chunk_body_impl(std::uint64_t /*remain*/, View body,
                                              ErrorCode& error) {
  return on_body_impl(body, error);
}

void RequestParser::on_finish_impl(ErrorCode& /*error*/) {}

RequestParser::Fault RequestParser::FaultOf(ErrorCode error) const {
  if (body_refused_) {
    return Fault::kBodyTooLarge;
  }
  if (error == BeastError::header_limit || error == BeastError::buffer_overflow) {
    return Fault::kHeadTooLarge;
  }
  if (error == BeastError::bad_version) {
    return Fault::kVersion;
  }
  return Fault::kMalformed;
}

}  // namespace atrium::http

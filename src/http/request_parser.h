// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/beast/http/basic_parser.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/headers.h"

namespace atrium::http {

/// Takes the body of a request as it is found in the input.
class BodyTaker {
 public:
  virtual ~BodyTaker() = default;
  /// A view into the input, gone with it. False refuses the rest: the body is too long.
  virtual bool Take(std::string_view piece) = 0;
};

/// Reads one request from bytes that arrive in any portions: Beast's state machine, with storage
/// that is kept from one request to the next instead of a node per header.
class RequestParser final : private boost::beast::http::basic_parser<true> {
 public:
  struct Limits {
    std::size_t head_bytes = 0;
    std::size_t fields = 0;
  };

  /// What stopped the parser.
  enum class Fault : std::uint8_t { kNone, kMalformed, kHeadTooLarge, kVersion, kBodyTooLarge };

  /// The text of a head; lives in the connection so that its memory is used again.
  struct Head {
    std::string text;
    struct Span {
      std::uint32_t offset = 0;
      std::uint32_t name_bytes = 0;
      std::uint32_t value_bytes = 0;
    };
    std::vector<Span> spans;
    std::size_t method_bytes = 0;
    std::size_t target_bytes = 0;
  };

  RequestParser(Head& head, Limits limits);

  /// Understands what it can of `input` and answers how many bytes that were. Stops behind the
  /// head, and behind the request. Check FirstFault() after each call.
  std::size_t Feed(std::string_view input);

  bool HeadDone() const { return is_header_done(); }
  bool Done() const { return is_done(); }
  Fault FirstFault() const { return fault_; }

  /// Calls what it has been given malformed: a line of a chunk that does not end, say.
  void GiveUp();

  /// Where the body goes; set between the head and the first byte of the body.
  void TakeBodyWith(BodyTaker& taker);

  // Valid once the head is done.
  std::string_view MethodText() const;
  std::string_view Target() const;
  void ListFields(Headers& headers) const;
  bool IsHttp11() const { return http_1_1_; }
  bool KeepAlive() const { return keep_alive(); }
  bool IsChunked() const { return chunked(); }
  std::optional<std::uint64_t> ContentLength() const;

 private:
  using ErrorCode = boost::beast::error_code;
  using View = boost::beast::string_view;
  using Length = boost::optional<std::uint64_t>;

  void on_request_impl(boost::beast::http::verb method, View method_text, View target, int version,
                       ErrorCode& error) override;
  void on_response_impl(int code, View reason, int version, ErrorCode& error) override;
  void on_field_impl(boost::beast::http::field field, View name, View value,
                     ErrorCode& error) override;
  void on_header_impl(ErrorCode& error) override;
  void on_body_init_impl(const Length& length, ErrorCode& error) override;
  std::size_t on_body_impl(View body, ErrorCode& error) override;
  void on_chunk_header_impl(std::uint64_t size, View extensions, ErrorCode& error) override;
  std::size_t on_chunk_body_impl(std::uint64_t remain, View body, ErrorCode& error) override;
  void on_finish_impl(ErrorCode& error) override;

  bool NeedsMore(std::size_t unread_bytes) const;
  Fault FaultOf(ErrorCode error) const;

  Head& head_;
  const Limits limits_;
  BodyTaker* taker_ = nullptr;
  std::size_t head_bytes_ = 0;
  Fault fault_ = Fault::kNone;
  bool http_1_1_ = true;
  bool head_complete_ = false;
  bool body_refused_ = false;
};

}  // namespace atrium::http

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/api_exchange.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/describe/class.hpp>
#include <boost/none.hpp>
#include <boost/optional/optional.hpp>
#include <boost/system/error_code.hpp>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/json_read.h"
#include "base/result.h"
#include "http/control_socket.h"
#include "http/method.h"

namespace atrium::app {
namespace {

namespace beast = boost::beast;

/// The members of a problem document that a command needs.
struct Problem {
  std::string title{};
  std::string code{};
  std::string detail{};
};
BOOST_DESCRIBE_STRUCT(Problem, (), (title, code, detail))

std::unexpected<Error> WentAway(std::string_view why) {
  return Fail(ErrorCode::kUnavailable, fmt::format("the server went away: {}", why));
}

Result<void> SendAll(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) {
      continue;
    }
    if (sent < 0) {
      return WentAway(std::generic_category().message(errno));
    }
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return {};
}

/// What has arrived, waiting for something; empty at the end.
Result<std::string_view> ReceiveSome(int socket, std::span<char> buffer) {
  for (;;) {
    const ssize_t count = ::recv(socket, buffer.data(), buffer.size(), 0);
    if (count >= 0) {
      return std::string_view(buffer.data(), static_cast<std::size_t>(count));
    }
    if (errno != EINTR) {
      return WentAway(std::generic_category().message(errno));
    }
  }
}

/// Takes a reply as it arrives.
class ReplyReader {
 public:
  /// `receive`: nullptr, when the body is to be kept.
  explicit ReplyReader(const Receive* receive) : receive_(receive) {
    parser_.body_limit(receive == nullptr ? boost::optional<std::uint64_t>(kReplyBytesMax)
                                          : boost::none);
    parser_.eager(true);
  }

  Result<void> Take(std::string_view bytes) {
    unread_ += bytes;
    std::string_view rest = unread_;
    while (!rest.empty() && !parser_.is_done()) {
      boost::system::error_code error;
      const std::size_t consumed =
          parser_.put(boost::asio::const_buffer(rest.data(), rest.size()), error);
      rest.remove_prefix(consumed);
      if (error && error != beast::http::error::need_more) {
        return WentAway("its answer makes no sense");
      }
      if (error || consumed == 0) {
        break;
      }
    }
    unread_.erase(0, unread_.size() - rest.size());
    HandOver();
    return {};
  }

  bool IsDone() const { return parser_.is_done(); }

  Result<ApiReply> Finish() const {
    if (!parser_.is_done()) {
      return WentAway("its answer broke off");
    }
    const auto& message = parser_.get();
    return ApiReply{.status = static_cast<int>(message.result_int()),
                    .body = message.body(),
                    .after = std::string(message[kAfterHeader])};
  }

 private:
  void HandOver() {
    if (receive_ == nullptr || !parser_.is_header_done() || parser_.get().result_int() / 100 != 2) {
      return;
    }
    std::string& body = parser_.get().body();
    if (!body.empty()) {
      (*receive_)(body);
      body.clear();
    }
  }

  const Receive* receive_;
  beast::http::response_parser<beast::http::string_body> parser_{};
  std::string unread_{};
};

Result<ApiReply> Exchange(const std::string& path, const ApiRequest& request, ReplyReader reader) {
  ASSIGN_OR_RETURN(const std::optional<Descriptor> socket, http::ConnectToControlSocket(path));
  if (!socket) {
    return WentAway("nobody listens");
  }
  const std::string message = fmt::format(
      "{} {} HTTP/1.1\r\nHost: control\r\nConnection: close\r\nUser-Agent: atrium\r\n"
      "Content-Type: {}\r\nContent-Length: {}\r\n\r\n{}",
      http::Name(request.method), request.target, request.content_type, request.body.size(),
      request.body);
  RETURN_IF_ERROR(SendAll(socket->Get(), message));
  std::array<char, 16384> buffer{};
  while (!reader.IsDone()) {
    ASSIGN_OR_RETURN(const std::string_view received, ReceiveSome(socket->Get(), buffer));
    if (received.empty()) {
      break;
    }
    RETURN_IF_ERROR(reader.Take(received));
  }
  ASSIGN_OR_RETURN(ApiReply reply, reader.Finish());
  return Judge(std::move(reply));
}

}  // namespace

Result<ApiReply> AskControlSocket(const std::string& path, const ApiRequest& request) {
  return Exchange(path, request, ReplyReader(nullptr));
}

Result<void> StreamControlSocket(const std::string& path, const ApiRequest& request,
                                 const Receive& receive) {
  RETURN_IF_ERROR(Exchange(path, request, ReplyReader(&receive)));
  return {};
}

Result<ApiReply> ReadApiReply(std::string_view reply) {
  ReplyReader reader(nullptr);
  RETURN_IF_ERROR(reader.Take(reply));
  return reader.Finish();
}

Result<ApiReply> Judge(ApiReply reply) {
  if (reply.status >= 200 && reply.status < 300) {
    return reply;
  }
  const Result<Problem> problem = FromJson<Problem>(
      reply.body, {.unknown = OnUnknown::kIgnore, .missing = OnMissing::kKeepDefault});
  if (!problem || problem->title.empty()) {
    return Fail(ErrorCode::kUnavailable,
                fmt::format("an answer with status {} that is not one of Atrium", reply.status));
  }
  return Fail(CodeNamed(problem->code), problem->detail.empty() ? problem->title : problem->detail);
}

ErrorCode CodeNamed(std::string_view name) {
  for (int number = 0; number <= static_cast<int>(ErrorCode::kInternal); ++number) {
    if (Name(static_cast<ErrorCode>(number)) == name) {
      return static_cast<ErrorCode>(number);
    }
  }
  return ErrorCode::kInternal;
}

}  // namespace atrium::app

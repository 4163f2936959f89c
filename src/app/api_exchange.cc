// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/api_exchange.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/describe/class.hpp>
#include <boost/system/error_code.hpp>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <optional>
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

Result<std::string> ReceiveAll(int socket) {
  std::string received;
  char buffer[16384];
  for (;;) {
    const ssize_t count = ::recv(socket, buffer, sizeof buffer, 0);
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return WentAway(std::generic_category().message(errno));
    }
    if (count == 0) {
      return received;
    }
    received.append(buffer, static_cast<std::size_t>(count));
  }
}

}  // namespace

Result<ApiReply> AskControlSocket(const std::string& path, const ApiRequest& request) {
  ASSIGN_OR_RETURN(const std::optional<Descriptor> socket, http::ConnectToControlSocket(path));
  if (!socket) {
    return WentAway("nobody listens");
  }
  const std::string message = fmt::format(
      "{} {} HTTP/1.1\r\nHost: control\r\nConnection: close\r\nUser-Agent: atrium\r\n"
      "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
      http::Name(request.method), request.target, request.body.size(), request.body);
  RETURN_IF_ERROR(SendAll(socket->Get(), message));
  ASSIGN_OR_RETURN(const std::string received, ReceiveAll(socket->Get()));
  ASSIGN_OR_RETURN(ApiReply reply, ReadApiReply(received));
  return Judge(std::move(reply));
}

Result<ApiReply> ReadApiReply(std::string_view reply) {
  beast::http::response_parser<beast::http::string_body> parser;
  parser.body_limit(std::uint64_t{kReplyBytesMax});
  parser.eager(true);
  while (!reply.empty() && !parser.is_done()) {
    boost::system::error_code error;
    const std::size_t consumed =
        parser.put(boost::asio::const_buffer(reply.data(), reply.size()), error);
    if (error || consumed == 0) {
      return WentAway("its answer makes no sense");
    }
    reply.remove_prefix(consumed);
  }
  if (!parser.is_done()) {
    return WentAway("its answer broke off");
  }
  const auto& message = parser.get();
  return ApiReply{.status = static_cast<int>(message.result_int()),
                  .body = message.body(),
                  .after = std::string(message[kAfterHeader])};
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

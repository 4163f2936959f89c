// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/control_client.h"

#include <fmt/format.h>
#include <sys/socket.h>

#include <boost/describe/class.hpp>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "app/open_store.h"
#include "base/descriptor.h"
#include "base/error.h"
#include "base/json_read.h"
#include "base/result.h"
#include "http/control_socket.h"

namespace atrium::app {
namespace {

/// The members of a problem document that a command needs.
struct Problem {
  std::string title{};
  std::string code{};
  std::string detail{};
};
BOOST_DESCRIBE_STRUCT(Problem, (), (title, code, detail))

std::unexpected<Error> Broken(std::string_view why) {
  return Fail(ErrorCode::kUnavailable, fmt::format("the server went away: {}", why));
}

Result<void> SendAll(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) {
      continue;
    }
    if (sent < 0) {
      return Broken(std::generic_category().message(errno));
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
      return Broken(std::generic_category().message(errno));
    }
    if (count == 0) {
      return received;
    }
    received.append(buffer, static_cast<std::size_t>(count));
  }
}

std::optional<std::size_t> LengthIn(std::string_view head) {
  constexpr std::string_view kName = "\r\nContent-Length: ";
  const std::size_t at = head.find(kName);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view digits = head.substr(at + kName.size());
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
  return error == std::errc{} ? std::optional(length) : std::nullopt;
}

std::unexpected<Error> ErrorIn(std::string_view body) {
  const Result<Problem> problem =
      FromJson<Problem>(body, {.unknown = OnUnknown::kIgnore, .missing = OnMissing::kKeepDefault});
  if (!problem) {
    return Broken("its answer makes no sense");
  }
  return Fail(CodeNamed(problem->code), problem->detail.empty() ? problem->title : problem->detail);
}

}  // namespace

ErrorCode CodeNamed(std::string_view name) {
  for (int number = 0; number <= static_cast<int>(ErrorCode::kInternal); ++number) {
    if (Name(static_cast<ErrorCode>(number)) == name) {
      return static_cast<ErrorCode>(number);
    }
  }
  return ErrorCode::kInternal;
}

Result<std::string> ReadControlReply(std::string_view reply) {
  constexpr std::string_view kVersion = "HTTP/1.1 ";
  const std::size_t end = reply.find("\r\n\r\n");
  if (!reply.starts_with(kVersion) || end == std::string_view::npos) {
    return Broken("it did not answer");
  }
  const std::string_view body = reply.substr(end + 4);
  if (LengthIn(reply.substr(0, end)) != body.size()) {
    return Broken("its answer broke off");
  }
  if (reply.substr(kVersion.size(), 1) != "2") {
    return ErrorIn(body);
  }
  return std::string(body);
}

Result<std::optional<ControlClient>> ControlClient::Find(const Config& config) {
  std::string path = ControlSocketPath(config);
  ASSIGN_OR_RETURN(const std::optional<Descriptor> socket, http::ConnectToControlSocket(path));
  return socket ? std::optional(ControlClient(std::move(path))) : std::nullopt;
}

Result<std::string> ControlClient::Ask(std::string_view method, const std::string& target,
                                       const std::string& body) const {
  ASSIGN_OR_RETURN(const std::optional<Descriptor> socket, http::ConnectToControlSocket(path_));
  if (!socket) {
    return Broken("nobody listens");
  }
  const std::string request = fmt::format(
      "{} {} HTTP/1.1\r\nHost: control\r\nConnection: close\r\nUser-Agent: atrium\r\n"
      "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
      method, target, body.size(), body);
  RETURN_IF_ERROR(SendAll(socket->Get(), request));
  ASSIGN_OR_RETURN(const std::string reply, ReceiveAll(socket->Get()));
  return ReadControlReply(reply);
}

}  // namespace atrium::app

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/api_door.h"

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
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/control_client.h"
#include "app/local_api_door.h"
#include "app/open_store.h"
#include "app/outgoing.h"
#include "app/secret_input.h"
#include "base/clock.h"
#include "base/descriptor.h"
#include "base/error.h"
#include "base/ip_network.h"
#include "base/json_read.h"
#include "base/result.h"
#include "egress/client.h"
#include "egress/message.h"
#include "egress/url.h"
#include "http/control_socket.h"
#include "http/method.h"

namespace atrium::app {
namespace {

namespace beast = boost::beast;

constexpr std::string_view kAfter = "Atrium-After";
constexpr std::size_t kReplyBytesMax = std::size_t{256} << 20U;

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

/// The server that runs on the data folder.
class ControlDoor final : public ApiDoor {
 public:
  explicit ControlDoor(std::string path) : path_(std::move(path)) {}

  Asking As() const override { return Asking::kOperator; }

  Result<ApiReply> Ask(const ApiRequest& request) override {
    ASSIGN_OR_RETURN(const std::optional<Descriptor> socket, http::ConnectToControlSocket(path_));
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

 private:
  const std::string path_;
};

/// A server somewhere. The operator names it, so any network may be called.
class NetworkDoor final : public ApiDoor {
 public:
  struct Address {
    /// Without a slash at its end.
    std::string url;
    std::string token;
  };

  NetworkDoor(egress::ClientOptions options, Address address)
      : address_(std::move(address)), client_(std::move(options), clock_) {}

  Asking As() const override { return Asking::kPerson; }

  Result<ApiReply> Ask(const ApiRequest& request) override {
    egress::OutgoingRequest message{
        .method = std::string(http::Name(request.method)),
        .url = address_.url + request.target,
        .secret_headers = {{.name = "Authorization", .value = "Bearer " + address_.token}},
        .body = request.body,
        .response_bytes_max = kReplyBytesMax,
        // Whoever reads the error decides whether to try again.
        .retry = {.attempts_max = 1, .repeat = egress::Repeat::kNever}};
    if (!request.body.empty()) {
      message.headers.push_back({.name = "Content-Type", .value = "application/json"});
    }
    ASSIGN_OR_RETURN(egress::OutgoingResponse response, client_.Send(message));
    return Judge({.status = response.status,
                  .body = std::move(response.body),
                  .after = std::string(response.FindHeader(kAfter).value_or(""))});
  }

 private:
  const Address address_;
  const SystemClock clock_;
  egress::Client client_;
};

Result<std::string> FindToken(const ServerAccess& access) {
  if (!access.token_file.empty()) {
    return ReadSecretInput(access.token_file);
  }
  // Read before any thread is started.
  const char* variable = std::getenv("ATRIUM_TOKEN");  // NOLINT(concurrency-mt-unsafe)
  if (variable == nullptr || *variable == '\0') {
    return Fail(ErrorCode::kInvalidArgument,
                "--server needs a token: name its file with --token-file, or set ATRIUM_TOKEN");
  }
  return std::string(variable);
}

Result<std::unique_ptr<ApiDoor>> OpenNetworkDoor(const Config& config, const ServerAccess& access) {
  ASSIGN_OR_RETURN(egress::Url url, egress::ParseUrl(access.url));
  if (url.text.contains('?')) {
    return Fail(ErrorCode::kInvalidArgument, "--server takes a URL without a query");
  }
  while (url.text.ends_with('/')) {
    url.text.pop_back();
  }
  ASSIGN_OR_RETURN(std::string token, FindToken(access));
  egress::ClientOptions options = OutgoingOptions(config);
  for (const std::string_view everything : {"0.0.0.0/0", "::/0"}) {
    ASSIGN_OR_RETURN(Network network, ParseNetwork(everything));
    options.allowed.push_back(network);
  }
  return std::make_unique<NetworkDoor>(
      std::move(options),
      NetworkDoor::Address{.url = std::move(url.text), .token = std::move(token)});
}

}  // namespace

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
                  .after = std::string(message[kAfter])};
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

Result<std::unique_ptr<ApiDoor>> OpenApiDoor(const Config& config, const ServerAccess& access,
                                             NoStore no_store) {
  if (!access.url.empty()) {
    return OpenNetworkDoor(config, access);
  }
  std::string path = ControlSocketPath(config);
  ASSIGN_OR_RETURN(const std::optional<Descriptor> socket, http::ConnectToControlSocket(path));
  if (socket) {
    return std::make_unique<ControlDoor>(std::move(path));
  }
  return OpenLocalApiDoor(config, no_store);
}

}  // namespace atrium::app

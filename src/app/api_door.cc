// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/api_door.h"

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/api_exchange.h"
#include "app/local_api_door.h"
#include "app/open_store.h"
#include "app/outgoing.h"
#include "app/secret_input.h"
#include "base/clock.h"
#include "base/descriptor.h"
#include "base/error.h"
#include "base/ip_network.h"
#include "base/result.h"
#include "egress/client.h"
#include "egress/message.h"
#include "egress/url.h"
#include "http/control_socket.h"
#include "http/method.h"

namespace atrium::app {
namespace {

/// The server that runs on the data folder.
class ControlDoor final : public ApiDoor {
 public:
  explicit ControlDoor(std::string path) : path_(std::move(path)) {}

  Asking As() const override { return Asking::kOperator; }

  Result<ApiReply> Ask(const ApiRequest& request) override {
    return AskControlSocket(path_, request);
  }

  Result<void> Stream(const ApiRequest& request, const Receive& receive) override {
    return StreamControlSocket(path_, request, receive);
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

  Result<ApiReply> Ask(const ApiRequest& request) override { return Send(request, {}); }

  Result<void> Stream(const ApiRequest& request, const Receive& receive) override {
    RETURN_IF_ERROR(Send(request, receive));
    return {};
  }

 private:
  Result<ApiReply> Send(const ApiRequest& request, const Receive& receive) {
    egress::OutgoingRequest message{
        .method = std::string(http::Name(request.method)),
        .url = address_.url + request.target,
        .secret_headers = {{.name = "Authorization", .value = "Bearer " + address_.token}},
        .body = request.body,
        .timeout = request.timeout,
        .response_bytes_max = kReplyBytesMax,
        // Whoever reads the error decides whether to try again.
        .retry = {.attempts_max = 1, .repeat = egress::Repeat::kNever},
        .receive = receive};
    if (!request.body.empty()) {
      message.headers.push_back(
          {.name = "Content-Type", .value = std::string(request.content_type)});
    }
    ASSIGN_OR_RETURN(egress::OutgoingResponse response, client_.Send(message));
    return Judge({.status = response.status,
                  .body = std::move(response.body),
                  .after = std::string(response.FindHeader(kAfterHeader).value_or(""))});
  }

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

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/socket_handshake.h"

#include "base/base64.h"
#include "base/hash.h"
#include "http/grammar.h"
#include "http/headers.h"
#include "http/problem.h"
#include "http/socket.h"

namespace atrium::http {
namespace {

constexpr std::string_view kVersion = "13";
/// RFC 6455 §1.3.
constexpr std::string_view kGuid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
constexpr std::size_t kKeyBytes = 16;

/// Whether a header that is a list of tokens, such as Connection, has this one, whatever its case.
bool Lists(const Headers& headers, std::string_view name, std::string_view token) {
  const std::string list = headers.Join(name);
  std::string_view rest = list;
  while (!rest.empty()) {
    if (EqualsIgnoringCase(TakeUntil(rest, ','), token)) {
      return true;
    }
  }
  return false;
}

Reply UpgradeRequired(const Request& request) {
  Reply reply =
      ProblemReply(426, "this address speaks WebSocket of version 13, and only that", request.id);
  reply.headers.emplace_back("Upgrade", "websocket");
  reply.headers.emplace_back("Connection", "Upgrade");
  reply.headers.emplace_back("Sec-WebSocket-Version", kVersion);
  return reply;
}

bool IsKey(std::string_view text) {
  const Result<std::string> bytes = DecodeBase64(text);
  return bytes && bytes->size() == kKeyBytes;
}

}  // namespace

std::optional<Reply> HandshakeFault(const Request& request, bool http_1_1) {
  const Headers& headers = request.headers;
  const bool asks = request.method == Method::kGet && http_1_1 &&
                    Lists(headers, "Upgrade", "websocket") &&
                    Lists(headers, "Connection", "upgrade");
  if (!asks || headers.Join("Sec-WebSocket-Version") != kVersion) {
    return UpgradeRequired(request);
  }
  if (headers.Count("Sec-WebSocket-Key") != 1 || !IsKey(headers.Get("Sec-WebSocket-Key"))) {
    return ProblemReply(400, "Sec-WebSocket-Key is 16 bytes in Base64, once", request.id);
  }
  return std::nullopt;
}

std::string AcceptOf(std::string_view key) {
  Sha1 hash;
  hash.Update(key);
  hash.Update(kGuid);
  return EncodeBase64(hash.Finish());
}

void AppendSwitch(std::string& out, const Request& request, std::string_view protocol) {
  out.append(
      "HTTP/1.1 101 Switching Protocols\r\n"
      "Upgrade: websocket\r\n"
      "Connection: Upgrade\r\n"
      "Sec-WebSocket-Accept: ");
  out.append(AcceptOf(request.headers.Get("Sec-WebSocket-Key"))).append("\r\n");
  if (!protocol.empty() && OffersProtocol(request, protocol)) {
    out.append("Sec-WebSocket-Protocol: ").append(protocol).append("\r\n");
  }
  out.append("X-Request-Id: ").append(request.id).append("\r\n\r\n");
}

}  // namespace atrium::http

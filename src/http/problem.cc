// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/problem.h"

#include <string>
#include <utility>

#include "base/json_text.h"
#include "http/status.h"

namespace atrium::http {
namespace {

std::string Render(int status, std::string_view code, std::string_view detail,
                   std::string_view request_id) {
  std::string json = R"({"type":"about:blank","title":)";
  AppendJsonString(json, Phrase(status));
  json.append(R"(,"status":)").append(std::to_string(status));
  if (!code.empty()) {
    json.append(R"(,"code":)");
    AppendJsonString(json, code);
  }
  if (!detail.empty()) {
    json.append(R"(,"detail":)");
    AppendJsonString(json, detail);
  }
  json.append(R"(,"request_id":)");
  AppendJsonString(json, request_id);
  json.append("}\n");
  return json;
}

Reply Problem(int status, std::string json) {
  return {.status = status, .content_type = "application/problem+json", .body = std::move(json)};
}

}  // namespace

Reply ProblemReply(int status, std::string_view detail, std::string_view request_id) {
  return Problem(status, Render(status, {}, detail, request_id));
}

Reply ErrorReply(const Error& error, std::string_view request_id) {
  const int status = HttpStatus(error.code);
  Reply reply = Problem(status, Render(status, Name(error.code), error.client_message, request_id));
  if (error.retry_after.count() > 0) {
    AddRetryAfter(reply, error.retry_after);
  }
  return reply;
}

void AddRetryAfter(Reply& reply, std::chrono::seconds delay) {
  reply.headers.emplace_back("Retry-After", std::to_string(delay.count()));
}

}  // namespace atrium::http

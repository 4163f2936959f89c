// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "app/api_exchange.h"
#include "app/config.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "base/result.h"
#include "http/method.h"

namespace atrium::app {

/// Talks to the server that runs on a data folder, through its control socket.
class ControlClient {
 public:
  /// nullopt when no server runs there.
  static Result<std::optional<ControlClient>> Find(const Config& config);

  /// The answer as a described struct. Errors are those that the server answered with; kUnavailable
  /// when it went away.
  template <typename Answer>
  Result<Answer> Get(const std::string& path) const {
    return Ask<Answer>({.method = http::Method::kGet, .target = path});
  }
  template <typename Answer>
  Result<Answer> Post(const std::string& path) const {
    return Ask<Answer>({.method = http::Method::kPost, .target = path});
  }
  template <typename Answer, typename Question>
  Result<Answer> Post(const std::string& path, const Question& question) const {
    return Ask<Answer>({.method = http::Method::kPost, .target = path, .body = ToJson(question)});
  }

 private:
  explicit ControlClient(std::string path) : path_(std::move(path)) {}

  template <typename Answer>
  Result<Answer> Ask(const ApiRequest& request) const {
    ASSIGN_OR_RETURN(const ApiReply reply, AskControlSocket(path_, request));
    // The server may be of a later release than the command.
    return FromJson<Answer>(reply.body,
                            {.unknown = OnUnknown::kIgnore, .missing = OnMissing::kKeepDefault});
  }

  std::string path_;
};

}  // namespace atrium::app

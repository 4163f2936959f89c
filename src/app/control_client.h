// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/config.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "base/result.h"

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
    ASSIGN_OR_RETURN(const std::string body, Ask("GET", path, {}));
    return Read<Answer>(body);
  }
  template <typename Answer>
  Result<Answer> Post(const std::string& path) const {
    ASSIGN_OR_RETURN(const std::string body, Ask("POST", path, {}));
    return Read<Answer>(body);
  }
  template <typename Answer, typename Question>
  Result<Answer> Post(const std::string& path, const Question& question) const {
    ASSIGN_OR_RETURN(const std::string body, Ask("POST", path, ToJson(question)));
    return Read<Answer>(body);
  }

 private:
  explicit ControlClient(std::string path) : path_(std::move(path)) {}

  Result<std::string> Ask(std::string_view method, const std::string& target,
                          const std::string& body) const;

  /// The server may be of a later release than the command.
  template <typename Answer>
  static Result<Answer> Read(const std::string& body) {
    return FromJson<Answer>(body,
                            {.unknown = OnUnknown::kIgnore, .missing = OnMissing::kKeepDefault});
  }

  std::string path_;
};

/// A reply read up to the end of its connection: its body, or the error it tells of.
Result<std::string> ReadControlReply(std::string_view reply);

/// The code that a problem document names; kInternal for a name nobody knows.
ErrorCode CodeNamed(std::string_view name);

}  // namespace atrium::app

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "app/api_exchange.h"
#include "app/config.h"
#include "app/identity_actions.h"
#include "base/result.h"

namespace atrium::app {

/// As whom a door asks.
enum class Asking : std::uint8_t {
  kOperator,  ///< Who may do everything, and is nobody in particular.
  kPerson,    ///< The owner of a token.
};

/// A way to the HTTP API of a server, for commands. Whichever it is, the same routes answer, under
/// the same rules.
class ApiDoor {
 public:
  ApiDoor() = default;
  ApiDoor(const ApiDoor&) = delete;
  ApiDoor& operator=(const ApiDoor&) = delete;
  virtual ~ApiDoor() = default;

  virtual Asking As() const = 0;
  /// kUnavailable when the server cannot be reached or went away.
  virtual Result<ApiReply> Ask(const ApiRequest& request) = 0;
  /// Asks for what is long, or never ends: the body is handed over as it comes. kUnavailable also
  /// when it broke off.
  virtual Result<void> Stream(const ApiRequest& request, const Receive& receive) = 0;
};

/// What is done with a data folder that has no store yet.
enum class NoStore : std::uint8_t {
  kRefuse,
  kMake,  ///< The first account of a server may be made before its first start.
};

/// The door that leads to the server the command means: the one at a URL; else the one that runs on
/// the data folder; else this process, on the store of that folder, for as long as the door lives.
/// `config` outlives the door.
Result<std::unique_ptr<ApiDoor>> OpenApiDoor(const Config& config, const ServerAccess& access,
                                             NoStore no_store);

}  // namespace atrium::app

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ip_network.h"
#include "base/result.h"
#include "http/request.h"
#include "http/route.h"

namespace atrium::app {

/// The people who run the server, by where they sit and by what they call it.
struct Operators {
  std::vector<Network> networks{};
  /// Host names beside those that `is_ours` knows; in lower case, without a port.
  std::vector<std::string> hosts{};
  /// Whether this server is reached by the host of a request. Empty: by none. Bounded reads only.
  std::function<bool(const http::Request&)> is_ours{};
};

/// Lets in whoever sits in one of the given networks, or comes by the control socket.
///
/// A proxy on this machine that nobody declared as trusted would make all the world look local, so
/// a request from here that says it was forwarded is refused. The page of a stranger would look
/// local, too, whose own name suddenly leads to this machine (DNS rebinding): the browser then
/// names that host. So the host must be an address, "localhost", or a name that is known to be
/// ours.
class OperatorsRule final : public http::AccessRule {
 public:
  explicit OperatorsRule(Operators operators) : operators_(std::move(operators)) {}

  std::string_view Name() const override { return "operators"; }
  Result<std::shared_ptr<const http::Principal>> Admit(const http::Request& request) const override;

 private:
  bool KnowsHost(const http::Request& request) const;

  const Operators operators_;
};

}  // namespace atrium::app

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/ip_network.h"
#include "base/result.h"
#include "egress/http_sender.h"
#include "egress/message.h"
#include "egress/resolver.h"
#include "egress/sleeper.h"

namespace atrium::egress {

struct ClientOptions {
  /// Networks that may be called although they are not public.
  std::vector<Network> allowed{};
  std::string user_agent = "Atrium";
  /// A file of certificates trusted instead of the system's; empty: the system's.
  std::string ca_bundle{};
  /// "http://proxy.example:3128"; empty: direct connections. Proxies of the environment are
  /// ignored. With a proxy, names are resolved and connections made by it: the guard then judges
  /// only URLs that name an address, and the proxy must refuse private networks itself.
  std::string proxy{};
  /// Null: the machine's own.
  std::shared_ptr<Resolver> resolver{};
  std::shared_ptr<Sleeper> sleeper{};
  /// Fractions in [0, 1) that spread the waits between retries; null: random ones.
  std::function<double()> fraction{};
};

/// Calls other servers, over libcurl, without ever reaching a network that was not allowed.
///
/// A host is looked up once per Send; what came out and passed the guard is pinned for all attempts
/// and redirects of that Send, so a name that changes its mind between the check and the connection
/// gains nothing. Redirects are followed here, each judged like a first request. Connections are
/// kept and used again. Any thread; `clock` outlives the client.
class Client final : public HttpSender {
 public:
  Client(ClientOptions options, const Clock& clock);
  ~Client() override;

  Result<OutgoingResponse> Send(const OutgoingRequest& request) override;

 private:
  class Call;
  struct Parts;

  std::unique_ptr<Parts> parts_;
};

}  // namespace atrium::egress

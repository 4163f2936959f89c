// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/outgoing.h"

#include <chrono>

#include "app/version.h"

namespace atrium::app {

egress::ClientOptions OutgoingOptions(const Config& config) {
  return {.allowed = config.egress.allowed_networks,
          .user_agent = "Atrium/" + std::string(kVersion),
          .ca_bundle = config.egress.ca_bundle,
          .proxy = config.egress.proxy};
}

Result<std::string> TryOutgoing(const Config& config, const Clock& clock, const std::string& url) {
  egress::Client client(OutgoingOptions(config), clock);
  ASSIGN_OR_RETURN(
      const egress::OutgoingResponse response,
      client.Send({.url = url, .timeout = std::chrono::seconds(30), .redirects_max = 5}));
  return std::to_string(response.status) + ", " + std::to_string(response.body.size()) +
         " bytes from " + response.effective_url;
}

}  // namespace atrium::app

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/config.h"
#include "base/clock.h"
#include "base/result.h"
#include "egress/client.h"

namespace atrium::app {

/// How the server calls others, as configured.
egress::ClientOptions OutgoingOptions(const Config& config);

/// Calls the URL as the server would and says in one line what came of it: "200, 1256 bytes". An
/// error says why it cannot be called, such as that its address is a private one.
Result<std::string> TryOutgoing(const Config& config, const Clock& clock, const std::string& url);

}  // namespace atrium::app

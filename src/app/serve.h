// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/config.h"
#include "app/program.h"
#include "base/result.h"

namespace atrium::app {

/// Runs the server until SIGTERM or SIGINT, then answers what is open and returns. SIGHUP reads the
/// TLS certificate again and reopens the access log. Blocks those signals in the whole process.
Result<void> Serve(const Config& config, const Extension& extension);

}  // namespace atrium::app

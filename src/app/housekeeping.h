// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/config.h"
#include "base/clock.h"
#include "base/result.h"
#include "jobs/runner.h"

namespace atrium::app {

/// The jobs of the server itself: today, a daily look at how long the TLS certificate is still
/// good. `clock` outlives the runner.
Result<void> AddHousekeeping(jobs::Runner& runner, const Config& config, const Clock& clock);

/// kUnavailable, saying when, once the certificate ends within two weeks; so does its job fail, and
/// the failure is seen where jobs are seen.
Result<void> CheckCertificate(const TlsConfig& tls, Instant now);

}  // namespace atrium::app

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "app/config.h"
#include "app/store_operations.h"
#include "base/clock.h"
#include "base/instant.h"
#include "base/result.h"
#include "jobs/job.h"

namespace atrium::app {

/// The jobs of the server itself: a nightly backup of the store where a folder is set for it, and a
/// daily look at how long the TLS certificate is still good. What they are given outlives them.
std::vector<jobs::JobSpec> HousekeepingJobs(const Config& config, const Clock& clock,
                                            StoreOperations& operations);

/// kUnavailable, saying when, once the certificate ends within two weeks; so does its job fail, and
/// the failure is seen where jobs are seen.
Result<void> CheckCertificate(const TlsConfig& tls, Instant now);

}  // namespace atrium::app

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/housekeeping.h"

#include <chrono>
#include <string>

#include "base/log.h"
#include "http/tls.h"

namespace atrium::app {
namespace {

constexpr std::chrono::days kCertificateWarning{14};

}  // namespace

Result<void> CheckCertificate(const TlsConfig& tls, Instant now) {
  ASSIGN_OR_RETURN(const Instant end, http::CertificateEnd(tls.certificate));
  if (end - now > kCertificateWarning) {
    return {};
  }
  const std::string when = RenderInstant(end);
  log::Warn("the TLS certificate ends soon", {{"file", tls.certificate}, {"end", when}});
  return Fail(ErrorCode::kUnavailable, "the TLS certificate ends on " + when);
}

Result<void> AddHousekeeping(jobs::Runner& runner, const Config& config, const Clock& clock) {
  if (!config.tls.Enabled()) {
    return {};
  }
  return runner.Register({.name = "tls.certificate-end",
                          .schedule = jobs::Every{std::chrono::hours(24)},
                          .run = [tls = config.tls, &clock](jobs::JobContext&) {
                            return CheckCertificate(tls, clock.Now());
                          }});
}

}  // namespace atrium::app

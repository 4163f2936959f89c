// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "http/metrics.h"
#include "http/router.h"
#include "http/server_options.h"

namespace atrium::http {

/// An HTTP/1.1 server. Everything it needs is given to it and outlives it.
class Server {
 public:
  /// Binds the addresses and loads the certificate. kUnavailable, naming the address, when it is in
  /// use; kInvalidArgument, naming the file, when a certificate is no good. `access_log` is a
  /// descriptor for one JSON line per request, or -1.
  static Result<std::unique_ptr<Server>> Open(ServerOptions options, const Router& router,
                                              const Clock& clock, int access_log);
  virtual ~Server() = default;

  /// Serves from here on, on threads of its own.
  virtual void Start() = 0;

  /// Takes no more connections, answers what is open, closes what is idle, and returns when the
  /// last connection is gone or the drain time is over. True when nothing was cut off.
  virtual bool Drain() = 0;

  /// Reads the certificate files again; connections made from now on use them. On an error the
  /// ones in use stay.
  virtual Result<void> ReloadTls() = 0;

  /// With the ports that were given to us where zero was asked for.
  virtual const std::vector<ListenAddress>& Listening() const = 0;

  virtual const HttpMetrics& Metrics() const = 0;
};

}  // namespace atrium::http

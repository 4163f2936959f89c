// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "blobs/blobs.h"
#include "gauges/instruments.h"
#include "http/metrics.h"
#include "identity/identity.h"
#include "store/engine.h"

namespace atrium::app {

/// Reads what the gauges record off the parts of the server. All of them outlive it.
class GaugeReadings final : public gauges::Instruments {
 public:
  GaugeReadings(store::Engine& store, blobs::Blobs& blobs, identity::Identity& identity)
      : store_(store), blobs_(blobs), identity_(identity) {}

  Result<gauges::Reading> Read() override;

  /// From now on traffic counts, too; before the first reading. The metrics outlive the last one.
  void Watch(const http::HttpMetrics& traffic) { traffic_ = &traffic; }

 private:
  store::Engine& store_;
  blobs::Blobs& blobs_;
  identity::Identity& identity_;
  /// Null in commands, which serve nobody.
  const http::HttpMetrics* traffic_ = nullptr;
};

}  // namespace atrium::app

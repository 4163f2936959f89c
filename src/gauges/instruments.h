// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/result.h"

namespace atrium::gauges {

/// What is read off at one moment.
struct Reading {
  // Counted since the process began.
  std::uint64_t requests = 0;
  /// Of those, the ones that failed through the server's fault.
  std::uint64_t errors = 0;
  std::uint64_t bytes_in = 0;
  std::uint64_t bytes_out = 0;
  // As they are now.
  std::uint64_t store_bytes = 0;
  std::uint64_t blob_bytes = 0;
  std::uint64_t users = 0;
  /// Sessions that were used since they were read off last.
  std::uint64_t sessions = 0;
};

/// What is read.
class Instruments {
 public:
  Instruments() = default;
  Instruments(const Instruments&) = delete;
  Instruments& operator=(const Instruments&) = delete;
  virtual ~Instruments() = default;

  /// May block. One thread at a time.
  virtual Result<Reading> Read() = 0;
};

}  // namespace atrium::gauges

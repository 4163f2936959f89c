// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <curl/curl.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace atrium::egress {

/// Keeps libcurl's handles between calls, because open connections and TLS sessions live in them.
/// Any thread; a handle that was taken belongs to its taker alone until it is given back.
class HandlePool {
 public:
  /// Handles beyond these are closed when they come back.
  static constexpr std::size_t kIdleMax = 16;

  HandlePool();
  HandlePool(const HandlePool&) = delete;
  HandlePool& operator=(const HandlePool&) = delete;
  /// Every handle has been given back.
  ~HandlePool();

  struct GiveBack {
    HandlePool* pool;
    void operator()(CURL* handle) const;
  };
  using Handle = std::unique_ptr<CURL, GiveBack>;

  /// The handle used last, without the options of its last call; nullptr when memory ran out.
  Handle Take();

 private:
  std::mutex mutex_;
  // Guarded by mutex_.
  std::vector<CURL*> idle_;
};

}  // namespace atrium::egress

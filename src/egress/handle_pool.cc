// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "egress/handle_pool.h"

#include <curl/curl.h>

#include <csignal>
#include <mutex>

#include "base/check.h"

namespace atrium::egress {
namespace {

/// libcurl asks for one call before any other, and the whole process shares it.
CURLcode Initialise() {
  // Writing to a TLS connection that the other side has left raises SIGPIPE, and libcurl can only
  // suppress it by means that are not safe with threads. A handler somebody installed is left
  // alone.
  struct sigaction current{};
  if (sigaction(SIGPIPE, nullptr, &current) == 0 && current.sa_handler == SIG_DFL) {
    current.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &current, nullptr);
  }
  return curl_global_init(CURL_GLOBAL_DEFAULT);
}

void InitialiseOnce() {
  static const CURLcode outcome = Initialise();
  Check(outcome == CURLE_OK, "libcurl can be initialised");
}

}  // namespace

HandlePool::HandlePool() {
  InitialiseOnce();
  // Giving back must not have to find memory.
  idle_.reserve(kIdleMax);
}

HandlePool::~HandlePool() {
  for (CURL* handle : idle_) {
    curl_easy_cleanup(handle);
  }
}

HandlePool::Handle HandlePool::Take() {
  {
    const std::scoped_lock lock(mutex_);
    if (!idle_.empty()) {
      CURL* handle = idle_.back();
      idle_.pop_back();
      return Handle(handle, GiveBack{this});
    }
  }
  return Handle(curl_easy_init(), GiveBack{this});
}

void HandlePool::GiveBack::operator()(CURL* handle) const {
  // Forgets headers, bodies and credentials, and keeps the connections.
  curl_easy_reset(handle);
  {
    const std::scoped_lock lock(pool->mutex_);
    if (pool->idle_.size() < kIdleMax) {
      pool->idle_.push_back(handle);
      return;
    }
  }
  curl_easy_cleanup(handle);
}

}  // namespace atrium::egress

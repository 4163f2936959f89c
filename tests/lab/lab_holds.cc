// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <condition_variable>
#include <mutex>

#include "lab_routes.h"

namespace atrium::lab {
namespace {

using http::Anyone;
using http::Method;
using http::Reply;
using http::Request;
using http::Work;

constexpr std::chrono::minutes kPatience{1};

/// Shut until it is opened; then open for good.
class Door {
 public:
  void Wait() {
    std::unique_lock lock(mutex_);
    opened_.wait_for(lock, kPatience, [this] { return open_; });
  }

  bool IsOpen() {
    const std::lock_guard lock(mutex_);
    return open_;
  }

  void Open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    opened_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool open_ = false;  // Guarded by mutex_.
};

Door& TheDoor() {
  static Door door;
  return door;
}

}  // namespace

Result<Reply> Hold() {
  TheDoor().Wait();
  return http::TextReply("held");
}

bool IsReleased() {
  return TheDoor().IsOpen();
}

void AddHolds(http::Router& router) {
  router.Add({.method = Method::kGet,
              .path = "/lab/hold",
              .access = Anyone(),
              .work = Work::kBlocking,
              .summary = "Occupies a worker until all are released"},
             [](const Request&) { return Hold(); });
  router.Add({.method = Method::kPost,
              .path = "/lab/release",
              .access = Anyone(),
              .work = Work::kQuick,
              .summary = "Releases all that are held, and those to come"},
             [](const Request&) -> Result<Reply> {
               TheDoor().Open();
               return http::EmptyReply();
             });
}

}  // namespace atrium::lab

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>

#include "store/change_signals.h"

namespace atrium::mail {

/// Sees to it that a letter leaves at once instead of with the next regular run: calls `wake` soon
/// after a commit that queued letters, once for any number of them. `wake` answers false when it
/// could not be done just then, and is called again soon: a run that is about to end does not see
/// the new letter any more. It is called on a thread of the courier's own, so it may block; it must
/// not throw. The destructor waits for it.
///
/// `signals` outlives the courier.
class Courier {
 public:
  Courier(store::ChangeSignals& signals, std::function<bool()> wake);
  Courier(const Courier&) = delete;
  Courier& operator=(const Courier&) = delete;
  ~Courier();

 private:
  void Run(const std::stop_token& stop);
  void WakeAgainSoon(const std::stop_token& stop);

  std::function<bool()> wake_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  // Guarded by mutex_.
  bool queued_ = false;
  // Ends before what it tells: see the destructor.
  store::ChangeSignals::Watch watch_;
  // Last: it uses all of the above.
  std::jthread thread_;
};

}  // namespace atrium::mail

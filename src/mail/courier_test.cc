// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "mail/courier.h"

#include <gtest/gtest.h>

#include <chrono>
#include <semaphore>

#include "mail/keys.h"
#include "store/change_log.h"
#include "store/change_signals.h"

namespace atrium::mail {
namespace {

TEST(CourierTest, WakesAfterEachLetterThatIsQueued) {
  store::ChangeSignals signals;
  std::binary_semaphore woken(0);
  const Courier courier(signals, [&] { woken.release(); });
  signals.Announce(kOutgoingAdded, kAddedTopic);
  woken.acquire();
  signals.Announce(kOutgoingAdded, kAddedTopic);
  woken.acquire();
}

TEST(CourierTest, LettersQueuedDuringACallAreNotForgotten) {
  store::ChangeSignals signals;
  std::binary_semaphore entered(0);
  std::binary_semaphore leave(0);
  const Courier courier(signals, [&] {
    entered.release();
    leave.acquire();
  });
  signals.Announce(kOutgoingAdded, kAddedTopic);
  entered.acquire();
  signals.Announce(kOutgoingAdded, kAddedTopic);
  leave.release();
  entered.acquire();
  leave.release();
}

TEST(CourierTest, EndsWithoutEverHavingBeenWoken) {
  store::ChangeSignals signals;
  int calls = 0;
  {
    const Courier courier(signals, [&] { ++calls; });
    signals.Announce(store::kChanges, kAddedTopic);
  }
  signals.Announce(kOutgoingAdded, kAddedTopic);
  EXPECT_EQ(calls, 0);
}

}  // namespace
}  // namespace atrium::mail

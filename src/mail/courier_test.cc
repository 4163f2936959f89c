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
  const Courier courier(signals, [&] {
    woken.release();
    return true;
  });
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
    return true;
  });
  signals.Announce(kOutgoingAdded, kAddedTopic);
  entered.acquire();
  signals.Announce(kOutgoingAdded, kAddedTopic);
  leave.release();
  entered.acquire();
  leave.release();
}

TEST(CourierTest, WakesAgainWhenItWasNotTheTime) {
  store::ChangeSignals signals;
  int calls = 0;
  std::binary_semaphore done(0);
  const Courier courier(signals, [&] {
    if (++calls < 3) {
      return false;
    }
    done.release();
    return true;
  });
  signals.Announce(kOutgoingAdded, kAddedTopic);
  done.acquire();
  EXPECT_EQ(calls, 3);
}

TEST(CourierTest, EndsWithoutEverHavingBeenWoken) {
  store::ChangeSignals signals;
  int calls = 0;
  {
    const Courier courier(signals, [&] { return ++calls > 0; });
    signals.Announce(store::kChanges, kAddedTopic);
  }
  signals.Announce(kOutgoingAdded, kAddedTopic);
  EXPECT_EQ(calls, 0);
}

}  // namespace
}  // namespace atrium::mail

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/blob_locks.h"

namespace atrium::blobs {

BlobLocks::Held& BlobLocks::AwaitUnlocked(Stripe& stripe, std::unique_lock<std::mutex>& lock,
                                          const BlobId& id) {
  Held& held = stripe.held[id];
  ++held.waiting;
  stripe.freed.wait(lock, [&held] { return !held.locked; });
  --held.waiting;
  return held;
}

void BlobLocks::DropIfUnheld(Stripe& stripe, const BlobId& id) {
  const auto found = stripe.held.find(id);
  const Held& held = found->second;
  if (held.pins == 0 && held.waiting == 0 && !held.locked) {
    stripe.held.erase(found);
  }
}

BlobLocks::Lock BlobLocks::Take(const BlobId& id) {
  Stripe& stripe = StripeOf(id);
  std::unique_lock lock(stripe.mutex);
  AwaitUnlocked(stripe, lock, id).locked = true;
  return {*this, id};
}

void BlobLocks::Pin(const BlobId& id) {
  Stripe& stripe = StripeOf(id);
  std::unique_lock lock(stripe.mutex);
  ++AwaitUnlocked(stripe, lock, id).pins;
}

void BlobLocks::Unpin(const BlobId& id) {
  Stripe& stripe = StripeOf(id);
  const std::scoped_lock lock(stripe.mutex);
  --stripe.held.at(id).pins;
  DropIfUnheld(stripe, id);
}

bool BlobLocks::Lock::IsPinned() const {
  Stripe& stripe = locks_->StripeOf(id_);
  const std::scoped_lock lock(stripe.mutex);
  return stripe.held.at(id_).pins > 0;
}

void BlobLocks::Lock::TurnIntoPin() {
  {
    Stripe& stripe = locks_->StripeOf(id_);
    const std::scoped_lock lock(stripe.mutex);
    ++stripe.held.at(id_).pins;
  }
  End();
}

void BlobLocks::Lock::End() {
  BlobLocks* const locks = std::exchange(locks_, nullptr);
  if (locks == nullptr) {
    return;
  }
  Stripe& stripe = locks->StripeOf(id_);
  {
    const std::scoped_lock lock(stripe.mutex);
    stripe.held.at(id_).locked = false;
    DropIfUnheld(stripe, id_);
  }
  stripe.freed.notify_all();
}

}  // namespace atrium::blobs

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/recent_rows.h"

#include <utility>

namespace atrium::rocks {
namespace {

/// Larger ones would push out too many others, and finding them is not what takes the time.
constexpr std::size_t kValueBytesMax = std::size_t{16} << 10;
/// What a row needs beside its bytes, about: nodes of list and map, the heads of two strings.
constexpr std::size_t kEntryOverhead = 192;

}  // namespace

std::size_t RecentRows::BytesOf(const Entry& entry) {
  return entry.key.size() + (entry.value ? entry.value->size() : 0) + kEntryOverhead;
}

void RecentRows::Remove(Stripe& stripe, std::uint64_t hash) {
  const auto found = stripe.by_hash.find(hash);
  if (found == stripe.by_hash.end()) {
    return;
  }
  stripe.bytes -= BytesOf(*found->second);
  stripe.entries.erase(found->second);
  stripe.by_hash.erase(found);
}

std::optional<RecentRows::Value> RecentRows::Find(std::string_view key, std::uint64_t hash) {
  Stripe& stripe = StripeOf(hash);
  const std::scoped_lock lock(stripe.mutex);
  const auto found = stripe.by_hash.find(hash);
  if (found == stripe.by_hash.end() || found->second->key != key) {
    misses_.fetch_add(1, std::memory_order_relaxed);
    return std::nullopt;
  }
  hits_.fetch_add(1, std::memory_order_relaxed);
  stripe.entries.splice(stripe.entries.begin(), stripe.entries, found->second);
  return found->second->value;
}

RecentRows::Ticket RecentRows::Draw(std::uint64_t hash) {
  Stripe& stripe = StripeOf(hash);
  const std::scoped_lock lock(stripe.mutex);
  return stripe.writes;
}

void RecentRows::Offer(std::string_view key, std::uint64_t hash, std::string_view value,
                       Ticket ticket) {
  if (value.size() > kValueBytesMax) {
    return;
  }
  Take({.key = std::string(key), .hash = hash, .value = std::make_shared<const std::string>(value)},
       ticket);
}

void RecentRows::OfferAbsence(std::string_view key, std::uint64_t hash, Ticket ticket) {
  Take({.key = std::string(key), .hash = hash, .value = nullptr}, ticket);
}

void RecentRows::Take(Entry entry, Ticket ticket) {
  const std::uint64_t hash = entry.hash;
  Stripe& stripe = StripeOf(hash);
  const std::scoped_lock lock(stripe.mutex);
  const bool being_written = stripe.writes % 2 == 1;
  if (stripe.writes != ticket || being_written) {
    return;
  }
  Remove(stripe, hash);
  stripe.bytes += BytesOf(entry);
  stripe.entries.push_front(std::move(entry));
  stripe.by_hash[hash] = stripe.entries.begin();
  while (stripe.bytes > stripe_bytes_max_) {
    Remove(stripe, stripe.entries.back().hash);
  }
}

void RecentRows::BeginWrite(std::uint64_t hash) {
  Stripe& stripe = StripeOf(hash);
  const std::scoped_lock lock(stripe.mutex);
  stripe.writes |= 1U;
  Remove(stripe, hash);
}

void RecentRows::EndWrite(std::uint64_t hash) {
  Stripe& stripe = StripeOf(hash);
  const std::scoped_lock lock(stripe.mutex);
  stripe.writes += stripe.writes % 2;
}

void RecentRows::Drop(std::uint64_t hash) {
  Stripe& stripe = StripeOf(hash);
  const std::scoped_lock lock(stripe.mutex);
  Remove(stripe, hash);
}

void RecentRows::Forget() {
  for (Stripe& stripe : stripes_) {
    const std::scoped_lock lock(stripe.mutex);
    stripe.writes += 2 - stripe.writes % 2;
    stripe.by_hash.clear();
    stripe.entries.clear();
    stripe.bytes = 0;
  }
}

std::size_t RecentRows::Bytes() {
  std::size_t bytes = 0;
  for (Stripe& stripe : stripes_) {
    const std::scoped_lock lock(stripe.mutex);
    bytes += stripe.bytes;
  }
  return bytes;
}

}  // namespace atrium::rocks

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/recent_rows.h"

#include <algorithm>
#include <utility>

namespace atrium::rocks {
namespace {

/// Larger ones would push out too many others, and finding them is not what takes the time.
constexpr std::size_t kValueBytesMax = std::size_t{16} << 10;
/// What a row needs beside its bytes, about: the gaps of two allocations and its place in a chain.
constexpr std::size_t kGapBytes = 32;
/// Rows of this size, key and all, would make chains of one row.
constexpr std::size_t kUsualRowBytes = 512;

}  // namespace

RecentRows::Row::Row(std::string_view key, std::uint64_t hash, Value value)
    : hash(hash), key_bytes(static_cast<std::uint32_t>(key.size())), absent(!value) {
  bytes.reserve(key.size() + value.value_or("").size());
  bytes.append(key).append(value.value_or(""));
}

RecentRows::Value RecentRows::Row::GetValue() const {
  return absent ? Value() : std::string_view(bytes).substr(key_bytes);
}

std::size_t RecentRows::Row::Bytes() const {
  return bytes.capacity() + sizeof(Row) + kGapBytes;
}

std::unique_ptr<RecentRows::Row>& RecentRows::Stripe::ChainOf(std::uint64_t hash) {
  return chains[hash / kStripes % chains.size()];
}

RecentRows::Row* RecentRows::Stripe::Find(std::uint64_t hash) {
  Row* row = ChainOf(hash).get();
  while (row != nullptr && row->hash != hash) {
    row = row->next.get();
  }
  return row;
}

void RecentRows::Stripe::Unlink(std::unique_ptr<Row>& link) {
  bytes -= link->Bytes();
  link = std::move(link->next);
}

void RecentRows::Stripe::Remove(std::uint64_t hash) {
  std::unique_ptr<Row>* link = &ChainOf(hash);
  while (*link != nullptr && (*link)->hash != hash) {
    link = &(*link)->next;
  }
  if (*link != nullptr) {
    Unlink(*link);
  }
}

void RecentRows::Stripe::LetOneGo() {
  while (true) {
    for (std::unique_ptr<Row>* link = &chains[hand]; *link != nullptr; link = &(*link)->next) {
      if (!std::exchange((*link)->read_lately, false)) {
        Unlink(*link);
        return;
      }
    }
    hand = (hand + 1) % chains.size();
  }
}

RecentRows::RecentRows(std::size_t bytes_max) : stripe_bytes_max_(bytes_max / kStripes) {
  for (Stripe& stripe : stripes_) {
    stripe.chains.resize(std::max<std::size_t>(1, stripe_bytes_max_ / kUsualRowBytes));
  }
}

RecentRows::Ticket RecentRows::Draw(std::uint64_t hash) {
  Stripe& stripe = StripeOf(hash);
  const std::scoped_lock lock(stripe.mutex);
  return stripe.writes;
}

void RecentRows::Offer(std::string_view key, std::uint64_t hash, Value value, Ticket ticket) {
  if (value.value_or("").size() > kValueBytesMax) {
    return;
  }
  auto row = std::make_unique<Row>(key, hash, value);
  Stripe& stripe = StripeOf(hash);
  const std::scoped_lock lock(stripe.mutex);
  const bool being_written = stripe.writes % 2 == 1;
  if (stripe.writes != ticket || being_written || row->Bytes() > stripe_bytes_max_) {
    return;
  }
  stripe.Remove(hash);
  while (stripe.bytes + row->Bytes() > stripe_bytes_max_) {
    stripe.LetOneGo();
  }
  stripe.bytes += row->Bytes();
  std::unique_ptr<Row>& chain = stripe.ChainOf(hash);
  row->next = std::move(chain);
  chain = std::move(row);
}

void RecentRows::BeginWrite(std::uint64_t hash) {
  Stripe& stripe = StripeOf(hash);
  const std::scoped_lock lock(stripe.mutex);
  stripe.writes |= 1U;
  stripe.Remove(hash);
}

void RecentRows::EndWrite(std::uint64_t hash) {
  Stripe& stripe = StripeOf(hash);
  const std::scoped_lock lock(stripe.mutex);
  stripe.writes += stripe.writes % 2;
}

void RecentRows::Drop(std::uint64_t hash) {
  Stripe& stripe = StripeOf(hash);
  const std::scoped_lock lock(stripe.mutex);
  stripe.Remove(hash);
}

void RecentRows::Forget() {
  for (Stripe& stripe : stripes_) {
    const std::scoped_lock lock(stripe.mutex);
    stripe.writes += 2 - stripe.writes % 2;
    std::ranges::fill(stripe.chains, nullptr);
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

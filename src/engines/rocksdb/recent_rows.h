// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace atrium::rocks {

/// Rows that were read lately, by their keys, as the database has them, and keys without a row. One
/// look-up here instead of one in every level of table files, so that a row which is read often
/// costs the same however many rows lie beside it.
///
/// It never shows a row that the database does not have: the writer takes a row out before it
/// writes and nobody may put it back until it has. A reader that saw the database before that
/// offers its row with a ticket from before, which is then worth nothing.
class RecentRows {
 public:
  explicit RecentRows(std::size_t bytes_max) : stripe_bytes_max_(bytes_max / kStripes) {}

  using Ticket = std::uint64_t;

  /// Null: there is no such row.
  using Value = std::shared_ptr<const std::string>;

  /// The value of the row; nullopt when it was not looked for lately.
  std::optional<Value> Find(std::string_view key, std::uint64_t hash);
  /// Before the database is read.
  Ticket Draw(std::uint64_t hash);
  /// After it was. Does nothing if the row may have been written since the ticket was drawn.
  void Offer(std::string_view key, std::uint64_t hash, std::string_view value, Ticket ticket);
  /// The same when there was no such row.
  void OfferAbsence(std::string_view key, std::uint64_t hash, Ticket ticket);

  /// Around a write of the row with this hash, by the one thread that writes. A write that failed
  /// is not ended: what it left behind is known when the database was opened again.
  void BeginWrite(std::uint64_t hash);
  void EndWrite(std::uint64_t hash);
  /// A compaction removes the row, which expired long ago.
  void Drop(std::uint64_t hash);
  /// The database was opened again.
  void Forget();

  std::uint64_t Hits() const { return hits_.load(std::memory_order_relaxed); }
  std::uint64_t Misses() const { return misses_.load(std::memory_order_relaxed); }
  std::size_t Bytes();

 private:
  struct Entry {
    std::string key;
    std::uint64_t hash = 0;
    Value value;
  };
  using Entries = std::list<Entry>;

  /// Rows of similar hash, those read last at the front. No two of them have the same hash.
  struct alignas(64) Stripe {
    std::mutex mutex;
    Entries entries;
    std::unordered_map<std::uint64_t, Entries::iterator> by_hash;
    std::size_t bytes = 0;
    /// Odd while a row is being written.
    Ticket writes = 0;
  };
  static constexpr std::size_t kStripes = 64;

  static std::size_t BytesOf(const Entry& entry);
  void Take(Entry entry, Ticket ticket);
  static void Remove(Stripe& stripe, std::uint64_t hash);
  Stripe& StripeOf(std::uint64_t hash) { return stripes_[hash % kStripes]; }

  const std::size_t stripe_bytes_max_;
  std::array<Stripe, kStripes> stripes_;
  std::atomic<std::uint64_t> hits_ = 0;
  std::atomic<std::uint64_t> misses_ = 0;
};

}  // namespace atrium::rocks

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace atrium::rocks {

/// Rows that were read or replaced lately, by their keys, as the database has them, and keys
/// without a row. One look-up here instead of one in every level of table files, so that a row
/// which is read often costs the same however many rows lie beside it.
///
/// It never shows a row that the database does not have: the writer takes a row out before it
/// writes and nobody may put it back until it has. A reader that saw the database before that
/// offers its row with a ticket from before, which is then worth nothing.
class RecentRows {
 public:
  explicit RecentRows(std::size_t bytes_max);

  using Ticket = std::uint64_t;

  /// Of the database; nullopt: there is no such row.
  using Value = std::optional<std::string_view>;

  /// Shows the value of the row to `use`, which keeps nothing of it. False when it was not looked
  /// for lately.
  template <typename Use>
  bool Find(std::string_view key, std::uint64_t hash, Use use) {
    Stripe& stripe = StripeOf(hash);
    const std::scoped_lock lock(stripe.mutex);
    Row* const row = stripe.Find(hash);
    if (row == nullptr || row->Key() != key) {
      misses_.fetch_add(1, std::memory_order_relaxed);
      return false;
    }
    hits_.fetch_add(1, std::memory_order_relaxed);
    row->read_lately = true;
    use(row->GetValue());
    return true;
  }

  /// Before the database is read.
  Ticket Draw(std::uint64_t hash);
  /// After it was. Does nothing if the row may have been written since the ticket was drawn.
  void Offer(std::string_view key, std::uint64_t hash, Value value, Ticket ticket);

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
  /// What one look-up touches lies together: with more rows than the processor's caches hold, a
  /// look-up costs as many steps into memory as it follows pointers.
  struct Row {
    Row(std::string_view key, std::uint64_t hash, Value value);

    std::string_view Key() const { return std::string_view(bytes).substr(0, key_bytes); }
    Value GetValue() const;
    std::size_t Bytes() const;

    std::uint64_t hash;
    std::unique_ptr<Row> next{};
    std::uint32_t key_bytes;
    bool absent;
    /// Since the hand of its stripe last came by.
    bool read_lately = false;
    /// The key and, behind it, the value.
    std::string bytes;
  };

  /// Rows of similar hash. No two of them have the same hash.
  struct alignas(64) Stripe {
    Row* Find(std::uint64_t hash);
    void Remove(std::uint64_t hash);
    /// Passes over the rows in turn and lets go of one that nobody read since it came by before.
    void LetOneGo();
    std::unique_ptr<Row>& ChainOf(std::uint64_t hash);
    void Unlink(std::unique_ptr<Row>& link);

    std::mutex mutex{};
    std::vector<std::unique_ptr<Row>> chains{};
    std::size_t hand = 0;
    std::size_t bytes = 0;
    /// Odd while a row is being written.
    Ticket writes = 0;
  };
  static constexpr std::size_t kStripes = 64;

  Stripe& StripeOf(std::uint64_t hash) { return stripes_[hash % kStripes]; }

  const std::size_t stripe_bytes_max_;
  std::array<Stripe, kStripes> stripes_;
  std::atomic<std::uint64_t> hits_ = 0;
  std::atomic<std::uint64_t> misses_ = 0;
};

}  // namespace atrium::rocks

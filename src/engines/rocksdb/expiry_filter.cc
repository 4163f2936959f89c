// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/expiry_filter.h"

#include <optional>
#include <string>
#include <utility>

#include "base/instant.h"
#include "engines/rocksdb/layout.h"
#include "engines/rocksdb/overlay.h"

namespace atrium::rocks {
namespace {

/// Made for one compaction.
class ExpiryFilter final : public rocksdb::CompactionFilter {
 public:
  ExpiryFilter(Instant expired_by, std::shared_ptr<std::atomic<std::uint64_t>> removed,
               std::shared_ptr<RecentRows> recent)
      : expired_by_(expired_by), removed_(std::move(removed)), recent_(std::move(recent)) {}

  const char* Name() const override { return "atrium.expiry"; }

  bool Filter(int /*level*/, const rocksdb::Slice& key, const rocksdb::Slice& value,
              std::string* /*new_value*/, bool* /*value_changed*/) const override {
    if (key.ToStringView() == kMetadataKey) {
      return false;
    }
    // What does not decode is for readers to complain about, not to be removed here.
    const std::optional<ValueView> row = DecodeValue(value.ToStringView());
    if (!row || Exists(row->expires_at, expired_by_)) {
      return false;
    }
    recent_->Drop(HashOf(key.ToStringView()));
    removed_->fetch_add(1, std::memory_order_relaxed);
    return true;
  }

 private:
  Instant expired_by_;
  std::shared_ptr<std::atomic<std::uint64_t>> removed_;
  std::shared_ptr<RecentRows> recent_;
};

class ExpiryFilterFactory final : public rocksdb::CompactionFilterFactory {
 public:
  ExpiryFilterFactory(const Clock& clock, std::shared_ptr<std::atomic<std::uint64_t>> removed,
                      std::shared_ptr<RecentRows> recent)
      : clock_(clock), removed_(std::move(removed)), recent_(std::move(recent)) {}

  const char* Name() const override { return "atrium.expiry"; }

  std::unique_ptr<rocksdb::CompactionFilter> CreateCompactionFilter(
      const rocksdb::CompactionFilter::Context& /*context*/) override {
    return std::make_unique<ExpiryFilter>(clock_.Now() - kExpiryGrace, removed_, recent_);
  }

 private:
  const Clock& clock_;
  std::shared_ptr<std::atomic<std::uint64_t>> removed_;
  std::shared_ptr<RecentRows> recent_;
};

}  // namespace

std::shared_ptr<rocksdb::CompactionFilterFactory> MakeExpiryFilter(
    const Clock& clock, std::shared_ptr<std::atomic<std::uint64_t>> removed,
    std::shared_ptr<RecentRows> recent) {
  return std::make_shared<ExpiryFilterFactory>(clock, std::move(removed), std::move(recent));
}

}  // namespace atrium::rocks

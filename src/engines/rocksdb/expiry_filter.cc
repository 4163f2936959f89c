// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/expiry_filter.h"

#include <algorithm>
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
  ExpiryFilter(Instant expired_by, ExpiryParts parts)
      : expired_by_(expired_by), parts_(std::move(parts)) {}

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
    parts_.recent->Drop(HashOf(key.ToStringView()));
    parts_.removed->fetch_add(1, std::memory_order_relaxed);
    return true;
  }

 private:
  Instant expired_by_;
  ExpiryParts parts_;
};

class ExpiryFilterFactory final : public rocksdb::CompactionFilterFactory {
 public:
  ExpiryFilterFactory(const Clock& clock, ExpiryParts parts)
      : clock_(clock), parts_(std::move(parts)) {}

  const char* Name() const override { return "atrium.expiry"; }

  std::unique_ptr<rocksdb::CompactionFilter> CreateCompactionFilter(
      const rocksdb::CompactionFilter::Context& /*context*/) override {
    const Instant now = std::min(clock_.Now(), parts_.horizon->load());
    return std::make_unique<ExpiryFilter>(now - kExpiryGrace, parts_);
  }

 private:
  const Clock& clock_;
  ExpiryParts parts_;
};

}  // namespace

std::shared_ptr<rocksdb::CompactionFilterFactory> MakeExpiryFilter(const Clock& clock,
                                                                   ExpiryParts parts) {
  return std::make_shared<ExpiryFilterFactory>(clock, std::move(parts));
}

}  // namespace atrium::rocks

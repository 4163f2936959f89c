// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/partition_prefix.h"

#include <cstddef>

#include "engines/rocksdb/layout.h"

namespace atrium::rocks {
namespace {

class PartitionPrefix final : public rocksdb::SliceTransform {
 public:
  // Written into every table file: another way of cutting needs another name.
  const char* Name() const override { return "atrium.partition.1"; }
  bool InDomain(const rocksdb::Slice& key) const override {
    return PrefixSize(key.ToStringView()) != 0;
  }
  rocksdb::Slice Transform(const rocksdb::Slice& key) const override {
    return {key.data(), PrefixSize(key.ToStringView())};
  }
};

}  // namespace

std::shared_ptr<const rocksdb::SliceTransform> MakePartitionPrefix() {
  return std::make_shared<PartitionPrefix>();
}

}  // namespace atrium::rocks

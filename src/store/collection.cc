// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/collection.h"

#include <algorithm>
#include <boost/describe/class.hpp>

#include "base/base64.h"

namespace atrium::store {
namespace {

struct Pointer {
  std::string partition{};
  std::string sort{};
};
BOOST_DESCRIBE_STRUCT(Pointer, (), (partition, sort))

std::unexpected<Error> BadPointer() {
  return FailPrivately(ErrorCode::kCorrupt, "an index row does not point to a record");
}

}  // namespace

const IndexRow* FindRow(std::span<const IndexRow> rows, const Table& table, const KeyView& key) {
  const auto found = std::ranges::find_if(
      rows, [&](const IndexRow& row) { return *row.table == table && KeyView(row.key) == key; });
  return found == rows.end() ? nullptr : &*found;
}

std::string EncodePointer(const KeyView& key) {
  return ToJson(
      Pointer{.partition = EncodeBase64Url(key.partition), .sort = EncodeBase64Url(key.sort)});
}

Result<Key> DecodePointer(std::string_view document) {
  const Result<Pointer> pointer = FromJson<Pointer>(document);
  if (!pointer) {
    return BadPointer();
  }
  Result<std::string> partition = DecodeBase64Url(pointer->partition);
  Result<std::string> sort = DecodeBase64Url(pointer->sort);
  if (!partition || !sort) {
    return BadPointer();
  }
  return Key{.partition = *std::move(partition), .sort = *std::move(sort)};
}

}  // namespace atrium::store

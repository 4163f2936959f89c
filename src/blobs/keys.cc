// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/keys.h"

#include "base/result.h"
#include "store/key_bytes.h"

namespace atrium::blobs {
namespace {

constexpr std::string_view kFolderSort = "folder";
constexpr std::string_view kOwnFilesSort = "own";
constexpr std::string_view kPackPrefix = "pack";

store::Key FactsKey(std::string sort) {
  return {.partition = std::string(kFactsPartition), .sort = std::move(sort)};
}

}  // namespace

store::Key PlaceKey(const BlobId& id) {
  return {.partition = std::string(id.Bytes().substr(0, 1)), .sort = std::string(id.Bytes())};
}

std::optional<BlobId> BlobOf(const store::KeyView& key) {
  const Result<BlobId> id = BlobId::FromBytes(key.sort);
  if (!id || key.partition != id->Bytes().substr(0, 1)) {
    return std::nullopt;
  }
  return *id;
}

store::Key FolderKey() {
  return FactsKey(std::string(kFolderSort));
}

store::Key OwnFilesKey() {
  return FactsKey(std::string(kOwnFilesSort));
}

store::Key PackKey(std::uint64_t pack) {
  return FactsKey(store::KeyBytes().Raw(kPackPrefix).Number(pack).Take());
}

std::optional<std::uint64_t> PackOf(std::string_view sort) {
  if (!sort.starts_with(kPackPrefix)) {
    return std::nullopt;
  }
  store::KeyReader reader(sort.substr(kPackPrefix.size()));
  const std::uint64_t number = reader.Number();
  return reader.Done() ? std::optional(number) : std::nullopt;
}

}  // namespace atrium::blobs

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/condemned.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "files/keys.h"
#include "store/key_bytes.h"
#include "store/limits.h"

namespace atrium::files {
namespace {

store::Key KeyOf(const ContentName& name) {
  return CondemnedKey(name.library, name.kind, name.id);
}

/// As many as a commit takes, however many partitions they lie in.
template <typename Mutate>
Result<void> CommitInParts(store::Store& store, const store::OpContext& op,
                           std::span<const Sha1Id> ids, const Mutate& mutate) {
  while (!ids.empty()) {
    const auto some = ids.first(std::min(ids.size(), store::kPartitionsMax));
    store::WriteSet writes;
    for (const Sha1Id& id : some) {
      writes.mutations.push_back(mutate(id));
    }
    RETURN_IF_ERROR(store.Commit(op, std::move(writes)));
    ids = ids.subspan(some.size());
  }
  return {};
}

}  // namespace

Result<std::optional<store::Version>> Condemned::Find(const store::OpContext& op,
                                                      const ContentName& name) const {
  ASSIGN_OR_RETURN(const auto row, store_.Get(op, kCondemnedTable, KeyOf(name)));
  return row ? std::optional(row->version) : std::nullopt;
}

Result<Condemned::Sentences> Condemned::List(const store::OpContext& op, const LibraryId& library,
                                             ContentKind kind, int bucket) const {
  Sentences sentences;
  store::FunctionSink sink([&](const store::RowView& row) {
    sentences.emplace(IdOfRow(row.key.sort.substr(1)), row.version);
  });
  const std::string partition = BucketOf(library, bucket);
  const std::string prefix(1, static_cast<char>(kind));
  store::ScanRequest request{.table = &kCondemnedTable,
                             .partition = partition,
                             .range = {.from = prefix, .before = store::PrefixEnd(prefix)},
                             .limit = store::kScanRowsMax};
  do {
    ASSIGN_OR_RETURN(store::ScanEnd end, store_.Scan(op, request, sink));
    request.after = std::move(end.resume);
  } while (request.after);
  return sentences;
}

Result<void> Condemned::Pardon(const store::OpContext& op, const LibraryId& library,
                               ContentKind kind, std::span<const Sha1Id> ids) {
  std::vector<Sha1Id> condemned;
  for (const Sha1Id& id : ids) {
    ASSIGN_OR_RETURN(const auto since, Find(op, {.library = library, .kind = kind, .id = id}));
    if (since) {
      condemned.push_back(id);
    }
  }
  std::ranges::sort(condemned);
  condemned.erase(std::ranges::unique(condemned).begin(), condemned.end());
  return CommitInParts(store_, op, condemned, [&](const Sha1Id& id) -> store::Mutation {
    return store::Erase{.table = &kCondemnedTable, .key = CondemnedKey(library, kind, id)};
  });
}

Result<void> Condemned::Condemn(const store::OpContext& op, const LibraryId& library,
                                ContentKind kind, std::span<const Sha1Id> ids) {
  return CommitInParts(store_, op, ids, [&](const Sha1Id& id) -> store::Mutation {
    return store::Put{
        .table = &kCondemnedTable, .key = CondemnedKey(library, kind, id), .document = "{}"};
  });
}

store::Mutation Condemned::Execute(const ContentName& name, const store::Version& since) {
  return store::Erase{
      .table = &kCondemnedTable, .key = KeyOf(name), .expect = store::Expectation::At(since)};
}

store::Mutation Condemned::Hold(const ContentName& name,
                                const std::optional<store::Version>& since) {
  return store::Check{
      .table = &kCondemnedTable,
      .key = KeyOf(name),
      .expect = since ? store::Expectation::At(*since) : store::Expectation::Absent()};
}

}  // namespace atrium::files

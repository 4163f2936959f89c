// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/index.h"

#include <chrono>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "blobs/keys.h"

namespace atrium::blobs {
namespace {

Result<Place> DecodePlace(std::string_view document) {
  Result<Place> place =
      FromJson<Place>(document, {.unknown = OnUnknown::kIgnore, .missing = OnMissing::kRefuse});
  if (!place) {
    Error error = std::move(place).error();
    error.code = ErrorCode::kCorrupt;
    return While("the place of a blob", std::move(error));
  }
  return place;
}

/// Versions are microseconds since 1970.
Instant TimeOf(store::Version version) {
  return Instant(std::chrono::milliseconds(static_cast<std::int64_t>(version.number / 1000)));
}

Result<Index::Page::Row> DecodeRow(const store::RowView& row) {
  const std::optional<BlobId> id = BlobOf(row.key);
  if (!id) {
    return FailPrivately(ErrorCode::kCorrupt, "a row of blob_places under the key of no blob");
  }
  ASSIGN_OR_RETURN(const Place place, DecodePlace(row.document));
  return Index::Page::Row{.blob = {.id = *id, .place = place}, .since = TimeOf(row.version)};
}

}  // namespace

Result<std::optional<Place>> Index::FindRow(const store::OpContext& op, const BlobId& id) {
  const std::string_view bytes = id.Bytes();
  ASSIGN_OR_RETURN(const std::optional<store::Row> row,
                   engine_.Get(op, kPlaces, {.partition = bytes.substr(0, 1), .sort = bytes}));
  if (!row) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(const Place place, DecodePlace(row->document));
  return place;
}

/// A row may be absent because the blob is being moved. Then its new place was known before the row
/// was erased, and is forgotten only after a move was counted as ended.
Result<std::optional<Place>> Index::Find(const store::OpContext& op, const BlobId& id) {
  while (true) {
    const std::uint64_t ended = moves_ended_.load();
    ASSIGN_OR_RETURN(std::optional<Place> place, FindRow(op, id));
    if (!place && moving_count_.load() > 0) {
      place = FindMoving(id);
    }
    if (place || ended == moves_ended_.load()) {
      return place;
    }
  }
}

Result<void> Index::Write(const store::OpContext& op, std::span<const IndexedBlob> blobs) {
  std::vector<store::ImmutableRow> rows;
  rows.reserve(blobs.size());
  for (const auto& [id, place] : blobs) {
    rows.push_back({.key = PlaceKey(id), .document = ToJson(place)});
  }
  return rows.empty() ? Result<void>() : engine_.WriteImmutable(op, kPlaces, rows);
}

store::Mutation Index::Erase(const BlobId& id) {
  return store::Erase{.table = &kPlaces, .key = PlaceKey(id)};
}

Result<Index::Page> Index::List(const store::OpContext& op, const ListRequest& request) {
  Page page;
  std::optional<Error> broken;
  store::FunctionSink sink([&](const store::RowView& row) {
    Result<Page::Row> decoded = DecodeRow(row);
    if (decoded) {
      page.rows.push_back(*std::move(decoded));
    } else if (!broken) {
      broken = std::move(decoded).error();
    }
  });
  ASSIGN_OR_RETURN(
      store::WalkEnd end,
      engine_.Walk(op, {.table = &kPlaces, .limit = request.limit, .after = request.after}, sink));
  if (broken) {
    return std::unexpected(*std::move(broken));
  }
  page.resume = std::move(end.resume);
  return page;
}

void Index::BeginMove(std::span<const IndexedBlob> blobs) {
  const std::scoped_lock lock(mutex_);
  for (const auto& [id, place] : blobs) {
    moving_.insert_or_assign(id, place);
  }
  moving_count_.store(moving_.size());
}

void Index::EndMove(std::span<const IndexedBlob> blobs) {
  const std::scoped_lock lock(mutex_);
  moves_ended_.fetch_add(1);
  for (const IndexedBlob& blob : blobs) {
    moving_.erase(blob.id);
  }
  moving_count_.store(moving_.size());
}

bool Index::IsMoving(const BlobId& id) const {
  return moving_count_.load() > 0 && FindMoving(id).has_value();
}

std::optional<Place> Index::FindMoving(const BlobId& id) const {
  const std::scoped_lock lock(mutex_);
  const auto found = moving_.find(id);
  return found == moving_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace atrium::blobs

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <optional>

#include "base/uuid.h"

namespace atrium::blobs {

/// Where a blob lies: which record of which pack holds it, or announced its file.
struct Place {
  std::uint64_t pack = 0;
  /// The offset of the head of the record.
  std::uint64_t at = 0;
  std::uint64_t bytes = 0;
  /// The blob is a file of its own.
  std::optional<bool> own{};

  bool IsOwnFile() const { return own.value_or(false); }

  friend bool operator==(const Place&, const Place&) = default;
};
BOOST_DESCRIBE_STRUCT(Place, (), (pack, at, bytes, own))

/// What the store durably knows about a pack.
struct PackFacts {
  /// It grows no more. Then `end` is where its records end.
  bool sealed = false;
  /// All its blobs were moved elsewhere: the file is of no use any more.
  bool emptied = false;
  std::uint64_t end = 0;
  /// Records before this have their rows.
  std::uint64_t indexed = 0;
  /// Notes of records before this are not needed any more. Never behind `indexed`.
  std::uint64_t replay_from = 0;
  /// Blobs that lie here, and their bytes, among the records before `indexed`.
  std::uint64_t live = 0;
  std::uint64_t live_bytes = 0;

  friend bool operator==(const PackFacts&, const PackFacts&) = default;
};
BOOST_DESCRIBE_STRUCT(PackFacts, (), (sealed, emptied, end, indexed, replay_from, live, live_bytes))

/// Blobs that are files of their own, announced by records that have their rows.
struct OwnFileFacts {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;

  friend bool operator==(const OwnFileFacts&, const OwnFileFacts&) = default;
};
BOOST_DESCRIBE_STRUCT(OwnFileFacts, (), (count, bytes))

/// Which folder the rows are about.
struct FolderFacts {
  Uuid id{};
};
BOOST_DESCRIBE_STRUCT(FolderFacts, (), (id))

}  // namespace atrium::blobs

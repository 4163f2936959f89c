// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "files/condemned.h"

namespace atrium::files {

/// How long work is told to end, and tells of itself.
struct WorkSigns {
  std::stop_token stop{};
  /// "12 libraries".
  std::function<void(std::string)> progress = [](const std::string& /*text*/) {};
};

struct CollectionOptions {
  enum class Mode : std::uint8_t {
    kCollect,
    /// Changes nothing, and answers what would be done.
    kDryRun,
  };
  Mode mode = Mode::kCollect;
  /// Without any, content may go that a client has just been told is there. Its next publication is
  /// refused then, and it sends everything again.
  std::chrono::seconds grace = kGrace;

  bool IsDryRun() const { return mode == Mode::kDryRun; }
};

/// Things of one kind, and how much space they take.
struct Amount {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;

  void Count(std::uint64_t more) {
    ++count;
    bytes += more;
  }
  friend bool operator==(const Amount&, const Amount&) = default;
};
BOOST_DESCRIBE_STRUCT(Amount, (), (count, bytes))

/// What a collection of garbage has removed, or would.
struct Collection {
  /// Looked at.
  std::uint64_t libraries = 0;
  Amount commits{};
  Amount objects{};
  /// Bytes of a block are those of its content, which other libraries may name, too.
  Amount blocks{};
  /// What no state names any more, and goes when its grace period is over.
  Amount waiting{};
  /// States that are out of reach.
  std::uint64_t states = 0;
  /// Libraries whose owners are gone; they go to the trash.
  std::uint64_t abandoned_libraries = 0;
  /// Libraries whose time in the trash was over.
  std::uint64_t erased_libraries = 0;
  std::uint64_t tokens = 0;
  /// Rows of libraries that are gone.
  std::uint64_t orphans = 0;
  Amount blobs{};
  /// Files that no index of blobs knows: of uploads that failed or were killed.
  Amount strays{};
  /// Files that had arrived in part and have not gone on.
  std::uint64_t uploads = 0;
  /// What packs gave back to the disk.
  std::uint64_t freed_bytes = 0;
  /// Libraries in which nothing was removed, because not everything that is kept could be read.
  std::vector<std::string> damaged{};
};
BOOST_DESCRIBE_STRUCT(Collection, (),
                      (libraries, commits, objects, blocks, waiting, states, abandoned_libraries,
                       erased_libraries, tokens, orphans, blobs, strays, uploads, freed_bytes,
                       damaged))

}  // namespace atrium::files

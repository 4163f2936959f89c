// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "files/object_id.h"
#include "files/records.h"

namespace atrium::files {

struct VerificationOptions {
  enum class Mode : std::uint8_t {
    kReport,
    /// Counts anew what was counted wrong, makes commits anew that can be made, and takes damaged
    /// rows and bytes away, so that clients that have them send them again.
    kRepair,
  };
  Mode mode = Mode::kReport;
  /// Nullopt: all.
  std::optional<LibraryId> library{};

  bool Repairs() const { return mode == Mode::kRepair; }
};

/// Something that is not as it should be.
struct Defect {
  std::string library{};
  /// "blob", "commit", "object", "block", "file", "state", "library", "space".
  std::string of{};
  /// Of the thing: its id, or whose space it is.
  std::string id{};
  /// Where people find it, if it is in a state of the library.
  std::string path{};
  std::string explanation{};
  /// What was done, or a repair would do; empty: nothing but sending the content again helps.
  std::string remedy{};
};
BOOST_DESCRIBE_STRUCT(Defect, (), (library, of, id, path, explanation, remedy))

/// What a verification of libraries has seen.
struct Verification {
  std::uint64_t libraries = 0;
  std::uint64_t states = 0;
  std::uint64_t commits = 0;
  std::uint64_t objects = 0;
  std::uint64_t blocks = 0;
  /// Of blocks, all of which were read.
  std::uint64_t bytes = 0;
  std::uint64_t defects = 0;
  std::uint64_t repaired = 0;
  /// The first thousand of them.
  std::vector<Defect> list{};

  static constexpr std::size_t kListed = 1000;

  void Add(Defect defect) {
    ++defects;
    if (list.size() < kListed) {
      list.push_back(std::move(defect));
    }
  }
};
BOOST_DESCRIBE_STRUCT(Verification, (),
                      (libraries, states, commits, objects, blocks, bytes, defects, repaired, list))

}  // namespace atrium::files

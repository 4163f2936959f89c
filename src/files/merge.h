// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "almanac/zone.h"
#include "base/result.h"
#include "files/object_id.h"
#include "files/tree.h"

namespace atrium::files {

struct MergeInput {
  /// The root that both sides began with. Zero when it is not known: then nothing counts as
  /// deleted.
  ObjectId base{};
  /// The root of the library as it is now.
  ObjectId head{};
  /// The root that a client publishes.
  ObjectId remote{};
  /// Who publishes it, and when, in seconds since 1970: what a folder is marked with that must give
  /// up its name.
  std::string author{};
  std::int64_t now = 0;
  /// Whose clocks tell the time in names.
  almanac::Zone zone = almanac::Zone::Utc();
};

struct MergeOutcome {
  ObjectId root{};
  /// Whether something had to be kept twice.
  bool conflict = false;
};

/// Brings together what two sides made of the same tree. Content that either side added or changed
/// is always in the outcome; what one side deleted is gone when the other side left it alone.
///
/// - A change by one side alone is taken, be it of content, kind, mode or time; a mode also where
///   the other side changed the content.
/// - What one side changed and the other deleted stays: of a folder, those parts that changed.
/// - What both changed differently stays under its name as head has it, and beside it as remote has
///   it, under the name of a conflict (fresh_names.h). So does a folder that is a file on the other
///   side.
///
/// The same input always gives the same root. Directories that neither side has are written, each
/// after those in it. Errors are those of reader and writer, and kLimitExceeded for trees that are
/// too deep or too large to be walked.
Result<MergeOutcome> MergeTrees(ObjectReader& reader, ObjectWriter& writer,
                                const MergeInput& input);

}  // namespace atrium::files

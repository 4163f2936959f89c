// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <stop_token>
#include <string>
#include <unordered_set>

#include "base/result.h"
#include "files/content.h"
#include "files/library_reader.h"
#include "files/object_id.h"
#include "files/objects.h"
#include "files/people.h"
#include "files/records.h"
#include "files/tree.h"
#include "files/tree_diff.h"
#include "files/verification.h"
#include "store/ground.h"
#include "store/record.h"

namespace atrium::files {

/// Reads a tree with holes: folders that cannot be read are empty, and counted.
class PatientReader final : public ObjectReader {
 public:
  /// The other one outlives it.
  explicit PatientReader(ObjectReader& reader) : reader_(reader) {}

  std::uint64_t Holes() const { return holes_; }
  /// What was the matter with the last one.
  const std::string& LastFault() const { return fault_; }

 private:
  Result<std::shared_ptr<const Directory>> LoadDirectory(const ObjectId& id) override;
  Result<FileObject> LoadFile(const ObjectId& id) override;

  ObjectReader& reader_;
  std::uint64_t holes_ = 0;
  std::string fault_{};
};

/// Looks at the kept states of one library: whether commits, folders, files and blocks that they
/// name are there, sizes are true, and the library counts what its head has. One thread.
class StateVerification {
 public:
  struct Parts {
    store::Ground ground;
    Content& content;
    const People& people;
    const std::unordered_set<BlockId>& lost_blocks;
    /// Of all blocks that have rows.
    std::int64_t block_bytes = 0;
  };
  /// All outlive it.
  StateVerification(const Parts& parts, const LibraryId& library,
                    const VerificationOptions& options)
      : parts_(parts), id_(library), options_(options) {}

  /// Adds to `seen`. A library that is gone has nothing wrong.
  Result<void> Run(Verification& seen, const std::stop_token& stop);

 private:
  Result<void> VerifyMoves(const Library& library, const std::stop_token& stop);
  Result<void> VerifyCommit(const Library& library, const Move& move);
  Result<void> VerifyTree(const Library& library, const ObjectId& root,
                          const std::stop_token& stop);
  Result<void> VerifyEntry(const Library& library, const TreeChange& change);
  Result<std::string> FaultOfFile(const Library& library, const Dirent& entry);
  Result<void> VerifyCounts(const store::Stored<Library>& library);
  Result<void> Recount(const store::Stored<Library>& library, const TreeSums& sums);
  Result<void> VerifyLoose(const Library& library);
  void Tell(std::string of, std::string id, std::string path, std::string explanation);

  const Parts parts_;
  const LibraryId id_;
  const VerificationOptions& options_;
  const store::OpContext op_ = store::OpContext::ForWork("files.verify");
  LibraryReader objects_{parts_.content, op_, id_, kPatientWalkBytesMax};
  PatientReader reader_{objects_};
  Verification* seen_ = nullptr;
  /// Whose faults were told: once, for the first place.
  FolderMemory folders_{};
  /// Of the state before.
  ObjectId root_{};
  std::optional<CommitId> parent_{};
};

}  // namespace atrium::files

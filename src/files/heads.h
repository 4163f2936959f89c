// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "files/commit.h"
#include "files/content.h"
#include "files/head_queue.h"
#include "files/inspection.h"
#include "files/loose_space.h"
#include "files/people.h"
#include "files/records.h"
#include "files/tree.h"
#include "store/batch.h"
#include "store/ground.h"
#include "store/record.h"

namespace atrium::files {

/// Who makes a change, as commits name them.
struct Author {
  UserId user{};
  std::string email{};
};

/// What a change makes of a library.
struct Change {
  ObjectId root{};
  /// For people: 'Added "x".'
  std::string description{};
};

/// How a commit of a client was received.
struct Publication {
  /// Where the head is now: at the commit, at a merge with what others did meanwhile, or further.
  CommitId head{};
  /// Not empty: nothing has happened, because the content of these files has not arrived.
  std::vector<std::string> missing{};
};

/// How the heads of libraries move. Each move is one commit of the store: the head, its line in the
/// history, size and number of files, what its owner and organisation store, the change log and the
/// audit log. Content is looked for before the head names it, and a sweep that would remove it
/// meanwhile makes the commit start over. A library in the trash is kNotFound. Who changes the same
/// library waits, and is told kUnavailable where too many do (head_queue.h). Any thread.
class Heads {
 public:
  Heads(const store::Ground& ground, Content& content, const People& people,
        const HeadQueueLimits& limits = {})
      : ground_(ground), content_(content), people_(people), queue_(limits) {}

  /// The first state of a library, without any files. kConflict when somebody has a default library
  /// already, and this one would be it.
  Result<store::Stored<Library>> Begin(const store::OpContext& op, const Author& author,
                                       const Library& library);

  /// Moves the head to a commit that was put before, or to a merge with it. One that was published
  /// before moves nothing. kNotFound when there is no such commit, kLimitExceeded when it does not
  /// fit the quota, kInvalidArgument when it is not of this library or says sizes that are wrong.
  Result<Publication> Publish(const store::OpContext& op, const Author& author,
                              const LibraryId& library, const CommitId& commit);

  /// What becomes of the tree under `library.root`. Called again when somebody else was quicker.
  using Edit = std::function<Result<Change>(ObjectReader&, ObjectWriter&, const Library& library)>;
  /// A change that is made here. An edit that changes nothing moves nothing.
  Result<store::Stored<Library>> Apply(const store::OpContext& op, const Author& author,
                                       const LibraryId& library, const Edit& edit);

  /// Other facts of a library, with a commit by which clients learn of a new name.
  struct Revision {
    /// For the audit log: "library.rename".
    std::string action{};
    /// Of the commit.
    std::string description{};
    /// May add to the batch what must happen with it. Called again when somebody else was quicker.
    std::function<Result<void>(Library&, store::Batch&)> revise{};
  };
  Result<store::Stored<Library>> Revise(const store::OpContext& op, const Author& author,
                                        const LibraryId& library, const Revision& revision);

  /// A state that the library had, or that was merged into one.
  struct KnownState {
    /// nullopt: it is known, and what it held is not kept any more.
    std::optional<ObjectId> root{};
  };
  /// nullopt for a commit that never was a state of the library, or not in this history: one that
  /// was only put, and one that was published after the backup from which the store was restored.
  /// What such a commit has, and the head does not, nobody has deleted.
  Result<std::optional<KnownState>> FindState(const store::OpContext& op, const LibraryId& library,
                                              const CommitId& commit) const;

  /// Meanwhile nobody else in this process moves the head: for who removes content, so that neither
  /// makes the other start over.
  HeadQueue::Turn Hold(const LibraryId& library) { return queue_.AwaitPatiently(library); }

 private:
  /// From one state of a library to the next.
  struct Step {
    const Author& author;
    const store::Stored<Library>& before;
    const Library& after;
    const Commit& commit;
    const Verdict& verdict;
    std::string action = "library.change";
  };

  Result<store::Stored<Library>> FindLive(const store::OpContext& op, const LibraryId& id) const;
  Result<bool> WasPublished(const store::OpContext& op, const Library& library,
                            const CommitId& commit) const;
  Result<Publication> TryPublish(const store::OpContext& op, const Author& author,
                                 const Commit& theirs);
  Result<Commit> Merge(const store::OpContext& op, const Author& author, const Library& library,
                       const Commit& theirs);
  Result<store::Stored<Library>> TryApply(const store::OpContext& op, const Author& author,
                                          const LibraryId& id, const Edit& edit);
  Result<store::Stored<Library>> TryRevise(const store::OpContext& op, const Author& author,
                                           const LibraryId& id, const Revision& revision);
  Commit CommitFor(const Author& author, const Library& library, const Change& change) const;
  Library Advanced(const Step& step) const;
  Result<store::Stored<Library>> Advance(const store::OpContext& op, const Step& step,
                                         store::Batch batch);
  /// Counts what the state brings, and no longer what it names as loose.
  Result<LooseSpace::Release> Reserve(const store::OpContext& op, const Library& after,
                                      const Verdict& verdict, store::Batch& batch) const;

  const store::Ground ground_;
  Content& content_;
  const People& people_;
  HeadQueue queue_;
};

}  // namespace atrium::files

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/libraries.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "files/keys.h"
#include "files/library_cipher.h"
#include "files/loose_space.h"
#include "files/names.h"
#include "store/batch.h"
#include "store/key_bytes.h"
#include "store/store.h"

namespace atrium::files {
namespace {

constexpr std::size_t kDescriptionBytes = 4000;
constexpr std::int32_t kKeepDaysMax = 36'500;

/// The name is that of a folder on the machines of clients.
Result<void> CheckTexts(const Library& library) {
  RETURN_IF_ERROR(CheckNewName(library.name));
  if (library.description.size() > kDescriptionBytes || !IsValidUtf8(library.description)) {
    return Fail(ErrorCode::kInvalidArgument, "description: at most 4000 bytes of UTF-8");
  }
  return {};
}

Result<std::optional<LibraryLock>> LockFor(const LibraryId& id, const NewLibrary& fields) {
  if (fields.password && fields.lock) {
    return Fail(ErrorCode::kInvalidArgument, "password: not together with a lock");
  }
  if (fields.password) {
    ASSIGN_OR_RETURN(LibraryLock made, MakeLibraryLock(id, *fields.password));
    return std::optional(std::move(made));
  }
  if (fields.lock) {
    RETURN_IF_ERROR(CheckLibraryLock(*fields.lock));
  }
  return fields.lock;
}

Result<void> CheckNumbers(const LibraryChanges& changes) {
  if (changes.keep_days && (*changes.keep_days < 0 || *changes.keep_days > kKeepDaysMax)) {
    return Fail(ErrorCode::kInvalidArgument, "keep_days: from 0 to 36500");
  }
  if (changes.quota_bytes && *changes.quota_bytes < 0) {
    return Fail(ErrorCode::kInvalidArgument, "quota_bytes: not less than 0");
  }
  return {};
}

template <typename Number>
std::optional<Number> NoneIfZero(Number number) {
  return number == 0 ? std::nullopt : std::optional(number);
}

Result<void> Amend(Library& library, const LibraryChanges& changes) {
  RETURN_IF_ERROR(CheckNumbers(changes));
  library.name = changes.name.value_or(std::move(library.name));
  library.description = changes.description.value_or(std::move(library.description));
  if (changes.keep_days) {
    library.keep_days = NoneIfZero(*changes.keep_days);
  }
  if (changes.quota_bytes) {
    library.quota_bytes = NoneIfZero(*changes.quota_bytes);
  }
  return CheckTexts(library);
}

/// What the history says of it.
std::string Describe(const LibraryChanges& changes) {
  return changes.name ? "Renamed library to \"" + *changes.name + "\""
                      : "Changed settings of library";
}

Author AuthorFor(const Person& person) {
  return {.user = person.id, .email = person.email};
}

/// With what lies there and no state names.
void MoveSpace(store::Batch& batch, const Library& library, const LooseCount& loose,
               const Person& heir) {
  batch.Add(store::Check{
      .table = &kLibraryCounts, .key = LooseKey(library.id), .expect = ExpectationOf(loose)});
  const std::int64_t bytes = library.bytes + loose.bytes;
  if (bytes == 0) {
    return;
  }
  batch.Add(store::Add{.table = &kSpaceTable,
                       .key = SpaceKey(library.owner),
                       .counter = std::string(kBytesCounter),
                       .delta = -bytes});
  store::Add space{.table = &kSpaceTable,
                   .key = SpaceKey(heir.id),
                   .counter = std::string(kBytesCounter),
                   .delta = bytes};
  if (heir.quota_bytes) {
    space.at_most = *heir.quota_bytes;
  }
  batch.Add(std::move(space));
}

}  // namespace

Result<LibraryService::Found> LibraryService::Begin(const store::OpContext& op,
                                                    const Person& person, Library library) {
  if (!person.is_active || !person.may_write) {
    return Fail(ErrorCode::kPermissionDenied, "you may not make libraries");
  }
  library.org = person.org;
  library.owner = person.id;
  library.created_at = ground_.clock.Now();
  RETURN_IF_ERROR(CheckTexts(library));
  return heads_.Begin(op, AuthorFor(person), library);
}

Result<LibraryService::Found> LibraryService::Create(const store::OpContext& op,
                                                     const Person& person,
                                                     const NewLibrary& fields) {
  Library library{.id = fields.id.value_or(LibraryId(ground_.ids.NewUuid())),
                  .name = fields.name,
                  .description = fields.description};
  ASSIGN_OR_RETURN(library.lock, LockFor(library.id, fields));
  ASSIGN_OR_RETURN(const auto mine, ListMine(op, person));
  ASSIGN_OR_RETURN(const auto trash, ListTrash(op, person));
  if (mine.size() + trash.size() >= kLibrariesOfOne) {
    return Fail(ErrorCode::kLimitExceeded, "you have 1000 libraries, which are as many as fit");
  }
  Result<Found> begun = Begin(op, person, std::move(library));
  if (!begun && begun.error().code == ErrorCode::kConflict) {
    return Fail(ErrorCode::kAlreadyExists, "id: there is a library of this id");
  }
  return begun;
}

Result<std::optional<LibraryService::Found>> LibraryService::FindDefault(
    const store::OpContext& op, const Person& person) const {
  return store::FindBy(ground_.store, op, Libraries(), kDefaultLibraries,
                       DefaultLibraryKey(person.id));
}

Result<LibraryService::Found> LibraryService::EnsureDefault(const store::OpContext& op,
                                                            const Person& person) {
  return store::RetryConflicts([&]() -> Result<Found> {
    ASSIGN_OR_RETURN(auto found, FindDefault(op, person));
    if (found) {
      return *std::move(found);
    }
    return Begin(
        op, person,
        {.id = LibraryId(ground_.ids.NewUuid()), .default_of = person.id, .name = "My Library"});
  });
}

Result<std::vector<LibraryService::Found>> LibraryService::List(const store::OpContext& op,
                                                                const Person& person,
                                                                std::string_view prefix) const {
  const std::string partition = PartitionOf(person.id);
  ASSIGN_OR_RETURN(auto page, store::List<Library>(ground_.store, op,
                                                   {.table = &kLibrariesByOwner,
                                                    .partition = partition,
                                                    .range = {.from = std::string(prefix),
                                                              .before = store::PrefixEnd(prefix)},
                                                    .limit = kLibrariesOfOne}));
  return std::move(page.records);
}

Result<std::vector<LibraryService::Found>> LibraryService::ListMine(const store::OpContext& op,
                                                                    const Person& person) const {
  return List(op, person, kLiveLibraries);
}

Result<std::vector<LibraryService::Found>> LibraryService::ListTrash(const store::OpContext& op,
                                                                     const Person& person) const {
  return List(op, person, kTrashedLibraries);
}

Result<LibraryService::Found> LibraryService::Update(const store::OpContext& op,
                                                     const Person& person, const LibraryId& id,
                                                     const LibraryChanges& changes) {
  RETURN_IF_ERROR(EnterAsOwner(ground_.store, op, person, id));
  return heads_.Revise(op, AuthorFor(person), id,
                       {.action = "library.update",
                        .description = Describe(changes),
                        .revise = [&](Library& library, store::Batch& /*batch*/) -> Result<void> {
                          RETURN_IF_ERROR(CheckOwner(library, person));
                          return Amend(library, changes);
                        }});
}

Result<LibraryService::Found> LibraryService::Replace(const store::OpContext& op,
                                                      const Person& person, const Found& before,
                                                      const Library& after,
                                                      std::string_view action) {
  store::Batch batch;
  batch.Replace(Libraries(), before, after);
  people_.WriteDown(
      batch, person.id,
      {.org = after.org, .action = std::string(action), .library = after.id, .detail = after.name});
  ASSIGN_OR_RETURN(const store::Receipt receipt, ground_.store.Commit(op, std::move(batch)));
  return Found{.record = after, .version = receipt.version, .unknown = before.unknown};
}

Result<void> LibraryService::Delete(const store::OpContext& op, const Person& person,
                                    const LibraryId& id) {
  return store::RetryConflicts([&]() -> Result<void> {
    ASSIGN_OR_RETURN(const Entrance entrance, EnterAsOwner(ground_.store, op, person, id));
    Library library = entrance.library.record;
    library.deleted_at = ground_.clock.Now();
    library.erase_at = *library.deleted_at + kTrashKept;
    // Another one may be made meanwhile.
    library.default_of.reset();
    RETURN_IF_ERROR(Replace(op, person, entrance.library, library, "library.delete"));
    return {};
  });
}

Result<LibraryService::Found> LibraryService::Restore(const store::OpContext& op,
                                                      const Person& person, const LibraryId& id) {
  return store::RetryConflicts([&]() -> Result<Found> {
    ASSIGN_OR_RETURN(const Entrance entrance, EnterTrashed(ground_.store, op, person, id));
    Library library = entrance.library.record;
    if (library.erase_at && *library.erase_at <= ground_.clock.Now()) {
      return Fail(ErrorCode::kRefusedByState, "the library is being erased");
    }
    library.deleted_at.reset();
    library.erase_at.reset();
    return Replace(op, person, entrance.library, library, "library.restore");
  });
}

Result<void> LibraryService::Erase(const store::OpContext& op, const Person& person,
                                   const LibraryId& id) {
  return store::RetryConflicts([&]() -> Result<void> {
    ASSIGN_OR_RETURN(const Entrance entrance, EnterTrashed(ground_.store, op, person, id));
    Library library = entrance.library.record;
    library.erase_at = std::min(ground_.clock.Now(), library.erase_at.value_or(Instant::max()));
    RETURN_IF_ERROR(Replace(op, person, entrance.library, library, "library.erase"));
    return {};
  });
}

Result<Person> LibraryService::FindHeir(const store::OpContext& op, const Library& library,
                                        const UserId& to) const {
  ASSIGN_OR_RETURN(const auto heir, people_.Find(op, to));
  if (!heir || !heir->is_active || heir->org != library.org) {
    return Fail(ErrorCode::kNotFound, "to: there is no such person");
  }
  if (!heir->may_write) {
    return Fail(ErrorCode::kRefusedByState, "to: this person may only read");
  }
  return *heir;
}

Result<LibraryService::Found> LibraryService::Transfer(const store::OpContext& op,
                                                       const Person& person, const LibraryId& id,
                                                       const UserId& to) {
  ASSIGN_OR_RETURN(const Entrance entrance, EnterAsOwner(ground_.store, op, person, id));
  ASSIGN_OR_RETURN(const Person heir, FindHeir(op, entrance.library.record, to));
  if (heir.id == person.id) {
    return entrance.library;
  }
  const auto hand_over = [&](Library& library, store::Batch& batch) -> Result<void> {
    RETURN_IF_ERROR(CheckOwner(library, person));
    if (library.default_of) {
      return Fail(ErrorCode::kRefusedByState, "the default library stays with its owner");
    }
    ASSIGN_OR_RETURN(const LooseCount loose, FindLoose(ground_.store, op, library.id));
    MoveSpace(batch, library, loose, heir);
    library.owner = heir.id;
    return {};
  };
  return heads_.Revise(op, AuthorFor(person), id,
                       {.action = "library.transfer",
                        .description = "Changed owner of library",
                        .revise = hand_over});
}

}  // namespace atrium::files

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "files/heads.h"
#include "files/library_access.h"
#include "files/library_lock.h"
#include "files/people.h"
#include "files/records.h"
#include "store/ground.h"

namespace atrium::files {

/// How long a library lies in the trash.
inline constexpr std::chrono::days kTrashKept{30};
/// How many libraries one person may own, those in the trash among them.
inline constexpr std::size_t kLibrariesOfOne = 1000;

/// What is said of a new library.
struct NewLibrary {
  /// Clients make their own, because a lock is bound to it.
  std::optional<LibraryId> id{};
  std::string name{};
  std::string description{};
  /// Encrypts it with a password that is not kept, or with what a client has made of one. Not both.
  std::optional<std::string> password{};
  std::optional<LibraryLock> lock{};
};

/// What is absent stays as it is.
struct LibraryChanges {
  std::optional<std::string> name{};
  std::optional<std::string> description{};
  /// Zero: earlier states are kept for good.
  std::optional<std::int32_t> keep_days{};
  /// Zero: as much as its owner may.
  std::optional<std::int64_t> quota_bytes{};
};

/// What people do with libraries as wholes. Each change is one commit.
class LibraryService {
 public:
  using Found = store::Stored<Library>;

  LibraryService(const store::Ground& ground, Heads& heads, const People& people)
      : ground_(ground), heads_(heads), people_(people) {}

  /// kPermissionDenied to who may only read; kAlreadyExists for an id that is in use.
  Result<Found> Create(const store::OpContext& op, const Person& person, const NewLibrary& fields);

  /// The library everybody has from the start, made when it is missing: once, however many ask.
  Result<Found> EnsureDefault(const store::OpContext& op, const Person& person);

  /// nullopt when it is missing.
  Result<std::optional<Found>> FindDefault(const store::OpContext& op, const Person& person) const;

  /// Those that the person owns, without the trash.
  Result<std::vector<Found>> ListMine(const store::OpContext& op, const Person& person) const;
  Result<std::vector<Found>> ListTrash(const store::OpContext& op, const Person& person) const;

  Result<Found> Update(const store::OpContext& op, const Person& person, const LibraryId& id,
                       const LibraryChanges& changes);

  /// To the trash. What it holds counts until it goes for good.
  Result<void> Delete(const store::OpContext& op, const Person& person, const LibraryId& id);
  Result<Found> Restore(const store::OpContext& op, const Person& person, const LibraryId& id);
  /// Of one in the trash: it goes for good with the next clean-up, and cannot be restored any more.
  Result<void> Erase(const store::OpContext& op, const Person& person, const LibraryId& id);

  /// To another person of the organisation, who must have the space for it. The default library of
  /// somebody stays: kRefusedByState. kNotFound, "to: …", when there is nobody who could have it.
  Result<Found> Transfer(const store::OpContext& op, const Person& person, const LibraryId& id,
                         const UserId& to);

 private:
  Result<Found> Begin(const store::OpContext& op, const Person& person, Library library);
  Result<std::vector<Found>> List(const store::OpContext& op, const Person& person,
                                  std::string_view prefix) const;
  Result<Person> FindHeir(const store::OpContext& op, const Library& library,
                          const UserId& to) const;
  Result<Found> Replace(const store::OpContext& op, const Person& person, const Found& before,
                        const Library& after, std::string_view action);

  const store::Ground ground_;
  Heads& heads_;
  const People& people_;
};

}  // namespace atrium::files

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/sync_tokens.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/hex.h"
#include "files/keys.h"
#include "files/library_access.h"
#include "store/batch.h"
#include "store/store.h"

namespace atrium::files {
namespace {

constexpr std::size_t kTokenLength = 40;
constexpr std::string_view kPrefix = "/seafhttp/repo/";
constexpr std::string_view kScheme = "Token ";

std::unexpected<Error> Denied() {
  return Fail(ErrorCode::kPermissionDenied, "this token does not open the library");
}

std::string HashOf(std::string_view token) {
  return EncodeHex(Sha256Of(token));
}

Result<LibraryId> LibraryIn(std::string_view path) {
  if (!path.starts_with(kPrefix)) {
    return Denied();
  }
  path.remove_prefix(kPrefix.size());
  return LibraryId::Parse(path.substr(0, path.find('/')));
}

}  // namespace

std::string_view SyncTokenIn(const http::Request& request) {
  if (const auto token = request.headers.Find("Seafile-Repo-Token")) {
    return *token;
  }
  const std::string_view authorization = request.headers.Get("Authorization");
  return authorization.starts_with(kScheme) ? authorization.substr(kScheme.size())
                                            : std::string_view();
}

SyncTokenService::SyncTokenService(const store::Ground& ground, const People& people,
                                   const SecretKey& key)
    : ground_(ground),
      people_(people),
      key_(key),
      openings_(ground.store, ground.clock, {&kLibraryTable, &kSyncTokenTable}) {}

std::string SyncTokenService::TokenOf(const Person& person, const LibraryId& library,
                                      Permission at_most) const {
  const std::string message = (at_most == Permission::kWrite ? "sync " : "sync-read ") +
                              library.Render() + " " + person.id.Render() + " " +
                              std::to_string(person.generation) + " " + person.by.id;
  return EncodeHex(HmacSha256(key_, message)).substr(0, kTokenLength);
}

Result<std::string> SyncTokenService::Issue(const store::OpContext& op, const Person& person,
                                            const LibraryId& library, Permission at_most) {
  RETURN_IF_ERROR(Enter(ground_.store, op, person, library, Permission::kRead));
  std::string token = TokenOf(person, library, at_most);
  const SyncToken record{.hash = HashOf(token),
                         .library = library,
                         .user = person.id,
                         .generation = person.generation,
                         .permission = at_most,
                         .created_at = ground_.clock.Now(),
                         .parent = person.by};
  return store::RetryConflicts([&]() -> Result<std::string> {
    ASSIGN_OR_RETURN(const auto found,
                     store::Find(ground_.store, op, SyncTokens(), SyncTokenKey(record.hash)));
    if (!found) {
      store::Batch batch;
      batch.Create(SyncTokens(), record);
      RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
    }
    return token;
  });
}

Result<SyncTokenService::Openings::Conclusion> SyncTokenService::Try(
    const store::OpContext& op, std::string_view token, const LibraryId& library) const {
  ASSIGN_OR_RETURN(const auto found,
                   store::Find(ground_.store, op, Libraries(), LibraryRowKey(library)));
  if (!found || found->record.deleted_at) {
    return Openings::Conclusion{.value = std::make_shared<const Opening>()};
  }
  ASSIGN_OR_RETURN(const auto record,
                   store::Find(ground_.store, op, SyncTokens(), SyncTokenKey(HashOf(token))));
  if (!record || record->record.library != library) {
    return Denied();
  }
  return Openings::Conclusion{.value = std::make_shared<const Opening>(
                                  Opening{.library = found->record, .token = record->record})};
}

Result<SyncCaller> SyncTokenService::Admit(const store::OpContext& op, std::string_view token,
                                           const LibraryId& library) const {
  const std::string name = std::string(AsChars(library.value().bytes)).append(token);
  ASSIGN_OR_RETURN(const std::shared_ptr<const Opening> opening,
                   openings_.Get(name, [&] { return Try(op, token, library); }));
  SyncCaller caller;
  caller.library = library;
  caller.is_gone = !opening->library;
  if (caller.is_gone) {
    return caller;
  }
  // Not concluded but asked: whose rows these are, others decide.
  ASSIGN_OR_RETURN(const auto person, people_.Find(op, opening->token.user));
  const SyncToken& record = opening->token;
  if (!person || person->generation != record.generation || !record.parent) {
    return Denied();
  }
  ASSIGN_OR_RETURN(const bool stands,
                   people_.StillStands(op, *record.parent, http::Staleness::kMoment));
  if (!stands) {
    return Denied();
  }
  const std::optional<Permission> permission = PermissionOf(*opening->library, *person);
  if (!permission) {
    return Denied();
  }
  caller.person = *person;
  caller.person.by = *record.parent;
  caller.permission = std::min(*permission, record.permission);
  caller.record = std::shared_ptr<const Library>(opening, &*opening->library);
  return caller;
}

Result<void> SyncTokenService::Readmit(const store::OpContext& op, const SyncCaller& caller,
                                       http::Staleness allowed) const {
  if (caller.is_gone) {
    return {};
  }
  ASSIGN_OR_RETURN(const bool stands, people_.StillStands(op, caller.person.by, allowed));
  ASSIGN_OR_RETURN(const auto person, people_.Find(op, caller.person.id));
  const bool same = person && person->is_active && person->generation == caller.person.generation;
  return stands && same ? Result<void>() : Denied();
}

Result<std::shared_ptr<const http::Principal>> SyncAccess::Admit(
    const http::Request& request) const {
  ASSIGN_OR_RETURN(const LibraryId library, LibraryIn(request.path));
  ASSIGN_OR_RETURN(
      SyncCaller caller,
      tokens_.Admit({.deadline = store::Deadline::PerCall(store::OpContext::kTimePerCall),
                     .trace = request.id,
                     .consistency = store::Consistency::kCritical},
                    SyncTokenIn(request), library));
  return std::make_shared<const SyncCaller>(std::move(caller));
}

Result<void> SyncAccess::Readmit(const http::Admitted& admitted, http::Staleness allowed) const {
  const auto* caller = dynamic_cast<const SyncCaller*>(admitted.principal);
  return caller != nullptr ? tokens_.Readmit({.deadline = admitted.deadline,
                                              .trace = admitted.trace,
                                              .consistency = store::Consistency::kCritical},
                                             *caller, allowed)
                           : Denied();
}

}  // namespace atrium::files

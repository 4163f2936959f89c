// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/session_service.h"

#include <cstdlib>
#include <utility>

#include "identity/keys.h"
#include "identity/secret_token.h"

namespace atrium::identity {
namespace {

constexpr std::size_t kListed = 200;

std::string TargetOfSession(const Session& session) {
  return "session:" + session.id;
}

}  // namespace

bool StillStands(const Session& session, const User& user) {
  return user.status == UserStatus::kActive && session.generation == user.generation &&
         session.session_generation == user.session_generation;
}

Result<std::optional<store::Stored<Session>>> FindSession(store::Store& store,
                                                          const store::OpContext& op,
                                                          const UserId& user,
                                                          const std::string& id) {
  const std::string partition = PartitionOf(user);
  ASSIGN_OR_RETURN(const auto row,
                   store.Get(op, kSessionsByUser, {.partition = partition, .sort = id}));
  if (!row) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(const auto listed, store::DecodeRecord<Session>(row->document, row->version));
  return store::Find(store, op, Sessions(), HashKey(listed.record.hash));
}

Result<void> AddProof(const Ground& ground, const store::OpContext& op, store::Batch& batch,
                      const Actor& actor, const NewProof& proof) {
  std::optional<store::Stored<Session>> found;
  if (proof.session.user) {
    ASSIGN_OR_RETURN(found, FindSession(ground.store, op, *proof.session.user, proof.session.id));
  }
  if (!found) {
    return Fail(ErrorCode::kUnauthenticated, "sign in again: the session has ended");
  }
  Session proved = found->record;
  const Instant now = ground.clock.Now();
  proved.proved_at = proof.at.value_or(now);
  batch.Replace(Sessions(), *found, proved);
  AddAudit(batch, actor, now,
           {.org = proved.org,
            .action = "session.proved",
            .target = TargetOfSession(proved),
            .detail = {{"by", proof.how}}});
  return {};
}

std::chrono::milliseconds SessionService::LifetimeOf(SessionKind kind) const {
  switch (kind) {
    case SessionKind::kFull:
      return lifetimes_.full;
    case SessionKind::kProvisional:
      return lifetimes_.provisional;
    case SessionKind::kGuest:
      return lifetimes_.guest;
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

OpenedSession SessionService::Make(SessionKind kind, const Actor& actor) const {
  NewSecret secret =
      MakeSecret(kind == SessionKind::kGuest ? TokenKind::kGuestSession : TokenKind::kSession);
  const Instant now = ground_.clock.Now();
  return {.secret = std::move(secret.text),
          .session = {.hash = std::move(secret.hash),
                      .id = ground_.ids.NewUlid().Render(),
                      .kind = kind,
                      .created_at = now,
                      .expires_at = now + LifetimeOf(kind),
                      .last_used_at = now,
                      .address = actor.address,
                      .agent = actor.agent,
                      .proved_at = now}};
}

void SessionService::AddForUser(store::Batch& batch, const User& user, Session& session) {
  session.org = user.org;
  session.user = user.id;
  session.generation = user.generation;
  session.session_generation = user.session_generation;
  batch.Create(Sessions(), session);
}

OpenedSession SessionService::OpenFull(store::Batch& batch, const Actor& actor, const User& user,
                                       const Entrance& entrance) const {
  OpenedSession opened = Make(SessionKind::kFull, actor);
  opened.session.proved_at = entrance.proved_at;
  AddForUser(batch, user, opened.session);
  Actor known = actor;
  known.name = "user:" + user.id.Render();
  known.label = user.email;
  AddAudit(batch, known, opened.session.created_at,
           {.org = user.org,
            .action = "session.opened",
            .target = TargetOfSession(opened.session),
            .detail = {{"by", entrance.how}}});
  return opened;
}

OpenedSession SessionService::Open(store::Batch& batch, const Actor& actor, const User& user,
                                   const std::string& how) const {
  return OpenFull(batch, actor, user, {.how = how, .proved_at = ground_.clock.Now()});
}

OpenedSession SessionService::OpenFromProvider(store::Batch& batch, const Actor& actor,
                                               const User& user,
                                               std::optional<Instant> signed_in_at) const {
  return OpenFull(batch, actor, user, {.how = "provider", .proved_at = signed_in_at});
}

OpenedSession SessionService::OpenProvisional(store::Batch& batch, const Actor& actor,
                                              const User& user) const {
  OpenedSession opened = Make(SessionKind::kProvisional, actor);
  AddForUser(batch, user, opened.session);
  return opened;
}

OpenedSession SessionService::OpenForApplicant(store::Batch& batch, const Actor& actor,
                                               const Guest& applicant, Instant until) const {
  OpenedSession opened = Make(SessionKind::kProvisional, actor);
  Session& session = opened.session;
  session.org = applicant.org;
  session.guest_name = applicant.name;
  session.guest_email = applicant.email;
  session.expires_at = until;
  batch.Create(Sessions(), session);
  return opened;
}

OpenedSession SessionService::OpenForGuest(store::Batch& batch, const Actor& actor,
                                           const Guest& guest) const {
  OpenedSession opened = Make(SessionKind::kGuest, actor);
  Session& session = opened.session;
  session.org = guest.org;
  session.guest_name = guest.name;
  session.guest_email = guest.email;
  session.guest_group = guest.group;
  batch.Create(Sessions(), session);
  AddAudit(batch, actor, session.created_at,
           {.org = guest.org,
            .action = "session.opened",
            .target = TargetOfSession(session),
            .detail = {{"by", "guest"}, {"group", guest.group}, {"name", guest.name}}});
  return opened;
}

Result<std::vector<Session>> SessionService::List(const store::OpContext& op,
                                                  const User& user) const {
  const std::string partition = PartitionOf(user.id);
  ASSIGN_OR_RETURN(auto page, store::List<Session>(ground_.store, op,
                                                   {.table = &kSessionsByUser,
                                                    .partition = partition,
                                                    .limit = kListed,
                                                    .direction = store::Direction::kBackward}));
  std::vector<Session> standing;
  for (store::Stored<Session>& one : page.records) {
    if (StillStands(one.record, user)) {
      standing.push_back(std::move(one.record));
    }
  }
  return standing;
}

Result<void> SessionService::Erase(const store::OpContext& op, const Actor& actor,
                                   const store::Stored<Session>& session) {
  store::Batch batch;
  batch.Erase(Sessions(), session);
  AddAudit(batch, actor, ground_.clock.Now(),
           {.org = session.record.org,
            .action = "session.ended",
            .target = TargetOfSession(session.record)});
  RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
  return {};
}

Result<void> SessionService::End(const store::OpContext& op, const Actor& actor, const User& user,
                                 const std::string& id) {
  // A session is written whenever it was used.
  return store::RetryConflicts([&]() -> Result<void> {
    ASSIGN_OR_RETURN(const auto found, FindSession(ground_.store, op, user.id, id));
    if (!found) {
      return Fail(ErrorCode::kNotFound, "there is no such session");
    }
    return Erase(op, actor, *found);
  });
}

Result<void> SessionService::EndBySecret(const store::OpContext& op, const Actor& actor,
                                         const std::string& secret) {
  return store::RetryConflicts([&]() -> Result<void> {
    ASSIGN_OR_RETURN(const auto found,
                     store::Find(ground_.store, op, Sessions(), HashKey(HashSecret(secret))));
    // Signing out twice is signing out.
    return found ? Erase(op, actor, *found) : Result<void>();
  });
}

Result<void> SessionService::EndAll(const store::OpContext& op, const Actor& actor,
                                    const UserId& id) {
  return store::RetryConflicts([&]() -> Result<void> {
    ASSIGN_OR_RETURN(const auto user, store::Load(ground_.store, op, Users(), UserKeyOf(id)));
    User without = user.record;
    ++without.session_generation;
    store::Batch batch;
    batch.Replace(Users(), user, without);
    AddAudit(batch, actor, ground_.clock.Now(),
             {.org = without.org, .action = "session.all_ended", .target = TargetOf(id)});
    batch.SetAnswer({.status = 204});
    RETURN_IF_ERROR(ground_.store.Commit(op, std::move(batch)));
    return {};
  });
}

}  // namespace atrium::identity

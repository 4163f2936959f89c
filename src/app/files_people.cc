// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/files_people.h"

#include <utility>

#include "api/api.h"
#include "identity/audit.h"
#include "identity/email_address.h"
#include "identity/keys.h"
#include "identity/organisations.h"
#include "store/store.h"

namespace atrium::app {
namespace {

std::optional<files::Person> PersonOf(const std::optional<store::Stored<identity::User>>& user) {
  if (!user) {
    return std::nullopt;
  }
  const identity::User& record = user->record;
  return files::Person{.id = record.id,
                       .org = record.org,
                       .name = record.name,
                       .email = record.email,
                       .is_active = record.status == identity::UserStatus::kActive,
                       .may_write = record.role > identity::Role::kReadonly,
                       .generation = record.generation,
                       .quota_bytes = record.quota_bytes};
}

}  // namespace

Result<std::optional<files::Person>> FilesPeople::Find(const store::OpContext& op,
                                                       const api::UserId& user) const {
  ASSIGN_OR_RETURN(const auto found, store::Find(identity_.ground.store, op, identity::Users(),
                                                 identity::UserKeyOf(user)));
  return PersonOf(found);
}

Result<bool> FilesPeople::StillStands(const store::OpContext& op,
                                      const api::CredentialRef& credential,
                                      http::Staleness allowed) const {
  const auto caller = identity_.gatekeeper.Recall(op, credential, allowed);
  if (!caller && caller.error().code != ErrorCode::kUnauthenticated) {
    return std::unexpected(caller.error());
  }
  return caller.has_value();
}

Result<std::optional<files::Person>> FilesPeople::FindByEmail(const store::OpContext& op,
                                                              std::string_view email) const {
  const auto address = identity::EmailAddress::Parse(email);
  if (!address) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(const auto found,
                   store::FindBy(identity_.ground.store, op, identity::Users(),
                                 identity::kUserEmails, identity::EmailKey(address->Text())));
  return PersonOf(found);
}

Result<void> FilesPeople::ReserveForOrg(const store::OpContext& op, const api::OrgId& org,
                                        std::int64_t bytes, store::Batch& batch) const {
  ASSIGN_OR_RETURN(const auto found, identity_.organisations.Load(op, org));
  batch.Add(identity::CountBytes(found.record, bytes));
  return {};
}

Result<bool> FilesPeople::OrgHasRoomFor(const store::OpContext& op, const api::OrgId& org,
                                        std::int64_t bytes) const {
  ASSIGN_OR_RETURN(const auto found, identity_.organisations.Load(op, org));
  if (!found.record.quota_bytes) {
    return true;
  }
  ASSIGN_OR_RETURN(const identity::OrgUsage usage, identity_.organisations.Usage(op, org));
  return bytes <= *found.record.quota_bytes - usage.bytes;
}

Result<std::optional<std::int64_t>> FilesPeople::BytesOfOrg(const store::OpContext& op,
                                                            const api::OrgId& org) const {
  const auto found = identity_.organisations.Load(op, org);
  if (!found) {
    return found.error().code == ErrorCode::kNotFound
               ? Result<std::optional<std::int64_t>>(std::nullopt)
               : std::unexpected(found.error());
  }
  ASSIGN_OR_RETURN(const identity::OrgUsage usage, identity_.organisations.Usage(op, org));
  return std::optional<std::int64_t>(usage.bytes);
}

Result<std::string> FilesPeople::AddressOf(const store::OpContext& op,
                                           const api::OrgId& org) const {
  return identity_.BaseUrlOf(op, org);
}

void FilesPeople::WriteDown(store::Batch& batch, const api::UserId& by,
                            const files::Deed& deed) const {
  // A line without the address of who it was is better than none.
  const auto person = Find(store::OpContext::ForWork("files.audit"), by);
  identity::Actor actor{.name = identity::TargetOf(by), .user = by, .org = deed.org};
  if (person && *person) {
    actor.label = (*person)->email;
  }
  identity::AuditEvent event{
      .org = deed.org, .action = deed.action, .target = "library:" + deed.library.Render()};
  if (!deed.detail.empty()) {
    event.detail.emplace("detail", deed.detail);
  }
  identity::AddAudit(batch, actor, identity_.ground.clock.Now(), std::move(event));
}

}  // namespace atrium::app

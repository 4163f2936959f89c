// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/calendar_people.h"

#include <utility>

#include "identity/email_address.h"
#include "identity/keys.h"
#include "store/store.h"

namespace atrium::app {
namespace {

std::optional<calendar::Person> PersonOf(const std::optional<store::Stored<identity::User>>& user) {
  if (!user) {
    return std::nullopt;
  }
  const identity::User& record = user->record;
  return calendar::Person{.id = record.id,
                          .org = record.org,
                          .name = record.name,
                          .email = record.email,
                          .time_zone = record.time_zone,
                          .photo = record.photo};
}

}  // namespace

Result<std::optional<calendar::Person>> CalendarPeople::Find(const store::OpContext& op,
                                                             const api::UserId& user) const {
  ASSIGN_OR_RETURN(const auto found, store::Find(identity_.ground.store, op, identity::Users(),
                                                 identity::UserKeyOf(user)));
  return PersonOf(found);
}

Result<std::optional<calendar::Person>> CalendarPeople::FindByEmail(const store::OpContext& op,
                                                                    std::string_view email) const {
  ASSIGN_OR_RETURN(const auto found,
                   store::FindBy(identity_.ground.store, op, identity::Users(),
                                 identity::kUserEmails, identity::EmailKey(email)));
  return PersonOf(found);
}

Result<std::string> CalendarPeople::ReadEmail(std::string_view text) const {
  ASSIGN_OR_RETURN(const auto email, identity::EmailAddress::Parse(text));
  return std::string(email.Text());
}

Result<std::string> CalendarPeople::AddressOf(const store::OpContext& op,
                                              const api::OrgId& org) const {
  return identity_.BaseUrlOf(op, org);
}

}  // namespace atrium::app

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "calendar/people.h"
#include "identity/identity.h"

namespace atrium::app {

/// The people of identity, as calendars know them. `identity` outlives it.
class CalendarPeople final : public calendar::People {
 public:
  explicit CalendarPeople(const identity::Identity& identity) : identity_(identity) {}

  Result<std::optional<calendar::Person>> Find(const store::OpContext& op,
                                               const api::UserId& user) const override;
  Result<std::optional<calendar::Person>> FindByEmail(const store::OpContext& op,
                                                      std::string_view email) const override;
  Result<std::string> ReadEmail(std::string_view text) const override;
  Result<std::string> AddressOf(const store::OpContext& op, const api::OrgId& org) const override;

 private:
  const identity::Identity& identity_;
};

}  // namespace atrium::app

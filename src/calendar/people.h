// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "calendar/records.h"
#include "store/op_context.h"

namespace atrium::calendar {

struct Person {
  UserId id{};
  OrgId org{};
  std::string name{};
  std::string email{};
  std::string time_zone{};
  /// The version of their photo; nullopt: none.
  std::optional<std::string> photo{};
};

/// What the room must know of people; identity is plugged in here.
class People {
 public:
  People() = default;
  People(const People&) = delete;
  People& operator=(const People&) = delete;
  virtual ~People() = default;

  /// nullopt when there is nobody of that id, or not any more.
  virtual Result<std::optional<Person>> Find(const store::OpContext& op,
                                             const UserId& user) const = 0;
  virtual Result<std::optional<Person>> FindByEmail(const store::OpContext& op,
                                                    std::string_view email) const = 0;
  /// The one spelling of an address; kInvalidArgument "email: …" when it is none.
  virtual Result<std::string> ReadEmail(std::string_view text) const = 0;
  /// Where people of the organisation reach this server, without a slash at the end.
  virtual Result<std::string> AddressOf(const store::OpContext& op, const OrgId& org) const = 0;
};

}  // namespace atrium::calendar

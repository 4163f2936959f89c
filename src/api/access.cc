// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "api/access.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "http/method.h"

namespace atrium::api {
namespace {

enum class Demand : std::uint8_t { kNothing, kSession, kSelf, kMember, kAdmin, kSuperadmin };

using Admitted = Result<std::shared_ptr<const http::Principal>>;

bool IsPerson(const Caller& caller) {
  return caller.user && caller.credential != Credential::kProvisional;
}

Result<void> CheckScope(const Caller& caller, Area area, http::Method method) {
  const auto right = http::IsSafe(method) ? Scopes::Right::kRead : Scopes::Right::kWrite;
  if (!caller.scopes.Allows(area, right)) {
    return Fail(ErrorCode::kPermissionDenied, "this token was not made for that");
  }
  return {};
}

Result<void> CheckRole(const Caller& caller, Role least) {
  if (caller.role < least) {
    return Fail(ErrorCode::kPermissionDenied, "your role does not allow that");
  }
  return {};
}

}  // namespace

class AccessRules::Rule final : public http::AccessRule {
 public:
  struct Meaning {
    std::string_view name;
    Demand demand = Demand::kNothing;
    Area area = Area::kAccount;
  };

  Rule(const Doorkeeper& doorkeeper, const Meaning& meaning)
      : doorkeeper_(doorkeeper), meaning_(meaning) {}

  std::string_view Name() const override { return meaning_.name; }

  Admitted Admit(const http::Request& request) const override {
    ASSIGN_OR_RETURN(std::shared_ptr<const Caller> caller, Identify(request));
    if (caller && caller->IsOperator()) {
      return caller;
    }
    if (!doorkeeper_.IsSetUp()) {
      return Fail(ErrorCode::kUnavailable, "this server is not set up yet");
    }
    if (meaning_.demand == Demand::kNothing) {
      return caller;
    }
    if (!caller) {
      return Fail(ErrorCode::kUnauthenticated, "sign in first");
    }
    RETURN_IF_ERROR(Decide(*caller, request.method));
    return caller;
  }

  /// Everything is decided anew: the role may be another one, and a token is never given more.
  Result<void> Readmit(const http::Admitted& admitted, http::Staleness allowed) const override {
    const auto* caller = dynamic_cast<const Caller*>(admitted.principal);
    if (caller == nullptr || caller->IsOperator()) {
      return {};
    }
    const store::OpContext op{.deadline = admitted.deadline,
                              .trace = admitted.trace,
                              .consistency = store::Consistency::kCritical};
    ASSIGN_OR_RETURN(const std::shared_ptr<const Caller> now,
                     doorkeeper_.Recall(op, caller->Ref(), allowed));
    return meaning_.demand == Demand::kNothing ? Result<void>() : Decide(*now, admitted.method);
  }

 private:
  /// A public route is open to those, too, whose session has ended.
  Result<std::shared_ptr<const Caller>> Identify(const http::Request& request) const {
    auto caller = doorkeeper_.Identify(request);
    const bool stranger = !caller && caller.error().code == ErrorCode::kUnauthenticated;
    if (stranger && meaning_.demand == Demand::kNothing) {
      return nullptr;
    }
    return caller;
  }

  Result<void> Decide(const Caller& caller, http::Method method) const {
    if (meaning_.demand == Demand::kSession) {
      return {};
    }
    if (!IsPerson(caller)) {
      return Fail(ErrorCode::kPermissionDenied, "this needs an account that is signed in");
    }
    RETURN_IF_ERROR(CheckScope(caller, meaning_.area, method));
    switch (meaning_.demand) {
      case Demand::kMember:
        return CheckRole(caller, http::IsSafe(method) ? Role::kReadonly : Role::kUser);
      case Demand::kAdmin:
        return CheckRole(caller, Role::kAdmin);
      case Demand::kSuperadmin:
        return CheckRole(caller, Role::kSuperadmin);
      case Demand::kNothing:
      case Demand::kSession:
      case Demand::kSelf:
        return {};
    }
    return {};
  }

  const Doorkeeper& doorkeeper_;
  const Meaning meaning_;
};

namespace {

enum class Place : std::uint8_t { kPublic, kSession, kSelf, kAdmin, kSuperadmin, kFirstMember };

}  // namespace

AccessRules::AccessRules(const Doorkeeper& doorkeeper) {
  const auto add = [&](const Rule::Meaning& meaning) {
    rules_.push_back(std::make_unique<Rule>(doorkeeper, meaning));
  };
  // In the order of Place, then one member rule for each area in its own order.
  add({.name = "public", .demand = Demand::kNothing});
  add({.name = "session", .demand = Demand::kSession});
  add({.name = "self", .demand = Demand::kSelf, .area = Area::kAccount});
  add({.name = "admin", .demand = Demand::kAdmin, .area = Area::kAdmin});
  add({.name = "superadmin", .demand = Demand::kSuperadmin, .area = Area::kAdmin});
  for (const Area area :
       {Area::kAccount, Area::kCalendars, Area::kGroups, Area::kFiles, Area::kAdmin}) {
    add({.name = "member", .demand = Demand::kMember, .area = area});
  }
}

AccessRules::~AccessRules() = default;

const http::AccessRule& AccessRules::RuleAt(std::size_t index) const {
  return *rules_[index];
}

const http::AccessRule& AccessRules::Public() const {
  return RuleAt(static_cast<std::size_t>(Place::kPublic));
}

const http::AccessRule& AccessRules::Session() const {
  return RuleAt(static_cast<std::size_t>(Place::kSession));
}

const http::AccessRule& AccessRules::Self() const {
  return RuleAt(static_cast<std::size_t>(Place::kSelf));
}

const http::AccessRule& AccessRules::Admin() const {
  return RuleAt(static_cast<std::size_t>(Place::kAdmin));
}

const http::AccessRule& AccessRules::Superadmin() const {
  return RuleAt(static_cast<std::size_t>(Place::kSuperadmin));
}

const http::AccessRule& AccessRules::Member(Area area) const {
  return RuleAt(static_cast<std::size_t>(Place::kFirstMember) + static_cast<std::size_t>(area));
}

}  // namespace atrium::api

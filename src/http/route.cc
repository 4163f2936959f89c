// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/route.h"

#include <cstdlib>

namespace atrium::http {
namespace {

class AnyoneRule final : public AccessRule {
 public:
  std::string_view Name() const override { return "anyone"; }
  Result<std::shared_ptr<const Principal>> Admit(const Request& /*request*/) const override {
    return nullptr;
  }
};

class ControlSocketRule final : public AccessRule {
 public:
  std::string_view Name() const override { return "control"; }
  /// The router has kept others away already; a second lock costs nothing.
  Result<std::shared_ptr<const Principal>> Admit(const Request& request) const override {
    if (request.origin != Origin::kControlSocket) {
      return Fail(ErrorCode::kNotFound, "there is nothing at this address");
    }
    return nullptr;
  }
};

}  // namespace

const AccessRule& Anyone() {
  static const AnyoneRule rule;
  return rule;
}

const AccessRule& ControlSocketOnly() {
  static const ControlSocketRule rule;
  return rule;
}

std::string_view Name(Work work) {
  switch (work) {
    case Work::kQuick:
      return "quick";
    case Work::kBlocking:
      return "blocking";
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

std::string_view Name(RateClass rate) {
  switch (rate) {
    case RateClass::kUnlimited:
      return "unlimited";
    case RateClass::kStandard:
      return "standard";
    case RateClass::kCostly:
      return "costly";
    case RateClass::kCredential:
      return "credential";
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

}  // namespace atrium::http

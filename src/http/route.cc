// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/route.h"

#include <cstdlib>

#include "base/log.h"
#include "http/guarded.h"

namespace atrium::http {
namespace {

class AnyoneRule final : public AccessRule {
 public:
  std::string_view Name() const override { return "anyone"; }
  Result<std::shared_ptr<const Principal>> Admit(const Request& /*request*/) const override {
    return nullptr;
  }
  Result<void> Readmit(const Admitted& /*admitted*/, Staleness /*allowed*/) const override {
    return {};
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

Result<void> AccessRule::Readmit(const Admitted& admitted, Staleness /*allowed*/) const {
  if (admitted.principal != nullptr) {
    return Fail(ErrorCode::kPermissionDenied, "nobody is let in here twice");
  }
  return {};
}

bool Admittance::StillHolds(SteadyInstant deadline) const {
  const Result<void> readmitted = Guarded([&] {
    return rule->Readmit({.principal = principal.get(), .trace = request_id, .deadline = deadline},
                         Staleness::kMoment);
  });
  if (readmitted) {
    return true;
  }
  switch (readmitted.error().code) {
    case ErrorCode::kUnavailable:
    case ErrorCode::kDeadlineExceeded:
      return true;
    case ErrorCode::kInternal:
      log::Error("whoever listens could not be looked at again",
                 {{"request_id", request_id}, {"error", Describe(readmitted.error())}});
      return false;
    default:
      return false;
  }
}

const AccessRule& Anyone() {
  static const AnyoneRule rule;
  return rule;
}

const AccessRule& ControlSocketOnly() {
  static const ControlSocketRule rule;
  return rule;
}

std::string_view Name(Gives gives) {
  switch (gives) {
    case Gives::kNothing:
      return "nothing";
    case Gives::kStream:
      return "stream";
    case Gives::kCredential:
      return "credential";
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

std::string_view Name(Work work) {
  switch (work) {
    case Work::kQuick:
      return "quick";
    case Work::kBlocking:
      return "blocking";
    case Work::kTwoStep:
      return "two-step";
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
    case RateClass::kTransfer:
      return "transfer";
    case RateClass::kCredential:
      return "credential";
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

}  // namespace atrium::http

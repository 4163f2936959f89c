// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/route.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"

namespace atrium::http {
namespace {

/// Answers as it is told, and remembers what it was asked.
class ToldRule final : public AccessRule {
 public:
  std::string_view Name() const override { return "told"; }
  Result<std::shared_ptr<const Principal>> Admit(const Request& /*request*/) const override {
    return nullptr;
  }
  Result<void> Readmit(const Admitted& admitted, Staleness allowed) const override {
    deadline = admitted.deadline;
    trace = admitted.trace;
    staleness = allowed;
    if (throws) {
      throw std::runtime_error("a bug");
    }
    return answer;
  }

  Result<void> answer{};
  bool throws = false;
  mutable SteadyInstant deadline = SteadyInstant::max();
  mutable std::string trace{};
  mutable Staleness staleness = Staleness::kNone;
};

class AdmittanceTest : public testing::Test {
 protected:
  ToldRule rule_;
  const Admittance admittance_{.rule = &rule_, .request_id = "a1"};
  const SteadyInstant deadline_{std::chrono::seconds(7)};
};

TEST_F(AdmittanceTest, TheRuleIsAskedOnTerms) {
  EXPECT_TRUE(admittance_.StillHolds(deadline_));
  EXPECT_EQ(rule_.deadline, deadline_);
  EXPECT_EQ(rule_.trace, "a1");
  EXPECT_EQ(rule_.staleness, Staleness::kMoment);
}

TEST_F(AdmittanceTest, ItEndsWhenTheRuleSaysNo) {
  for (const ErrorCode code : {ErrorCode::kUnauthenticated, ErrorCode::kPermissionDenied}) {
    rule_.answer = Fail(code, "not any more");
    EXPECT_FALSE(admittance_.StillHolds(deadline_));
  }
}

TEST_F(AdmittanceTest, ItEndsWhenTheRuleThrows) {
  rule_.throws = true;
  EXPECT_FALSE(admittance_.StillHolds(deadline_));
}

TEST_F(AdmittanceTest, AStoreThatDoesNotAnswerEndsNothing) {
  for (const ErrorCode code : {ErrorCode::kUnavailable, ErrorCode::kDeadlineExceeded}) {
    rule_.answer = Fail(code, "later");
    EXPECT_TRUE(admittance_.StillHolds(deadline_));
  }
}

}  // namespace
}  // namespace atrium::http

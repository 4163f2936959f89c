// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/result.h"
#include "http/method.h"
#include "http/request.h"
#include "http/route.h"
#include "store/op_context.h"
#include "store/warrant.h"

namespace atrium::api {

/// The right by which a request writes: that the rule of its route lets it in. The rule outlives
/// it; the request need not.
class RequestWarrant final : public store::Warrant {
 public:
  RequestWarrant(const http::AccessRule& rule, const http::Request& request)
      : rule_(&rule), principal_(request.principal), method_(request.method) {}

  Result<void> StillHolds(const store::OpContext& op) const override {
    return rule_->Readmit({.principal = principal_.get(),
                           .method = method_,
                           .trace = op.trace,
                           .deadline = op.deadline.Moment()},
                          http::Staleness::kNone);
  }

  std::shared_ptr<const store::Warrant> Keep() const override {
    return std::make_shared<RequestWarrant>(*this);
  }

 private:
  const http::AccessRule* rule_;
  std::shared_ptr<const http::Principal> principal_;
  http::Method method_;
};

}  // namespace atrium::api

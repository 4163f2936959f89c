// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "api/api.h"
#include "base/clock.h"
#include "base/result.h"
#include "http/reply.h"
#include "identity/identity.h"
#include "mail/outbox.h"
#include "store/batch.h"
#include "store/op_context.h"

namespace atrium::app {

/// Lets superadmins list dead letters, send them again and drop them. What they do is written into
/// the audit log of the default organisation. Letters are shown without their words.
///
/// Outlives the router it is added to, as do `outbox`, `identity` and `clock`.
class LetterRoutes {
 public:
  LetterRoutes(mail::Outbox& outbox, identity::Identity& identity, const Clock& clock)
      : outbox_(outbox), identity_(identity), clock_(clock) {}

  void AddTo(api::Api& api);

 private:
  using Addition = Result<mail::OutgoingMail> (mail::Outbox::*)(const store::OpContext&,
                                                                store::Batch&, std::string_view);

  Result<http::Reply> List(const api::Call& call);
  /// Commits what `add` makes of the letter, with a line in the audit log.
  Result<http::Reply> Change(const api::Call& call, const std::string& id, Addition add,
                             const std::string& action);

  mail::Outbox& outbox_;
  identity::Identity& identity_;
  const Clock& clock_;
};

}  // namespace atrium::app

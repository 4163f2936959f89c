// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/letter_routes.h"

#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/route_parts.h"
#include "base/instant.h"
#include "base/json_write.h"
#include "http/method.h"
#include "http/route.h"
#include "identity/audit.h"
#include "identity/organisations.h"
#include "mail/records.h"

namespace atrium::app {
namespace {

using api::Call;
using http::Method;
using http::Reply;

struct LetterView {
  std::string id{};
  std::string to{};
  std::string subject{};
  Instant queued_at{};
  unsigned attempts = 0;
  std::string last_error{};
  std::optional<Instant> dead_at{};
  std::optional<Instant> gone_at{};
};
BOOST_DESCRIBE_STRUCT(LetterView, (),
                      (id, to, subject, queued_at, attempts, last_error, dead_at, gone_at))

struct LetterPage {
  std::vector<LetterView> letters{};
  std::optional<std::string> after{};
};
BOOST_DESCRIBE_STRUCT(LetterPage, (), (letters, after))

LetterView ViewOf(const mail::OutgoingMail& letter) {
  return {.id = letter.id,
          .to = letter.message.to,
          .subject = letter.message.subject,
          .queued_at = letter.queued_at,
          .attempts = letter.attempts,
          .last_error = letter.last_error,
          .dead_at = letter.dead_at,
          .gone_at = letter.gone_at};
}

}  // namespace

void LetterRoutes::AddTo(api::Api& api) {
  const http::AccessRule& superadmin = identity_.Rules().Superadmin();
  api.Add(api::RouteOf(Method::kGet, "/api/admin/letters", superadmin,
                       "Letters that no mail server took, newest first"),
          [this](const Call& call) { return List(call); });
  api.Add(api::RouteOf(Method::kPost, "/api/admin/letters/{id}/retry", superadmin,
                       "Send such a letter again"),
          [this](const Call& call, const std::string& id) {
            return Change(call, id, &mail::Outbox::AddRetry, "letter.retried");
          });
  api.Add(
      api::RouteOf(Method::kDelete, "/api/admin/letters/{id}", superadmin, "Drop such a letter"),
      [this](const Call& call, const std::string& id) {
        return Change(call, id, &mail::Outbox::AddDrop, "letter.dropped");
      });
}

Result<Reply> LetterRoutes::List(const Call& call) {
  ASSIGN_OR_RETURN(api::PageQuery query, api::ReadPageQuery(call.request));
  ASSIGN_OR_RETURN(const auto found,
                   outbox_.ListDead(call.op, query.limit, std::move(query.after)));
  LetterPage page;
  for (const auto& stored : found.records) {
    page.letters.push_back(ViewOf(stored.record));
  }
  if (found.resume) {
    page.after = api::RenderAfter(*found.resume);
  }
  return http::JsonReply(ToJson(page));
}

Result<Reply> LetterRoutes::Change(const Call& call, const std::string& id, Addition add,
                                   const std::string& action) {
  store::Batch batch;
  ASSIGN_OR_RETURN(const mail::OutgoingMail letter, (outbox_.*add)(call.op, batch, id));
  identity::AddAudit(batch, identity::ActorOf(call.request), clock_.Now(),
                     {.org = identity::DefaultOrg(),
                      .action = action,
                      .target = "letter:" + letter.id,
                      .detail = {{"to", letter.message.to}}});
  batch.SetAnswer({.status = 204});
  RETURN_IF_ERROR(identity_.ground.store.Commit(call.op, std::move(batch)));
  return http::EmptyReply();
}

}  // namespace atrium::app

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <boost/describe/class.hpp>
#include <cstddef>

#include "api/route_parts.h"
#include "base/json_write.h"
#include "http/reply.h"
#include "identity/identity.h"
#include "identity/routes.h"

namespace atrium::identity {
namespace {

struct SecretsReport {
  std::size_t sealed = 0;
  std::size_t sealed_by_previous = 0;
  std::size_t unreadable = 0;
  /// Nothing is left that only an earlier secret opens.
  bool previous_may_go = false;
};
BOOST_DESCRIBE_STRUCT(SecretsReport, (), (sealed, sealed_by_previous, unreadable, previous_may_go))

}  // namespace

void AddSecretsRoutes(api::Api& api, Identity& room) {
  http::Route route =
      api::RouteOf(http::Method::kGet, "/api/admin/secrets", room.Rules().Superadmin(),
                   "What the server's secrets have sealed, and whether earlier ones may go");
  route.work = http::Work::kBlocking;
  api.Add(std::move(route), [&room](const api::Call& call) -> Result<http::Reply> {
    ASSIGN_OR_RETURN(const SealedTexts found, room.resealing.Count(call.op));
    return http::JsonReply(ToJson(SecretsReport{.sealed = found.all,
                                                .sealed_by_previous = found.old,
                                                .unreadable = found.lost,
                                                .previous_may_go = found.old == 0}));
  });
}

}  // namespace atrium::identity

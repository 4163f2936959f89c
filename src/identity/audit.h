// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "api/caller.h"
#include "base/ip_network.h"
#include "base/json_write.h"
#include "base/result.h"
#include "http/request.h"
#include "identity/audit_filter.h"
#include "identity/ground.h"
#include "identity/records.h"
#include "store/batch.h"
#include "store/op_context.h"

namespace atrium::identity {

/// On whose behalf something is done, and from where. Lives longer than a request, so that work
/// behind one can be written down, too.
struct Actor {
  /// As http::Principal names them; "nobody" when that is unknown.
  std::string name = "nobody";
  std::string label{};
  /// As people read it: "local" for the operator's own commands.
  std::string address{};
  /// The same to count by; unspecified for the operator.
  IpAddress client{};
  std::string agent{};
  std::string request{};
  /// nullopt: nobody, or a guest.
  std::optional<UserId> user{};
  Role role = Role::kGuest;
  OrgId org{};
  bool is_operator = false;
  /// Known by a token or an app password: a program may be acting, or whoever copied it.
  bool by_token = false;
};

/// Whoever sent the request; nobody, from its address, when no caller is known.
Actor ActorOf(const http::Request& request);

struct AuditEvent {
  OrgId org{};
  std::string action{};
  std::string target{};
  std::map<std::string, std::string> detail{};
};

/// "user:<id>" and the like.
std::string TargetOf(const UserId& user);
std::string TargetOf(const OrgId& org);

/// An enumerator as documents spell it, without the quotes: superadmin.
template <typename Enum>
std::string WordFor(Enum value) {
  const std::string json = ToJson(value);
  return json.substr(1, json.size() - 2);
}

/// Adds the line to the commit of what it tells of: one is never there without the other.
void AddAudit(store::Batch& batch, const Actor& actor, Instant now, AuditEvent event);

struct AuditPage {
  /// Newest first, as JSON objects with their "id", joined as an array.
  std::string lines{};
  /// The id to go on below; nullopt: that was all.
  std::optional<std::uint64_t> before{};
};

struct AuditQuery {
  OrgId org{};
  /// Only lines with a smaller id.
  std::optional<std::uint64_t> before{};
  std::size_t limit = 100;
  AuditFilter filter{};
};

/// No call with a filter looks at more lines than this; its page may end short of its limit, even
/// empty, and still say where to go on.
inline constexpr std::size_t kAuditLinesLookedAt = 5000;

/// By how much clocks may have been wrong while lines were written. Where lines of a time begin
/// and end is looked for with this to spare, because the log is in the order of its ids.
inline constexpr std::chrono::hours kAuditClockSlack{24};

Result<AuditPage> ReadAudit(store::Store& store, const store::OpContext& op,
                            const AuditQuery& query);

/// The same oldest first, as lines of JSON, for exports: of up to `limit` lines behind `after`
/// those that are wanted.
struct AuditExportQuery {
  OrgId org{};
  std::uint64_t after = 0;
  std::size_t limit = 10'000;
  AuditFilter filter{};
};
struct AuditLines {
  std::string text{};
  /// The id to go on behind; nullopt: that was all.
  std::optional<std::uint64_t> after{};
};
Result<AuditLines> ExportAudit(store::Store& store, const store::OpContext& op,
                               const AuditExportQuery& query);

}  // namespace atrium::identity

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/audit.h"

#include <algorithm>
#include <utility>

#include "base/json_write.h"
#include "identity/keys.h"
#include "store/limits.h"
#include "store/write_set.h"

namespace atrium::identity {
namespace {

constexpr std::size_t kAgentBytesMax = 200;

/// {"id":7,…the members of the document.
void AppendLine(std::string& out, const store::RowView& row) {
  out += R"({"id":)" + std::to_string(store::SequenceOf(row.key.sort)) + ",";
  out += row.document.substr(1);
}

}  // namespace

Actor ActorOf(const http::Request& request) {
  Actor actor{
      .address = request.origin == http::Origin::kControlSocket ? "local" : Render(request.client),
      .client = request.client,
      .agent = std::string(request.headers.Get("User-Agent").substr(0, kAgentBytesMax)),
      .request = std::string(request.id)};
  if (const api::Caller* caller = api::FindCaller(request)) {
    actor.name = caller->Name();
    actor.label = caller->label;
    actor.user = caller->user;
    actor.role = caller->role;
    actor.org = caller->org;
    actor.is_operator = caller->IsOperator();
  }
  return actor;
}

std::string TargetOf(const UserId& user) {
  return "user:" + user.Render();
}

std::string TargetOf(const OrgId& org) {
  return "org:" + org.Render();
}

void AddAudit(store::Batch& batch, const Actor& actor, Instant now, AuditEvent event) {
  const AuditLine line{.at = now,
                       .actor = actor.name,
                       .label = actor.label,
                       .action = std::move(event.action),
                       .target = std::move(event.target),
                       .address = actor.address,
                       .request = actor.request,
                       .detail = std::move(event.detail)};
  batch.Add(store::Append{
      .table = &kAuditLog, .partition = PartitionOf(event.org), .document = ToJson(line)});
}

Result<AuditPage> ReadAudit(store::Store& store, const store::OpContext& op,
                            const AuditQuery& query) {
  const std::string partition = PartitionOf(query.org);
  store::ScanRequest request{.table = &kAuditLog,
                             .partition = partition,
                             .range = {.from = store::SequenceKey(1)},
                             .limit = query.limit,
                             .direction = store::Direction::kBackward};
  if (query.before) {
    request.after = store::SequenceKey(*query.before);
  }
  AuditPage page{.lines = "["};
  store::FunctionSink sink([&](const store::RowView& row) {
    page.lines += page.lines.size() > 1 ? "," : "";
    AppendLine(page.lines, row);
  });
  ASSIGN_OR_RETURN(const store::ScanEnd end, store.Scan(op, request, sink));
  page.lines += "]";
  if (end.resume) {
    page.before = store::SequenceOf(*end.resume);
  }
  return page;
}

Result<AuditLines> ExportAudit(store::Store& store, const store::OpContext& op, const OrgId& org,
                               std::uint64_t after, std::size_t limit) {
  const std::string partition = PartitionOf(org);
  store::ScanRequest request{.table = &kAuditLog,
                             .partition = partition,
                             .range = {.from = store::SequenceKey(after + 1)}};
  AuditLines lines;
  std::size_t taken = 0;
  store::FunctionSink sink([&](const store::RowView& row) {
    AppendLine(lines.text, row);
    lines.text += "\n";
    ++taken;
  });
  do {
    request.limit = std::min(limit - taken, store::kScanRowsMax);
    ASSIGN_OR_RETURN(store::ScanEnd end, store.Scan(op, request, sink));
    request.after = std::move(end.resume);
  } while (request.after && taken < limit);
  if (request.after) {
    lines.after = store::SequenceOf(*request.after);
  }
  return lines;
}

}  // namespace atrium::identity

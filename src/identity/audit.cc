// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/audit.h"

#include <algorithm>
#include <cstdlib>
#include <string_view>
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

using store::Direction;

/// Rows of a scan whose lines are looked at before they are taken.
constexpr std::size_t kPageOfSieve = 500;

/// Looks at lines one after the other, and knows when no wanted one can follow any more.
class Sieve {
 public:
  Sieve(const AuditFilter& filter, Direction direction)
      : filter_(filter), empty_(filter.IsEmpty()) {
    const bool back = direction == Direction::kBackward;
    if (const auto& end = back ? filter.from : filter.to) {
      back_ = back;
      end_ = RenderInstant(back ? *end - kAuditClockSlack : *end + kAuditClockSlack);
    }
  }

  /// Whether the line is wanted.
  bool Takes(std::string_view document) {
    ++looked_;
    if (empty_) {
      return true;
    }
    const Result<AuditGlimpse> line = GlimpseOf(document);
    if (!line) {
      state_ = std::unexpected(line.error());
      return false;
    }
    past_ = past_ || (!end_.empty() && (back_ ? line->at < end_ : line->at > end_));
    return Matches(filter_, *line);
  }

  bool GoesOn() const { return !past_ && state_.has_value(); }
  std::size_t Looked() const { return looked_; }
  /// An error once a line was none.
  const Result<void>& State() const { return state_; }

 private:
  const AuditFilter& filter_;
  const bool empty_;
  bool back_ = false;
  /// Where wanted lines end, with time to spare; empty: nowhere.
  std::string end_;
  std::size_t looked_ = 0;
  bool past_ = false;
  Result<void> state_{};
};

/// A line of the log, from an id on.
struct FoundLine {
  std::uint64_t id = 0;
  std::string at{};
};

Result<std::optional<FoundLine>> FindFrom(store::Store& store, const store::OpContext& op,
                                          const std::string& partition, std::uint64_t id) {
  std::optional<FoundLine> found;
  Result<void> state;
  store::FunctionSink sink([&](const store::RowView& row) {
    Result<AuditGlimpse> line = GlimpseOf(row.document);
    if (line) {
      found = FoundLine{.id = store::SequenceOf(row.key.sort), .at = std::move(line->at)};
    } else {
      state = std::unexpected(std::move(line).error());
    }
  });
  RETURN_IF_ERROR(store.Scan(op,
                             {.table = &kAuditLog,
                              .partition = partition,
                              .range = {.from = store::SequenceKey(id)},
                              .limit = 1},
                             sink));
  RETURN_IF_ERROR(state);
  return found;
}

/// The id of the first line that was written later than `at`, by halving; one behind the last when
/// there is none.
Result<std::uint64_t> FirstWrittenAfter(store::Store& store, const store::OpContext& op,
                                        const OrgId& org, Instant at) {
  const std::string partition = PartitionOf(org);
  const std::string wanted = RenderInstant(at);
  const store::Key head{.partition = partition, .sort = store::SequenceKey(0)};
  ASSIGN_OR_RETURN(const std::optional<store::Row> row, store.Get(op, kAuditLog, head));
  std::uint64_t low = 1;
  std::uint64_t high = 1 + static_cast<std::uint64_t>(
                               row ? store::CounterOf(row->counters, store::kSequenceCounter) : 0);
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    ASSIGN_OR_RETURN(const auto line, FindFrom(store, op, partition, middle));
    if (line && line->at <= wanted) {
      low = line->id + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/// The id below which a page begins; nullopt: with the newest line.
Result<std::optional<std::uint64_t>> BeginningOf(store::Store& store, const store::OpContext& op,
                                                 const AuditQuery& query) {
  if (!query.filter.to) {
    return query.before;
  }
  ASSIGN_OR_RETURN(const std::uint64_t later,
                   FirstWrittenAfter(store, op, query.org, *query.filter.to + kAuditClockSlack));
  return query.before ? std::min(later, *query.before) : later;
}

/// Takes lines until it is full, and knows whether some were left.
struct PageInMaking {
  std::size_t limit;
  std::string lines = "[";
  std::size_t taken = 0;
  std::optional<std::uint64_t> full_at{};
  bool left = false;

  void Offer(const store::RowView& row, Sieve& sieve) {
    if (full_at) {
      left = true;
    } else if (sieve.Takes(row.document)) {
      lines += taken++ > 0 ? "," : "";
      AppendLine(lines, row);
      if (taken == limit) {
        full_at = store::SequenceOf(row.key.sort);
      }
    }
  }

  /// Before which line the next page begins; nullopt when there is none.
  std::optional<std::uint64_t> Rest(const std::optional<std::string>& after,
                                    const Sieve& sieve) const {
    if (full_at) {
      return left || after ? full_at : std::nullopt;
    }
    return after && sieve.GoesOn() ? std::optional(store::SequenceOf(*after)) : std::nullopt;
  }
};

bool IsToken(api::Credential credential) {
  switch (credential) {
    case api::Credential::kApiToken:
    case api::Credential::kPersonalToken:
    case api::Credential::kAppPassword:
      return true;
    case api::Credential::kOperator:
    case api::Credential::kSession:
    case api::Credential::kProvisional:
    case api::Credential::kGuestSession:
      return false;
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
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
    actor.by_token = IsToken(caller->credential);
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
  const AuditFilter& filter = query.filter;
  store::ScanRequest request{.table = &kAuditLog,
                             .partition = partition,
                             .range = {.from = store::SequenceKey(1)},
                             .limit = filter.IsEmpty() ? query.limit : kPageOfSieve,
                             .direction = store::Direction::kBackward};
  ASSIGN_OR_RETURN(const std::optional<std::uint64_t> below, BeginningOf(store, op, query));
  if (below) {
    request.after = store::SequenceKey(*below);
  }
  Sieve sieve(filter, Direction::kBackward);
  PageInMaking making{.limit = query.limit};
  store::FunctionSink sink([&](const store::RowView& row) { making.Offer(row, sieve); });
  do {
    ASSIGN_OR_RETURN(store::ScanEnd end, store.Scan(op, request, sink));
    request.after = std::move(end.resume);
  } while (request.after && !making.full_at && sieve.GoesOn() &&
           sieve.Looked() < kAuditLinesLookedAt);
  RETURN_IF_ERROR(sieve.State());
  return AuditPage{.lines = making.lines + "]", .before = making.Rest(request.after, sieve)};
}

Result<AuditLines> ExportAudit(store::Store& store, const store::OpContext& op,
                               const AuditExportQuery& query) {
  const std::string partition = PartitionOf(query.org);
  std::uint64_t first = query.after + 1;
  if (query.filter.from) {
    ASSIGN_OR_RETURN(
        const std::uint64_t begun,
        FirstWrittenAfter(store, op, query.org, *query.filter.from - kAuditClockSlack));
    first = std::max(first, begun);
  }
  store::ScanRequest request{
      .table = &kAuditLog, .partition = partition, .range = {.from = store::SequenceKey(first)}};
  AuditLines lines;
  Sieve sieve(query.filter, Direction::kForward);
  store::FunctionSink sink([&](const store::RowView& row) {
    if (sieve.Takes(row.document)) {
      AppendLine(lines.text, row);
      lines.text += "\n";
    }
  });
  do {
    request.limit = std::min(query.limit - sieve.Looked(), store::kScanRowsMax);
    ASSIGN_OR_RETURN(store::ScanEnd end, store.Scan(op, request, sink));
    request.after = std::move(end.resume);
  } while (request.after && sieve.GoesOn() && sieve.Looked() < query.limit);
  RETURN_IF_ERROR(sieve.State());
  if (request.after && sieve.GoesOn()) {
    lines.after = store::SequenceOf(*request.after);
  }
  return lines;
}

}  // namespace atrium::identity

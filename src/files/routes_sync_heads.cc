// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "api/route_parts.h"
#include "base/json_write.h"
#include "files/keys.h"
#include "files/library_access.h"
#include "files/route_ids.h"
#include "files/route_parts.h"
#include "files/routes.h"
#include "files/sync_parts.h"
#include "http/reply.h"
#include "store/store.h"

namespace atrium::files {
namespace {

using api::Call;
using http::Method;
using http::Reply;

constexpr std::size_t kLibrariesAtOnce = 1000;

struct HeadAnswer {
  int is_corrupted = 0;
  CommitId head_commit_id{};
};
BOOST_DESCRIBE_STRUCT(HeadAnswer, (), (is_corrupted, head_commit_id))

Reply Gone() {
  return http::TextReply("the library is gone", kLibraryGone);
}

Result<Reply> ShowHead(const Call& call) {
  const SyncCaller& caller = SyncCallerOf(call.request);
  if (caller.is_gone) {
    return Gone();
  }
  return http::JsonReply(ToJson(HeadAnswer{.head_commit_id = caller.record->head}));
}

Result<Reply> CheckPermission(const Call& call) {
  const SyncCaller& caller = SyncCallerOf(call.request);
  if (caller.is_gone) {
    return Gone();
  }
  ASSIGN_OR_RETURN(const http::Form query, call.request.Query());
  if (query.Find("op") == "upload" && caller.permission != Permission::kWrite) {
    return http::JsonReply(R"({"reason": "no write permission"})", 403);
  }
  return Done();
}

Result<Reply> ShowCommit(Room& room, const Call& call, const LibraryId& library,
                         const CommitId& id) {
  RETURN_IF_ERROR(ReaderOf(call.request));
  ASSIGN_OR_RETURN(auto text, room.content.FindCommitText(call.op, library, id));
  if (!text) {
    return Fail(ErrorCode::kNotFound, "there is no such commit");
  }
  return http::JsonReply(*std::move(text));
}

Result<Reply> TakeCommit(Room& room, const Call& call, const LibraryId& library,
                         const CommitId& id) {
  RETURN_IF_ERROR(SyncWriterOf(call.request));
  ASSIGN_OR_RETURN(const Commit commit, ParseCommit(call.request.body));
  if (commit.id != id || commit.library != library) {
    return Fail(ErrorCode::kInvalidArgument, "the commit is not the one of the path");
  }
  RETURN_IF_ERROR(room.content.PutCommit(call.op, library, id, std::string(call.request.body)));
  return Done();
}

Result<Reply> Publish(Room& room, const Call& call, const LibraryId& library) {
  ASSIGN_OR_RETURN(const SyncCaller* caller, SyncWriterOf(call.request));
  ASSIGN_OR_RETURN(const http::Form query, call.request.Query());
  const Result<CommitId> commit = CommitId::Parse(query.Find("head").value_or(""));
  if (!commit) {
    return Fail(ErrorCode::kInvalidArgument, "head: 40 digits of a commit");
  }
  ASSIGN_OR_RETURN(const Publication done,
                   room.heads.Publish(call.op, AuthorOf(caller->person), library, *commit));
  return done.missing.empty() ? Done() : http::JsonReply(ToJson(done.missing), kContentMissing);
}

Result<Reply> CheckQuota(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const SyncCaller* caller, ReaderOf(call.request));
  ASSIGN_OR_RETURN(const http::Form query, call.request.Query());
  const std::string_view text = query.Find("delta").value_or("0");
  std::int64_t delta = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), delta);
  if (error != std::errc() || end != text.data() + text.size()) {
    return Fail(ErrorCode::kInvalidArgument, "delta: a number");
  }
  RETURN_IF_ERROR(room.loose.Announce(call.op, caller->record->id, delta));
  return Done();
}

/// Whose token of one of these libraries it is; nullopt: nobody's.
Result<std::optional<Person>> AskerOf(Room& room, const Call& call,
                                      const std::vector<LibraryId>& ids) {
  const std::string secret(SyncTokenIn(call.request));
  for (const LibraryId& id : ids) {
    if (secret.empty()) {
      break;
    }
    const Result<SyncCaller> caller = room.tokens.Admit(call.op, secret, id);
    if (caller && !caller->is_gone) {
      return std::optional(caller->person);
    }
    if (!caller && caller.error().code != ErrorCode::kPermissionDenied &&
        caller.error().code != ErrorCode::kUnauthenticated) {
      return std::unexpected(caller.error());
    }
  }
  return std::nullopt;
}

/// The heads of those libraries that whoever asks may read. Clients ask without a token, and are
/// told of none: then they ask for each library by itself, with its token.
Result<Reply> ShowHeads(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const auto ids, ReadIds<LibraryId>(call.request.body));
  if (ids.size() > kLibrariesAtOnce) {
    return Fail(ErrorCode::kLimitExceeded, "at most 1000 libraries at once");
  }
  std::map<std::string, CommitId> heads;
  ASSIGN_OR_RETURN(const std::optional<Person> asker, AskerOf(room, call, ids));
  for (const LibraryId& id : asker ? ids : std::vector<LibraryId>()) {
    ASSIGN_OR_RETURN(const auto library,
                     store::Find(room.ground.store, call.op, Libraries(), LibraryRowKey(id)));
    if (library && !library->record.deleted_at && PermissionOf(library->record, *asker)) {
      heads[id.Render()] = library->record.head;
    }
  }
  return http::JsonReply(ToJson(heads));
}

void AddHeads(api::Api& api, Room& room) {
  api.Add(SyncRoute(room, Method::kGet, "commit/HEAD", "The newest commit of a library"),
          [](const Call& call, const LibraryId&) { return ShowHead(call); });
  http::Route publish =
      SyncRoute(room, Method::kPut, "commit/HEAD", "Makes a commit the newest, merged if need be");
  publish.work = http::Work::kBlocking;
  publish.failure = &SyncFailureReply;
  publish.body_bytes_max = api::kBodyBytesMax;
  // Looks through everything that is new.
  publish.rate = http::RateClass::kCostly;
  api.Add(publish,
          [&room](const Call& call, const LibraryId& id) { return Publish(room, call, id); });
  http::Route branch = SyncRoute(room, Method::kPost, "update-branch", "The same");
  branch.work = http::Work::kBlocking;
  branch.failure = &SyncFailureReply;
  branch.body_bytes_max = api::kBodyBytesMax;
  branch.rate = http::RateClass::kCostly;
  api.Add(branch,
          [&room](const Call& call, const LibraryId& id) { return Publish(room, call, id); });
}

void AddCommits(api::Api& api, Room& room) {
  api.Add(SyncRoute(room, Method::kGet, "commit/{commit}", "A commit"),
          [&room](const Call& call, const LibraryId& library, const CommitId& id) {
            return ShowCommit(room, call, library, id);
          });
  http::Route take =
      SyncRoute(room, Method::kPut, "commit/{commit}", "Takes a commit, not yet as the newest");
  take.work = http::Work::kBlocking;
  take.body_bytes_max = kCommitBytesMax;
  api.Add(take, [&room](const Call& call, const LibraryId& library, const CommitId& id) {
    return TakeCommit(room, call, library, id);
  });
}

void AddChecks(api::Api& api, Room& room) {
  api.Add(SyncRoute(room, Method::kGet, "permission-check", "Whether a client may sync"),
          [](const Call& call, const LibraryId&) { return CheckPermission(call); });
  http::Route quota =
      SyncRoute(room, Method::kGet, "quota-check", "Whether so much more would fit");
  quota.work = http::Work::kBlocking;
  quota.failure = &SyncFailureReply;
  api.Add(quota, [&room](const Call& call, const LibraryId&) { return CheckQuota(room, call); });
}

}  // namespace

void AddSyncHeadRoutes(api::Api& api, Room& room, const http::AccessRule& everybody) {
  api.Add(api::RouteOf(Method::kGet, "/seafhttp/protocol-version", everybody,
                       "Which sync protocol is spoken"),
          [](const Call&) -> Result<Reply> { return http::JsonReply(R"({"version": 2})"); });
  http::Route heads = api::RouteOf(Method::kPost, "/seafhttp/repo/head-commits-multi", everybody,
                                   "The newest commits of some libraries");
  heads.body_bytes_max = kIdsBytesMax;
  api.Add(heads, [&room](const Call& call) { return ShowHeads(room, call); });
  AddHeads(api, room);
  AddCommits(api, room);
  AddChecks(api, room);
}

}  // namespace atrium::files

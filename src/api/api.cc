// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "api/api.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/bytes.h"
#include "base/check.h"
#include "base/hash.h"
#include "base/hex.h"
#include "http/problem.h"
#include "store/once_only.h"

namespace atrium::api {
namespace {

constexpr std::string_view kKeyHeader = "Idempotency-Key";
constexpr std::size_t kKeyBytesMax = 255;

/// Visible ASCII, as the drafts of the header and its users have it.
Result<std::optional<std::string_view>> KeyOf(const http::Request& request) {
  const std::optional<std::string_view> key = request.headers.Find(kKeyHeader);
  if (!key || http::IsSafe(request.method)) {
    return std::nullopt;
  }
  const bool visible = std::ranges::all_of(*key, [](char c) { return c > ' ' && c <= '~'; });
  if (request.headers.Count(kKeyHeader) != 1 || key->empty() || key->size() > kKeyBytesMax ||
      !visible) {
    return Fail(ErrorCode::kInvalidArgument,
                "Idempotency-Key is sent once and has 1 to 255 visible ASCII characters");
  }
  return key;
}

/// Two requests are the same when all of this is. Not the host: a server may be reached by many
/// names, and whose request it is, the principal says.
std::string DigestOf(const http::Request& request) {
  Sha256 hash;
  for (const std::string_view part : {http::Name(request.method), request.path, request.query,
                                      request.headers.Get("Content-Type"), request.body}) {
    hash.Update(std::to_string(part.size()) + ":");
    hash.Update(part);
  }
  return EncodeHex(hash.Finish());
}

/// So that keys of different callers never meet. Who asks without a name is known by the address.
std::string PrincipalOf(const http::Request& request) {
  return request.principal ? request.principal->Name() : "address:" + Render(request.client);
}

http::Reply Repeat(const store::Replay& replay, std::string_view request_id) {
  if (replay.other_request) {
    return http::ProblemReply(422, "this Idempotency-Key was used for another request before",
                              request_id);
  }
  http::Reply reply =
      replay.answer.body.empty() ? http::EmptyReply() : http::JsonReply(replay.answer.body);
  reply.status = replay.answer.status;
  if (reply.status != 204) {
    reply.etag = TagOf(replay.version);
  }
  reply.headers.emplace_back("Idempotency-Replayed", "true");
  return reply;
}

}  // namespace

Call Api::CallOf(const http::Request& request, const RequestWarrant& warrant) const {
  store::OpContext op = store::OpContext::ForRequest(request.id, clock_.Steady() + kTimeForStore);
  op.warrant = &warrant;
  return {.request = request, .op = op};
}

Result<http::Reply> Api::Answer(const http::Request& request, const RequestWarrant& warrant,
                                const Run& run) {
  Call call = CallOf(request, warrant);
  ASSIGN_OR_RETURN(const std::optional<std::string_view> key, KeyOf(request));
  if (!key) {
    return run(call);
  }
  const std::string principal = PrincipalOf(request);
  const std::string digest = DigestOf(request);
  store::OnceOnly once({.principal = principal, .key = *key, .digest = digest}, clock_);
  call.op.once = &once;
  return AnswerOnce(call, run);
}

Result<http::Reply> Api::AnswerOnce(Call& call, const Run& run) {
  ASSIGN_OR_RETURN(const std::optional<store::Replay> before,
                   call.op.once->FindReplay(store_, call.op));
  if (before) {
    return Repeat(*before, call.request.id);
  }
  Result<http::Reply> reply = run(call);
  // The same request may have come twice at once, and the other been quicker.
  if (!reply && call.op.once->GetReplay()) {
    return Repeat(*call.op.once->GetReplay(), call.request.id);
  }
  return reply;
}

http::ETag TagOf(store::Version version) {
  Result<http::ETag> tag = http::ETag::Strong(std::to_string(version.number));
  Check(tag.has_value(), "digits are an entity tag");
  return *std::move(tag);
}

Result<void> CheckIfMatch(const http::Request& request, store::Version current) {
  const std::optional<std::string_view> header = request.headers.Find("If-Match");
  if (!header) {
    return {};
  }
  ASSIGN_OR_RETURN(const http::ETagList list,
                   http::ParseETagList(request.headers.Join("If-Match")));
  const http::ETag tag = TagOf(current);
  const bool matches = list.any || std::ranges::any_of(list.tags, [&](const http::ETag& named) {
                         return http::MatchStrongly(named, tag);
                       });
  return matches ? Result<void>() : Fail(ErrorCode::kConflict, "it was changed since it was read");
}

}  // namespace atrium::api

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/reply_head.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

#include "base/random.h"
#include "http/grammar.h"
#include "http/http_date.h"
#include "http/problem.h"
#include "http/range.h"
#include "http/status.h"

namespace atrium::http {
namespace {

/// Bodies up to here travel in the same buffer as their head: one copy costs less than a second
/// buffer in the system call.
constexpr std::size_t kInlineBytesMax = std::size_t{64} << 10;

constexpr std::string_view kSecurityLines =
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n";

void AppendNumber(std::string& out, std::uint64_t number) {
  char digits[24];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
  out.append(digits, end);
}

void AppendLine(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).append("\r\n");
}

/// Control characters in a value would end the line early and start a header of their own.
bool IsHeaderText(std::string_view value) {
  return std::ranges::all_of(value, [](char c) { return static_cast<unsigned char>(c) >= 0x20; });
}

bool HasNoBody(int status) {
  return status == 204 || status == 304 || status < 200;
}

/// nullopt when it is not known before the body is made.
std::optional<std::uint64_t> LengthOf(const Body& body) {
  if (const auto* text = std::get_if<std::string>(&body)) {
    return text->size();
  }
  if (const auto* bytes = std::get_if<StaticBytes>(&body)) {
    return bytes->bytes.size();
  }
  if (const auto* file = std::get_if<FileSlice>(&body)) {
    return file->bytes;
  }
  const auto* source = std::get_if<std::unique_ptr<BodySource>>(&body);
  return source != nullptr ? (*source)->Length() : std::nullopt;
}

ReplyTail::Piece Cut(const Body& body, const ByteRange& range) {
  const auto first = static_cast<std::size_t>(range.first);
  const auto size = static_cast<std::size_t>(range.size());
  if (const auto* text = std::get_if<std::string>(&body)) {
    return text->substr(first, size);
  }
  if (const auto* bytes = std::get_if<StaticBytes>(&body)) {
    return StaticBytes{bytes->bytes.substr(first, size)};
  }
  FileSlice slice = std::get<FileSlice>(body);
  slice.offset += range.first;
  slice.bytes = range.size();
  return slice;
}

ReplyTail::Piece Whole(Body body) {
  if (auto* text = std::get_if<std::string>(&body)) {
    return std::move(*text);
  }
  if (const auto* bytes = std::get_if<StaticBytes>(&body)) {
    return *bytes;
  }
  return std::move(std::get<FileSlice>(body));
}

std::uint64_t SizeOf(const ReplyTail::Piece& piece) {
  if (const auto* file = std::get_if<FileSlice>(&piece)) {
    return file->bytes;
  }
  if (const auto* text = std::get_if<std::string>(&piece)) {
    return text->size();
  }
  return std::get<StaticBytes>(piece).bytes.size();
}

CurrentState StateOf(const Reply& reply) {
  CurrentState state{.exists = true, .etag = reply.etag, .last_modified = {}};
  if (reply.last_modified) {
    state.last_modified = std::chrono::floor<std::chrono::seconds>(*reply.last_modified);
  }
  return state;
}

bool IsRead(const Request& request) {
  return request.method == Method::kGet || request.method == Method::kHead;
}

/// Turns a reply whose state the client already has, or did not expect, into one without a body.
void ApplyConditions(Reply& reply, const Request& request) {
  const bool conditional =
      reply.status == 200 && IsRead(request) && (reply.etag || reply.last_modified);
  if (!conditional) {
    return;
  }
  const Preconditions preconditions{
      .if_match = request.headers.Find("If-Match"),
      .if_none_match = request.headers.Find("If-None-Match"),
      .if_modified_since = request.headers.Find("If-Modified-Since"),
      .if_unmodified_since = request.headers.Find("If-Unmodified-Since")};
  switch (Evaluate(preconditions, Intent::kRead, StateOf(reply))) {
    case Verdict::kProceed:
      return;
    case Verdict::kNotModified:
      reply.status = 304;
      reply.body = std::string();
      return;
    case Verdict::kPreconditionFailed:
      reply = ProblemReply(412, "the resource is not as the request expects it", request.id);
      return;
  }
}

/// Several parts of one body, as multipart/byteranges (RFC 9110 §14.6).
void PlanParts(Reply& reply, ReplyTail& tail, const std::vector<ByteRange>& parts,
               std::uint64_t size) {
  const std::string boundary = RandomToken(18);
  for (const ByteRange& part : parts) {
    std::string head = "\r\n--" + boundary + "\r\n";
    AppendLine(head, "Content-Type", reply.content_type);
    AppendLine(head, "Content-Range", RenderContentRange(part, size));
    tail.pieces.emplace_back(head.append("\r\n"));
    tail.pieces.push_back(Cut(reply.body, part));
  }
  tail.pieces.emplace_back("\r\n--" + boundary + "--\r\n");
  reply.headers.emplace_back("Content-Type", "multipart/byteranges; boundary=" + boundary);
  reply.content_type = {};
}

/// A source gives one part or the whole.
void NarrowSource(Reply& reply, ReplyTail& tail, const std::vector<ByteRange>& parts,
                  std::uint64_t size) {
  BodySource& source = *std::get<std::unique_ptr<BodySource>>(reply.body);
  if (parts.size() == 1 && source.Narrow(parts[0])) {
    reply.status = 206;
    reply.headers.emplace_back("Content-Range", RenderContentRange(parts[0], size));
    tail.source_bytes = parts[0].size();
  }
}

void ApplyRange(Reply& reply, ReplyTail& tail, const Request& request, std::uint64_t size) {
  const std::optional<std::string_view> header = request.headers.Find("Range");
  const std::optional<std::string_view> if_range = request.headers.Find("If-Range");
  if (!header || request.method != Method::kGet ||
      (if_range && !IfRangeHolds(*if_range, StateOf(reply)))) {
    return;
  }
  const RangeChoice choice = ParseRange(*header, size);
  if (choice.kind == RangeChoice::Kind::kUnsatisfiable) {
    reply = ProblemReply(416, "the range lies behind the end", request.id);
    reply.headers.emplace_back("Content-Range", RenderUnsatisfiedRange(size));
    return;
  }
  if (choice.kind == RangeChoice::Kind::kWhole) {
    return;
  }
  if (std::holds_alternative<std::unique_ptr<BodySource>>(reply.body)) {
    NarrowSource(reply, tail, choice.parts, size);
    return;
  }
  reply.status = 206;
  if (choice.parts.size() == 1) {
    reply.headers.emplace_back("Content-Range", RenderContentRange(choice.parts[0], size));
    tail.pieces.push_back(Cut(reply.body, choice.parts[0]));
    return;
  }
  PlanParts(reply, tail, choice.parts, size);
}

void AppendValidators(std::string& out, const Reply& reply) {
  if (reply.etag) {
    AppendLine(out, "ETag", reply.etag->Render());
  }
  if (reply.last_modified) {
    AppendLine(out, "Last-Modified",
               RenderHttpDate(std::chrono::floor<std::chrono::seconds>(*reply.last_modified)));
  }
}

/// The same as the policy says, for whoever looks here first.
std::string_view FrameOptions(const Reply& reply) {
  return reply.content_security_policy.ends_with("frame-ancestors 'self'") ? "SAMEORIGIN" : "DENY";
}

void AppendStartLine(std::string& out, int status) {
  out.append("HTTP/1.1 ");
  AppendNumber(out, static_cast<std::uint64_t>(status));
  out.append(" ").append(Phrase(status)).append("\r\n");
}

void AppendCommonLines(std::string& out, const Reply& reply, const ReplyContext& context) {
  out.append(context.date_line);
  if (!reply.content_type.empty()) {
    AppendLine(out, "Content-Type", reply.content_type);
  }
  AppendValidators(out, reply);
  AppendLine(out, "Cache-Control", reply.cache_control);
  AppendLine(out, "Content-Security-Policy", reply.content_security_policy);
  AppendLine(out, "X-Frame-Options", FrameOptions(reply));
  out.append(kSecurityLines);
  if (context.request.scheme == Scheme::kHttps) {
    AppendLine(out, "Strict-Transport-Security", "max-age=31536000");
  }
  AppendLine(out, "X-Request-Id", context.request.id);
  if (!context.cors_origin.empty()) {
    AppendLine(out, "Access-Control-Allow-Origin", context.cors_origin);
    out.append(
        "Access-Control-Allow-Credentials: true\r\n"
        "Access-Control-Expose-Headers: ETag, Location, X-Request-Id\r\n");
  }
  if (context.vary_by_origin) {
    AppendLine(out, "Vary", "Origin");
  }
  for (const auto& [name, value] : reply.headers) {
    if (IsToken(name) && IsHeaderText(value)) {
      AppendLine(out, name, value);
    }
  }
}

/// How the end of the body will be known: by its length, by chunks, or by the end of the
/// connection.
void AppendFraming(std::string& out, ReplyTail& tail, std::optional<std::uint64_t> length,
                   const ReplyContext& context) {
  if (length) {
    out.append("Content-Length: ");
    AppendNumber(out, *length);
    out.append("\r\n");
  } else if (tail.source || tail.events) {
    tail.chunked = context.http_1_1;
    tail.keep_alive = tail.keep_alive && context.http_1_1;
    if (tail.chunked) {
      out.append("Transfer-Encoding: chunked\r\n");
    }
  }
  if (!tail.keep_alive) {
    out.append("Connection: close\r\n");
  } else if (!context.http_1_1) {
    out.append("Connection: keep-alive\r\n");
  }
  out.append("\r\n");
}

std::optional<std::uint64_t> PlanBody(Reply& reply, ReplyTail& tail, const ReplyContext& context) {
  std::optional<std::uint64_t> length = LengthOf(reply.body);
  if (length && reply.status == 200 && context.understood) {
    ApplyRange(reply, tail, context.request, *length);
    length = LengthOf(reply.body);
  }
  if (auto* source = std::get_if<std::unique_ptr<BodySource>>(&reply.body)) {
    tail.source = std::move(*source);
    tail.source_bytes = tail.source_bytes ? tail.source_bytes : length;
    return tail.source_bytes;
  }
  if (auto* events = std::get_if<std::unique_ptr<EventSource>>(&reply.body)) {
    tail.events = std::move(*events);
    return std::nullopt;
  }
  if (HasNoBody(reply.status)) {
    return std::nullopt;
  }
  if (tail.pieces.empty()) {
    tail.pieces.push_back(Whole(std::move(reply.body)));
  }
  std::uint64_t total = 0;
  for (const ReplyTail::Piece& piece : tail.pieces) {
    total += SizeOf(piece);
  }
  return total;
}

void InlineShortBody(std::string& out, ReplyTail& tail) {
  if (tail.pieces.size() != 1 || SizeOf(tail.pieces[0]) > kInlineBytesMax) {
    return;
  }
  if (const auto* text = std::get_if<std::string>(&tail.pieces[0])) {
    out.append(*text);
  } else if (const auto* bytes = std::get_if<StaticBytes>(&tail.pieces[0])) {
    out.append(bytes->bytes);
  } else {
    return;
  }
  tail.pieces.clear();
}

}  // namespace

ReplyTail AppendReply(std::string& out, Reply reply, const ReplyContext& context) {
  ReplyTail tail{.keep_alive = context.keep_alive};
  if (context.understood) {
    ApplyConditions(reply, context.request);
  }
  const std::optional<std::uint64_t> length = PlanBody(reply, tail, context);
  tail.status = reply.status;
  AppendStartLine(out, reply.status);
  AppendCommonLines(out, reply, context);
  AppendFraming(out, tail, length, context);
  if (context.request.method == Method::kHead) {
    tail.pieces.clear();
    tail.source.reset();
    tail.events.reset();
  }
  InlineShortBody(out, tail);
  return tail;
}

}  // namespace atrium::http

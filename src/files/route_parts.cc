// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/route_parts.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <charconv>
#include <chrono>

#include "api/caller.h"
#include "base/json_read.h"
#include "base/json_text.h"
#include "files/space.h"
#include "files/unlocked_libraries.h"
#include "http/content_type.h"
#include "http/multipart.h"
#include "http/multipart_form.h"
#include "http/multipart_head.h"
#include "http/problem.h"
#include "http/status.h"

namespace atrium::files {
namespace {

int StatusOf(const Error& error) {
  if (MustUnlock(error)) {
    return kPasswordNeededStatus;
  }
  return IsAboutSpace(error) ? kStatusNoSpace : http::HttpStatus(error.code);
}

/// Fields only: a file has no place in such a form.
class NoFiles final : public http::FileSink {
 public:
  Result<void> OnFile(const http::PartHead& head) override {
    return Fail(ErrorCode::kInvalidArgument, head.name + ": no file is expected");
  }
  Result<void> OnFileData(std::string_view /*bytes*/) override { return {}; }
  Result<void> OnFileEnd() override { return {}; }
};

Result<http::Form> ReadMultipart(const http::Request& request) {
  ASSIGN_OR_RETURN(const std::string boundary,
                   http::BoundaryOf(request.headers.Get("Content-Type")));
  NoFiles files;
  http::MultipartForm form(files);
  http::MultipartParser parser(boundary, {}, form);
  RETURN_IF_ERROR(parser.Feed(request.body));
  RETURN_IF_ERROR(parser.Finish());
  return form.Fields();
}

std::string TextOf(const boost::json::value& value) {
  return value.is_string() ? std::string(value.get_string()) : boost::json::serialize(value);
}

void AppendField(http::Form& form, std::string_view name, const boost::json::value& value) {
  if (value.is_null()) {
    return;
  }
  if (!value.is_array()) {
    form.fields.push_back({.name = std::string(name), .value = TextOf(value)});
    return;
  }
  for (const boost::json::value& one : value.get_array()) {
    form.fields.push_back({.name = std::string(name), .value = TextOf(one)});
  }
}

Result<http::Form> ReadJson(const http::Request& request) {
  ASSIGN_OR_RETURN(const boost::json::value json, ParseJson(request.body));
  if (!json.is_object()) {
    return Fail(ErrorCode::kInvalidArgument, "the body must be a JSON object");
  }
  http::Form form;
  for (const auto& member : json.get_object()) {
    AppendField(form, member.key(), member.value());
  }
  return form;
}

Result<http::Form> ReadBody(const http::Request& request) {
  if (request.body.empty()) {
    return http::Form();
  }
  const Result<http::ContentType> type =
      http::ParseContentType(request.headers.Get("Content-Type"));
  if (type && type->Is("application/json")) {
    return ReadJson(request);
  }
  if (type && type->Is("multipart/form-data")) {
    return ReadMultipart(request);
  }
  return request.FormBody();
}

Result<Person> PersonNamed(Room& room, const api::Call& call) {
  ASSIGN_OR_RETURN(const http::Form query, call.request.Query());
  const auto named = query.Find("user");
  if (!named) {
    return Fail(ErrorCode::kInvalidArgument, "user: say whose libraries this is about");
  }
  std::optional<Person> person;
  if (const Result<UserId> id = UserId::Parse(*named)) {
    ASSIGN_OR_RETURN(person, room.people.Find(call.op, *id));
  } else {
    ASSIGN_OR_RETURN(person, room.people.FindByEmail(call.op, *named));
  }
  if (!person) {
    return Fail(ErrorCode::kNotFound, "user: there is nobody of that name");
  }
  return *std::move(person);
}

}  // namespace

http::Reply FailureReply(const Error& error, std::string_view /*request_id*/) {
  const int status = StatusOf(error);
  http::Reply reply =
      FailureReply(status, error.client_message.empty() ? http::Phrase(status)
                                                        : std::string_view(error.client_message));
  if (error.retry_after.count() > 0) {
    http::AddRetryAfter(reply, error.retry_after);
  }
  return reply;
}

http::Reply FailureReply(int status, std::string_view message) {
  std::string json = R"({"error_msg": )";
  AppendJsonString(json, message);
  json += "}";
  return http::JsonReply(std::move(json), status);
}

http::Route ReadingRoute(std::string path, const http::AccessRule& access, std::string summary) {
  http::Route route = api::RouteOf(http::Method::kGet, std::move(path), access, std::move(summary));
  route.work = http::Work::kBlocking;
  return route;
}

Result<Person> PersonOf(Room& room, const api::Call& call) {
  const api::Caller& caller = api::CallerOf(call.request);
  if (!caller.user) {
    return PersonNamed(room, call);
  }
  ASSIGN_OR_RETURN(const auto person, room.people.Find(call.op, *caller.user));
  if (!person) {
    return Fail(ErrorCode::kUnauthenticated, "who is asking is not known any more");
  }
  Person known = *person;
  known.by = caller.Ref();
  return known;
}

Author AuthorOf(const Person& person) {
  return {.user = person.id, .email = person.email};
}

bool MayWrite(const api::Call& call) {
  const api::Caller& caller = api::CallerOf(call.request);
  return caller.IsOperator() || caller.scopes.Allows(api::Area::kFiles, api::Scopes::Right::kWrite);
}

Result<void> CheckMayWrite(const api::Call& call) {
  return MayWrite(call) ? Result<void>()
                        : Fail(ErrorCode::kPermissionDenied, "this token may read, and not write");
}

Result<Fields> Fields::Read(const http::Request& request) {
  Fields fields;
  ASSIGN_OR_RETURN(fields.query_, request.Query());
  ASSIGN_OR_RETURN(fields.body_, ReadBody(request));
  return fields;
}

std::optional<std::string_view> Fields::Find(std::string_view name) const {
  const auto in_body = body_.Find(name);
  return in_body ? in_body : query_.Find(name);
}

Result<std::string> Fields::Require(std::string_view name) const {
  const auto value = Find(name);
  if (!value || value->empty()) {
    return Fail(ErrorCode::kInvalidArgument, std::string(name) + ": is required");
  }
  return std::string(*value);
}

std::vector<std::string> Fields::All(std::string_view name) const {
  const auto in_body = body_.All(name);
  const auto all = in_body.empty() ? query_.All(name) : in_body;
  return {all.begin(), all.end()};
}

Result<TreePath> Fields::Path(std::string_view name) const {
  Result<TreePath> path = TreePath::Parse(Find(name).value_or("/"));
  if (!path) {
    path.error().client_message.insert(0, std::string(name) + ": ");
  }
  return path;
}

Result<TreePath> Fields::RequirePath(std::string_view name) const {
  RETURN_IF_ERROR(Require(name));
  return Path(name);
}

Result<LibraryId> Fields::RequireLibrary(std::string_view name) const {
  ASSIGN_OR_RETURN(const std::string text, Require(name));
  const Result<LibraryId> id = LibraryId::Parse(text);
  if (!id) {
    return Fail(ErrorCode::kInvalidArgument, std::string(name) + ": not an id");
  }
  return *id;
}

bool Fields::IsTrue(std::string_view name) const {
  const auto value = Find(name);
  return value && (*value == "1" || *value == "true" || *value == "True");
}

std::string BaseOf(const http::Request& request) {
  const std::string_view scheme = request.scheme == http::Scheme::kHttps ? "https://" : "http://";
  return std::string(scheme).append(request.host);
}

std::int64_t LengthOf(const http::Request& request) {
  const std::string_view text = request.headers.Get("Content-Length");
  std::int64_t length = 0;
  std::from_chars(text.data(), text.data() + text.size(), length);
  return length;
}

http::Reply QuotedReply(std::string_view text) {
  std::string json;
  AppendJsonString(json, text);
  return http::JsonReply(std::move(json));
}

http::Reply SuccessReply() {
  return http::JsonReply(R"({"success": true})");
}

http::Reply SuccessWord() {
  return http::JsonReply(R"("success")");
}

std::string IsoTime(std::int64_t seconds) {
  // Far outside what a calendar tells, and far inside an Instant.
  constexpr std::int64_t kFar = 250'000'000'000;
  const Instant at{std::chrono::seconds(std::clamp(seconds, -kFar / 5, kFar))};
  // "2026-11-16T08:30:00.000Z"
  std::string text = RenderInstant(at);
  text.resize(text.find_first_of(".Z", text.find('T')));
  return text + "+00:00";
}

std::int64_t SecondsSince1970(Instant at) {
  return std::chrono::floor<std::chrono::seconds>(at).time_since_epoch().count();
}

std::string_view PermissionWord(Permission permission) {
  return permission == Permission::kWrite ? "rw" : "r";
}

}  // namespace atrium::files

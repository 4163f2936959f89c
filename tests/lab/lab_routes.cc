// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "lab_routes.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "base/json_text.h"
#include "base/memory_budget.h"
#include "base/strong_id.h"
#include "base/uuid.h"
#include "http/body_memory.h"

namespace atrium::lab {
namespace {

using http::Anyone;
using http::Method;
using http::RateClass;
using http::Reply;
using http::Request;
using http::Work;

using RoomId = StrongId<struct RoomTag, Uuid>;

/// Two hundred bytes, as a small answer of the API is.
constexpr std::string_view kSmall =
    R"({"id":"0192f0c1-7c1e-7aaa-8b1d-0123456789ab","title":"Dinner with the neighbours","start":)"
    R"("2026-11-15T19:00:00.000Z","end":"2026-11-15T22:00:00.000Z","place":"The garden house","kind":"timed"})";
static_assert(kSmall.size() > 190 && kSmall.size() < 210);

/// Nobody: to see that a rule is asked before anything else.
class NobodyRule final : public http::AccessRule {
 public:
  std::string_view Name() const override { return "nobody"; }
  Result<std::shared_ptr<const http::Principal>> Admit(const Request& /*request*/) const override {
    return Fail(ErrorCode::kPermissionDenied, "nobody may");
  }
};

const http::AccessRule& Nobody() {
  static const NobodyRule rule;
  return rule;
}

void AddSmall(http::Router& router) {
  for (const Work work : {Work::kQuick, Work::kBlocking}) {
    router.Add(
        {.method = Method::kGet,
         .path = "/lab/" + std::string(Name(work)),
         .access = Anyone(),
         .work = work,
         .summary = "A small answer"},
        [](const Request&) -> Result<Reply> { return http::JsonReply(std::string(kSmall)); });
  }
  router.Add({.method = Method::kGet,
              .path = "/lab/tagged",
              .access = Anyone(),
              .work = Work::kQuick,
              .summary = "An answer with an entity tag"},
             [](const Request&) -> Result<Reply> {
               Reply reply = http::TextReply("0123456789abcdef");
               ASSIGN_OR_RETURN(reply.etag, http::ETag::Strong("one"));
               return reply;
             });
}

/// What is at hand at once, and what is not.
void AddTwoStep(http::Router& router) {
  router.AddTwoStep(
      {.method = Method::kGet,
       .path = "/lab/two-step/{what}",
       .access = Anyone(),
       .work = Work::kTwoStep,
       .summary = "An answer at once or later"},
      [](const Request&, const std::string& what) -> Result<std::optional<Reply>> {
        if (what == "fails") {
          return Fail(ErrorCode::kNotFound, "nothing at hand");
        }
        return what == "small" ? std::optional(http::TextReply("at once")) : std::nullopt;
      },
      [](const Request&, const std::string&) -> Result<Reply> { return http::TextReply("later"); });
}

/// A handler that makes more than its route may answer.
void AddOverlong(http::Router& router) {
  router.Add({.method = Method::kGet,
              .path = "/lab/overlong/{bytes}",
              .access = Anyone(),
              .work = Work::kBlocking,
              .summary = "So many bytes, of which 1000 are allowed",
              .answer_bytes_max = 1000},
             [](const Request&, std::uint32_t bytes) -> Result<Reply> {
               return http::TextReply(std::string(bytes, 'x'));
             });
}

void AddDated(http::Router& router) {
  router.Add({.method = Method::kGet,
              .path = "/lab/dated",
              .access = Anyone(),
              .work = Work::kQuick,
              .summary = "An answer with a date of its last change"},
             [](const Request&) -> Result<Reply> {
               Reply reply = http::TextReply("0123456789abcdef");
               ASSIGN_OR_RETURN(reply.last_modified, ParseInstant("2026-11-15T12:00:00Z"));
               return reply;
             });
}

void AddParameters(http::Router& router) {
  router.Add({.method = Method::kGet,
              .path = "/lab/rooms/{room}/seats/{seat}",
              .access = Anyone(),
              .work = Work::kQuick,
              .summary = "Typed parameters"},
             [](const Request&, const RoomId& room, std::uint32_t seat) -> Result<Reply> {
               return http::TextReply(room.Render() + " " + std::to_string(seat));
             });
  router.Add({.method = Method::kGet,
              .path = "/lab/names/{name}",
              .access = Anyone(),
              .work = Work::kQuick,
              .summary = "A decoded segment"},
             [](const Request&, const std::string& name) -> Result<Reply> {
               return http::TextReply(name);
             });
  router.Add({.method = Method::kGet,
              .path = "/lab/secret/{token}",
              .access = Anyone(),
              .work = Work::kQuick,
              .summary = "A path that must not be logged"},
             [](const Request&, const http::SecretSegment& token) -> Result<Reply> {
               return http::TextReply(std::to_string(token.text.size()));
             });
}

void AddRefusals(http::Router& router) {
  router.Add({.method = Method::kGet,
              .path = "/lab/fail/throws",
              .access = Anyone(),
              .work = Work::kBlocking,
              .summary = "A bug"},
             [](const Request&) -> Result<Reply> { throw std::runtime_error("secret detail"); });
  router.Add({.method = Method::kGet,
              .path = "/lab/fail/privately",
              .access = Anyone(),
              .work = Work::kQuick,
              .summary = "A failure whose detail stays inside"},
             [](const Request&) -> Result<Reply> {
               return FailPrivately(ErrorCode::kInternal, "secret detail");
             });
  router.Add({.method = Method::kPost,
              .path = "/lab/forbidden",
              .access = Nobody(),
              .work = Work::kBlocking,
              .summary = "A route nobody may use",
              .body_bytes_max = 1024},
             [](const Request&) -> Result<Reply> { return http::EmptyReply(); });
}

void AddStatuses(http::Router& router) {
  router.Add({.method = Method::kGet,
              .path = "/lab/status/{status}",
              .access = Anyone(),
              .work = Work::kQuick,
              .summary = "An answer of any status"},
             [](const Request&, std::uint16_t status) -> Result<Reply> {
               return http::TextReply("as asked", status);
             });
}

void AddSlow(http::Router& router) {
  router.Add({.method = Method::kGet,
              .path = "/lab/sleep/{milliseconds}",
              .access = Anyone(),
              .work = Work::kBlocking,
              .summary = "Takes its time"},
             [](const Request&, std::uint32_t milliseconds) -> Result<Reply> {
               std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
               return http::TextReply("slept");
             });
  router.Add({.method = Method::kGet,
              .path = "/lab/credential",
              .access = Anyone(),
              .work = Work::kQuick,
              .summary = "A route of the credential class",
              .rate = RateClass::kCredential},
             [](const Request&) -> Result<Reply> { return http::TextReply("done"); });
  router.Add({.method = Method::kGet,
              .path = "/lab/costly",
              .access = Anyone(),
              .work = Work::kQuick,
              .summary = "A route of the costly class",
              .rate = RateClass::kCostly},
             [](const Request&) -> Result<Reply> { return http::TextReply("done"); });
}

void AddBodies(http::Router& router) {
  router.Add({.method = Method::kPost,
              .path = "/lab/echo",
              .access = Anyone(),
              .work = Work::kQuick,
              .summary = "The body again",
              .body_bytes_max = std::size_t{1} << 20},
             [](const Request& request) -> Result<Reply> {
               return Reply{.content_type = "application/octet-stream",
                            .body = std::string(request.body)};
             });
  router.Add({.method = Method::kPost,
              .path = "/lab/weigh",
              .access = Anyone(),
              .work = Work::kBlocking,
              .summary = "How long the body is that was kept in memory",
              .body_bytes_max = std::size_t{64} << 20},
             [](const Request& request) -> Result<Reply> {
               return http::TextReply(std::to_string(request.body.size()));
             });
  router.Add({.method = Method::kGet,
              .path = "/lab/decode/{mebibytes}",
              .access = Anyone(),
              .work = Work::kBlocking,
              .summary = "Takes memory as what decodes a body does"},
             [](const Request& request, std::uint16_t mebibytes) -> Result<Reply> {
               RETURN_IF_ERROR(http::TakeMemory(request.memory, std::size_t{mebibytes} << 20));
               return http::TextReply("decoded");
             });
  router.Add({.method = Method::kPost,
              .path = "/lab/form",
              .access = Anyone(),
              .work = Work::kQuick,
              .summary = "The fields of a form",
              .body_bytes_max = std::size_t{64} << 10},
             [](const Request& request) -> Result<Reply> {
               ASSIGN_OR_RETURN(const http::Form form, request.FormBody());
               std::string lines;
               for (const http::FormField& field : form.fields) {
                 lines.append(field.name).append("=").append(field.value).append("\n");
               }
               return http::TextReply(std::move(lines));
             });
  router.Add({.method = Method::kGet,
              .path = "/lab/whoami",
              .access = Anyone(),
              .work = Work::kQuick,
              .summary = "What the edge made of the request"},
             [](const Request& request) -> Result<Reply> {
               std::string json = R"({"client":)";
               AppendJsonString(json, Render(request.client));
               json.append(R"(,"scheme":)");
               AppendJsonString(json, request.scheme == http::Scheme::kHttps ? "https" : "http");
               json.append(R"(,"host":)");
               AppendJsonString(json, request.host);
               return http::JsonReply(json.append("}"));
             });
}

}  // namespace

void AddRoutes(http::Router& router) {
  AddSmall(router);
  AddDated(router);
  AddTwoStep(router);
  AddOverlong(router);
  AddParameters(router);
  AddRefusals(router);
  AddStatuses(router);
  AddSlow(router);
  AddBodies(router);
  AddFailures(router);
  AddHolds(router);
  AddSockets(router);
  AddStreams(router);
  AddUploads(router);
}

}  // namespace atrium::lab

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <boost/describe/class.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/caller.h"
#include "base/json_write.h"
#include "http/cookies.h"
#include "http/json_body.h"
#include "http/problem.h"
#include "identity/identity.h"
#include "identity/provider_routes.h"
#include "identity/route_parts.h"
#include "identity/routes.h"

namespace atrium::identity {
namespace {

using api::Call;
using http::Method;
using http::Reply;

/// Ties a sign-in that is away at a provider to the browser in which it was begun. Under TLS its
/// name is one that no other host can set.
std::string BrowserCookieOf(const http::Request& request) {
  return request.scheme == http::Scheme::kHttps ? "__Host-signin" : "signin";
}

struct LoginOffer {
  std::string id{};
  std::string name{};
  std::string login_url{};
};
BOOST_DESCRIBE_STRUCT(LoginOffer, (), (id, name, login_url))

struct LoginOffers {
  std::vector<LoginOffer> providers{};
  /// Whether links can be mailed, too.
  bool mail = false;
};
BOOST_DESCRIBE_STRUCT(LoginOffers, (), (providers, mail))

struct ProviderPage {
  std::vector<ShownProvider> providers{};
};
BOOST_DESCRIBE_STRUCT(ProviderPage, (), (providers))

struct ProviderBody {
  std::string name{};
  std::string issuer{};
  std::string client_id{};
  std::optional<std::string> client_secret{};
  bool trusted = false;
  bool creates_users = false;
};
BOOST_DESCRIBE_STRUCT(ProviderBody, (),
                      (name, issuer, client_id, client_secret, trusted, creates_users))

struct LinkedAccount {
  std::string issuer{};
  std::string subject{};
  std::string email{};
  Instant linked_at{};
};
BOOST_DESCRIBE_STRUCT(LinkedAccount, (), (issuer, subject, email, linked_at))

struct LinkedAccounts {
  std::vector<LinkedAccount> identities{};
};
BOOST_DESCRIBE_STRUCT(LinkedAccounts, (), (identities))

struct LinkBody {
  std::optional<std::string> return_to{};
};
BOOST_DESCRIBE_STRUCT(LinkBody, (), (return_to))

struct UnlinkBody {
  std::string issuer{};
  std::string subject{};
};
BOOST_DESCRIBE_STRUCT(UnlinkBody, (), (issuer, subject))

struct WayThere {
  std::string url{};
};
BOOST_DESCRIBE_STRUCT(WayThere, (), (url))

void SetBrowserCookie(Reply& reply, const http::Request& request, std::string secret,
                      std::chrono::seconds max_age) {
  const Result<std::string> cookie =
      http::RenderSetCookie({.name = BrowserCookieOf(request),
                             .value = std::move(secret),
                             // The name under TLS goes with no narrower path.
                             .path = request.scheme == http::Scheme::kHttps ? "/" : "/auth",
                             .max_age = max_age,
                             .secure = request.scheme == http::Scheme::kHttps});
  if (cookie) {
    reply.headers.emplace_back("Set-Cookie", *cookie);
  }
}

Reply RedirectTo(std::string url) {
  Reply reply{.status = 303, .content_type = {}};
  reply.headers.emplace_back("Location", std::move(url));
  return reply;
}

/// 409 where nothing was read before that could be read again: 412 would say so.
Result<Reply> ExplainClash(const Call& call, const Error& error) {
  if (error.code != ErrorCode::kConflict) {
    return std::unexpected(error);
  }
  return http::ProblemReply(409, error.client_message, call.request.id);
}

std::string TextOf(const http::Form& form, std::string_view name) {
  return std::string(form.Find(name).value_or(""));
}

Result<Reply> ListOffers(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const Door door, room.DoorOf(call.request));
  ASSIGN_OR_RETURN(const std::vector<Provider> providers, room.providers.List(call.op, door.org));
  LoginOffers offers{.mail = room.outbox.IsOpen()};
  for (const Provider& one : providers) {
    offers.providers.push_back(
        {.id = one.id, .name = one.name, .login_url = "/auth/" + one.id + "/login"});
  }
  return http::JsonReply(ToJson(offers));
}

/// One word for the page that explains it; no text of others, which it would show as ours.
std::string_view ReasonOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kUnauthenticated:
      return "expired";
    case ErrorCode::kPermissionDenied:
      return "denied";
    case ErrorCode::kConflict:
      return "taken";
    default:
      return "unavailable";
  }
}

/// People come here by following links: they are led to a page rather than shown a document.
Result<Reply> ForPeople(const Call& call, Result<Reply> reply) {
  const auto accepted = call.request.headers.Find("Accept");
  if (reply || !accepted || !accepted->contains("text/html")) {
    return reply;
  }
  return RedirectTo("/login?refused=" + std::string(ReasonOf(reply.error().code)));
}

Result<DepartureRequest> ReadDeparture(const Identity& room, const Call& call,
                                       const std::string& provider) {
  ASSIGN_OR_RETURN(const Door door, room.DoorOf(call.request));
  ASSIGN_OR_RETURN(const std::string base, room.BaseUrl(call.request));
  return DepartureRequest{.org = door.org,
                          .provider = provider,
                          .redirect_uri = base + "/auth/" + provider + "/callback"};
}

/// Of whoever wants to prove again who they are.
Result<api::CredentialRef> SessionIn(const Call& call) {
  const api::Caller* caller = api::FindCaller(call.request);
  if (caller == nullptr || caller->credential != api::Credential::kSession) {
    return Fail(ErrorCode::kUnauthenticated, "sign in first");
  }
  return caller->Ref();
}

Result<Reply> Leave(Identity& room, const Call& call, const std::string& provider) {
  ASSIGN_OR_RETURN(const http::Form query, call.request.Query());
  ASSIGN_OR_RETURN(DepartureRequest request, ReadDeparture(room, call, provider));
  request.return_to = TextOf(query, "return_to");
  if (query.Find("proof") == "1") {
    ASSIGN_OR_RETURN(request.proves, SessionIn(call));
  }
  ASSIGN_OR_RETURN(Departure departure, room.providers.Begin(call.op, request));
  Reply reply = RedirectTo(std::move(departure.url));
  SetBrowserCookie(reply, call.request, std::move(departure.browser_secret), kFlowLifetime);
  return reply;
}

Result<Arrival> ReadArrival(const Identity& room, const Call& call, const std::string& provider) {
  ASSIGN_OR_RETURN(const http::Form query, call.request.Query());
  ASSIGN_OR_RETURN(const Door door, room.DoorOf(call.request));
  const http::Cookies cookies = http::ParseCookies(call.request.headers.Join("Cookie"));
  return Arrival{
      .org = door.org,
      .provider = provider,
      .state = TextOf(query, "state"),
      .code = TextOf(query, "code"),
      .error = TextOf(query, "error"),
      .browser_secret = std::string(cookies.Find(BrowserCookieOf(call.request)).value_or(""))};
}

Result<Reply> Arrive(Identity& room, const Call& call, const std::string& provider) {
  ASSIGN_OR_RETURN(const Arrival arrival, ReadArrival(room, call, provider));
  const Result<Arrived> arrived = room.providers.Finish(call.op, ActorOf(call.request), arrival);
  RETURN_IF_ERROR(arrived);
  Reply reply = RedirectTo(arrived->return_to);
  SetBrowserCookie(reply, call.request, "", std::chrono::seconds(0));
  if (!arrived->opened.secret.empty()) {
    SetSessionCookie(reply, call.request, arrived->opened, room.ground.clock.Now());
  }
  return reply;
}

Result<Reply> ListProviders(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const OrgId org, OrgFor(call));
  ASSIGN_OR_RETURN(const std::vector<Provider> providers, room.providers.List(call.op, org));
  ProviderPage page;
  for (const Provider& one : providers) {
    page.providers.push_back(Show(one));
  }
  return http::JsonReply(ToJson(page));
}

Result<Reply> PutProvider(Identity& room, const Call& call, const std::string& id) {
  ASSIGN_OR_RETURN(const OrgId org, OrgFor(call));
  ASSIGN_OR_RETURN(ProviderBody body, http::JsonBody<ProviderBody>(call.request));
  ASSIGN_OR_RETURN(const auto stored,
                   room.providers.Put(call.op, ActorOf(call.request), org,
                                      {.id = id,
                                       .name = std::move(body.name),
                                       .issuer = std::move(body.issuer),
                                       .client_id = std::move(body.client_id),
                                       .client_secret = std::move(body.client_secret),
                                       .trusted = body.trusted,
                                       .creates_users = body.creates_users}));
  return Tagged(ToJson(Show(stored.record)), stored.version);
}

Result<Reply> EraseProvider(Identity& room, const Call& call, const std::string& id) {
  ASSIGN_OR_RETURN(const OrgId org, OrgFor(call));
  RETURN_IF_ERROR(room.providers.Erase(call.op, ActorOf(call.request), org, id));
  return http::EmptyReply();
}

Result<Reply> ListLinked(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const auto user, AccountFor(room, call));
  ASSIGN_OR_RETURN(const std::vector<ExternalIdentity> linked,
                   room.providers.ListLinked(call.op, user.record.id));
  LinkedAccounts accounts;
  for (const ExternalIdentity& one : linked) {
    accounts.identities.push_back({.issuer = one.issuer,
                                   .subject = one.subject,
                                   .email = one.email,
                                   .linked_at = one.linked_at});
  }
  return http::JsonReply(ToJson(accounts));
}

Result<Reply> BeginLink(Identity& room, const Call& call, const std::string& provider) {
  const api::Caller& caller = api::CallerOf(call.request);
  if (!caller.user) {
    return Fail(ErrorCode::kPermissionDenied, "only somebody signed in adds accounts to theirs");
  }
  ASSIGN_OR_RETURN(const LinkBody body, http::JsonBody<LinkBody>(call.request));
  ASSIGN_OR_RETURN(DepartureRequest request, ReadDeparture(room, call, provider));
  request.return_to = body.return_to.value_or("/");
  request.links_to = caller.user;
  ASSIGN_OR_RETURN(Departure departure, room.providers.Begin(call.op, request));
  Reply reply = http::JsonReply(ToJson(WayThere{.url = std::move(departure.url)}), 201);
  SetBrowserCookie(reply, call.request, std::move(departure.browser_secret), kFlowLifetime);
  return reply;
}

Result<Reply> Unlink(Identity& room, const Call& call) {
  ASSIGN_OR_RETURN(const UnlinkBody body, http::JsonBody<UnlinkBody>(call.request));
  ASSIGN_OR_RETURN(const auto user, AccountFor(room, call));
  const Result<void> unlinked =
      room.providers.Unlink(call.op, ActorOf(call.request), user.record, body.issuer, body.subject);
  if (!unlinked) {
    return ExplainClash(call, unlinked.error());
  }
  return http::EmptyReply();
}

void AddSignIn(api::Api& api, Identity& room) {
  const http::AccessRule& everybody = room.Rules().Public();
  api.Add(RouteOf(Method::kGet, "/api/auth/providers", everybody, "Where else one can sign in"),
          [&room](const Call& call) { return ListOffers(room, call); });
  api.Add(GuessableRoute(Method::kGet, "/auth/{provider}/login", everybody,
                         "Go to a provider to sign in there"),
          [&room](const Call& call, const std::string& provider) {
            return ForPeople(call, Leave(room, call, provider));
          });
  api.Add(GuessableRoute(Method::kGet, "/auth/{provider}/callback", everybody,
                         "Come back from a provider"),
          [&room](const Call& call, const std::string& provider) -> Result<Reply> {
            Result<Reply> reply = ForPeople(call, Arrive(room, call, provider));
            if (!reply) {
              return ExplainClash(call, reply.error());
            }
            return reply;
          });
}

void AddAdministration(api::Api& api, Identity& room) {
  const http::AccessRule& admins = room.Rules().Admin();
  api.Add(RouteOf(Method::kGet, "/api/providers", admins, "List the providers"),
          [&room](const Call& call) { return ListProviders(room, call); });
  api.Add(RouteOf(Method::kPut, "/api/providers/{id}", admins, "Enter a provider, or change it"),
          [&room](const Call& call, const std::string& id) {
            return ForAdministrator(room, call, [&] { return PutProvider(room, call, id); });
          });
  api.Add(RouteOf(Method::kDelete, "/api/providers/{id}", admins, "Remove a provider"),
          [&room](const Call& call, const std::string& id) {
            return ForAdministrator(room, call, [&] { return EraseProvider(room, call, id); });
          });
}

}  // namespace

Result<Reply> LeaveWithTicket(Identity& room, const Call& call, const std::string& provider,
                              const Joining::Ticket& ticket) {
  ASSIGN_OR_RETURN(DepartureRequest request, ReadDeparture(room, call, provider));
  request.return_to = ticket.return_to;
  request.ticket = ticket;
  ASSIGN_OR_RETURN(Departure departure, room.providers.Begin(call.op, request));
  Reply reply = http::JsonReply(ToJson(WayThere{.url = std::move(departure.url)}), 201);
  SetBrowserCookie(reply, call.request, std::move(departure.browser_secret), kFlowLifetime);
  return reply;
}

void AddProviderRoutes(api::Api& api, Identity& room) {
  AddSignIn(api, room);
  AddAdministration(api, room);
  const http::AccessRule& own = room.Rules().Self();
  api.Add(RouteOf(Method::kGet, "/api/me/identities", own, "List one's accounts elsewhere"),
          [&room](const Call& call) { return ListLinked(room, call); });
  api.Add(RouteOf(Method::kPost, "/api/me/identities/{provider}", own,
                  "Add an account elsewhere to one's own"),
          WithProof(room, BeginLink));
  api.Add(RouteOf(Method::kPost, "/api/me/identities/unlink", own,
                  "Take an account elsewhere off one's own"),
          WithProof(room, Unlink));
}

}  // namespace atrium::identity

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/page_routes.h"

#include <utility>

#include "base/result.h"
#include "http/path_params.h"
#include "http/static_files.h"
#include "web/files.h"

namespace atrium::app {
namespace {

using http::Reply;
using http::Request;

http::Route PageRoute(const char* path, const char* summary) {
  return {.method = http::Method::kGet,
          .path = path,
          .access = http::Anyone(),
          .work = http::Work::kQuick,
          .summary = summary};
}

Result<Reply> ServeApp(const Request& request) {
  return http::ServeStatic(web::Files(), request, "index.html");
}

/// Browsers name this type when somebody goes to an address; programs, and pages that load a part
/// of themselves, do not.
bool IsFollowedByPerson(const Request& request) {
  return request.headers.Get("Accept").contains("text/html");
}

/// The app, which says in the language of its reader that there is no such page.
Result<Reply> ServeNoSuchPage(const Request& request) {
  ASSIGN_OR_RETURN(Reply reply, ServeApp(request));
  reply.status = 404;
  reply.etag.reset();
  reply.cache_control = "no-store";
  return reply;
}

Result<Reply> ServeFile(const Request& request, const http::RestOfPath& path) {
  Result<Reply> file = http::ServeStatic(web::Files(), request, path.text);
  const bool absent = !file && file.error().code == ErrorCode::kNotFound;
  return absent && IsFollowedByPerson(request) ? ServeNoSuchPage(request) : std::move(file);
}

}  // namespace

void AddPageRoutes(http::Router& router) {
  for (const char* path :
       {"/", "/setup", "/login", "/auth/link", "/auth/reset", "/auth/confirm", "/auth/forgot",
        "/join", "/join/confirm", "/join/waiting", "/calendar", "/files", "/account", "/admin"}) {
    router.Add(PageRoute(path, "A page"), ServeApp);
  }
  for (const char* path :
       {"/calendar/{page...}", "/files/{page...}", "/account/{page...}", "/admin/{page...}"}) {
    router.Add(PageRoute(path, "A page further in"),
               [](const Request& request, const http::RestOfPath&) { return ServeApp(request); });
  }
  router.Add(PageRoute("/{path...}", "Files of the pages"), ServeFile);
}

}  // namespace atrium::app

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/page_routes.h"

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

}  // namespace

void AddPageRoutes(http::Router& router) {
  for (const char* path : {"/", "/setup", "/login", "/auth/link", "/auth/reset", "/auth/confirm",
                           "/auth/forgot", "/calendar", "/files", "/account", "/admin"}) {
    router.Add(PageRoute(path, "A page"), ServeApp);
  }
  for (const char* path :
       {"/calendar/{page...}", "/files/{page...}", "/account/{page...}", "/admin/{page...}"}) {
    router.Add(PageRoute(path, "A page further in"),
               [](const Request& request, const http::RestOfPath&) { return ServeApp(request); });
  }
  router.Add(PageRoute("/{path...}", "Files of the pages"),
             [](const Request& request, const http::RestOfPath& path) -> Result<Reply> {
               return http::ServeStatic(web::Files(), request, path.text);
             });
}

}  // namespace atrium::app

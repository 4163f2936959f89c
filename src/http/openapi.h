// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "http/router.h"

namespace atrium::http {

/// The OpenAPI 3.1 document of all routes that can be reached over the network: made from the table
/// the server itself works by, so that it cannot say something else.
std::string RenderOpenApi(const Router& router, std::string_view version);

/// The table for people: method, path, access, work, body limit, rate class; one line each.
std::string RenderRouteTable(const Router& router);

/// The same as a JSON array.
std::string RenderRouteJson(const Router& router);

}  // namespace atrium::http

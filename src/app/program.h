// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <span>
#include <string>

#include "api/api.h"
#include "app/catalog.h"
#include "app/rooms.h"
#include "http/router.h"

namespace atrium::app {

/// What a program has on top of the product; the laboratory of the tests is one.
struct Extension {
  /// Routes of its own, before the server's.
  std::function<void(http::Router&)> add_routes{};
  /// A room of its own, beside those of the product.
  std::function<void(api::Api&, identity::Identity&)> add_room{};
  /// What that room stores.
  Catalog::Collections collections{};
};

/// Both of what the extension adds.
struct Hosts {
  api::Api& api;
  Rooms& rooms;
};
void AddExtension(const Extension& extension, http::Router& router, const Hosts& hosts);

/// The whole program: reads the command line, does what it says, answers the exit status.
int RunProgram(std::span<const std::string> words, const Extension& extension);

}  // namespace atrium::app

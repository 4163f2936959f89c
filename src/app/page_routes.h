// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "http/router.h"

namespace atrium::app {

/// The pages that are built in: one document that looks at its own address, under every address it
/// knows, and the files it loads. An address that no room of the pages has is 404: for whoever
/// follows a link in a browser (Accept names text/html) with the document, which then says so, for
/// programs as a problem.
void AddPageRoutes(http::Router& router);

}  // namespace atrium::app

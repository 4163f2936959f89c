// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "api/api.h"
#include "base/result.h"
#include "http/reply.h"
#include "identity/identity.h"
#include "identity/joining.h"

namespace atrium::identity {

/// {"url":…}: where somebody who was invited goes to sign in at a provider, with the cookie by
/// which the browser is known again.
Result<http::Reply> LeaveWithTicket(Identity& room, const api::Call& call,
                                    const std::string& provider, const Joining::Ticket& ticket);

}  // namespace atrium::identity

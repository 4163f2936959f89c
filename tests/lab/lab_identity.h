// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/api.h"
#include "identity/identity.h"

namespace atrium::lab {

/// Opens sessions that people get from other rooms, for guests of a group and before an address is
/// confirmed, and has routes with the rule for work in an area. The room outlives the API.
void AddIdentityRoutes(api::Api& api, identity::Identity& room);

}  // namespace atrium::lab

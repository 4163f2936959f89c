// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/access.h"
#include "api/api.h"
#include "base/clock.h"

namespace atrium::gauges {

/// GET /api/admin/series; docs/api/admin.md shows request and reply. All of it outlives the API.
void AddRoutes(api::Api& api, const api::AccessRules& rules, const Clock& clock);

}  // namespace atrium::gauges

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/api_door.h"
#include "app/identity_actions.h"
#include "base/result.h"

namespace atrium::app {

/// Writes the whole audit log of an organisation, page by page, to the file that the action names:
/// one that is not there yet, for its owner alone, or standard output. What was written before an
/// error stays.
Result<void> ExportAudit(ApiDoor& door, const AuditExport& action);

}  // namespace atrium::app

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/audit_export.h"

#include "app/api_door.h"
#include "app/identity_actions.h"
#include "app/output_file.h"
#include "base/result.h"
#include "http/urlencoded.h"

namespace atrium::app {

Result<void> ExportAudit(ApiDoor& door, const AuditExport& action) {
  ASSIGN_OR_RETURN(const OutputFile output, OutputFile::Open(action.file));
  http::Form query{.fields = {{.name = "after", .value = "0"}}};
  if (!action.org.empty()) {
    query.fields.push_back({.name = "org", .value = action.org});
  }
  for (;;) {
    ASSIGN_OR_RETURN(const ApiReply reply,
                     door.Ask({.target = "/api/audit/export?" + http::RenderForm(query)}));
    RETURN_IF_ERROR(output.Write(reply.body));
    if (reply.after.empty()) {
      return {};
    }
    query.fields.front().value = reply.after;
  }
}

}  // namespace atrium::app

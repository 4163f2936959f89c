// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/audit_export.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "app/api_door.h"
#include "app/durable_file.h"
#include "app/identity_actions.h"
#include "base/descriptor.h"
#include "base/result.h"
#include "http/urlencoded.h"

namespace atrium::app {
namespace {

Result<void> WriteAll(int descriptor, const std::string& name, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(descriptor, text.data(), text.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return SystemFailure("write the file", name);
    }
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

Result<Descriptor> OpenOutput(const std::string& file) {
  Descriptor opened(file == "-"
                        ? ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
                        : ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (opened.Get() < 0) {
    return SystemFailure("make the file", file);
  }
  return opened;
}

}  // namespace

Result<void> ExportAudit(ApiDoor& door, const AuditExport& action) {
  ASSIGN_OR_RETURN(const Descriptor output, OpenOutput(action.file));
  http::Form query{.fields = {{.name = "after", .value = "0"}}};
  if (!action.org.empty()) {
    query.fields.push_back({.name = "org", .value = action.org});
  }
  for (;;) {
    ASSIGN_OR_RETURN(const ApiReply reply,
                     door.Ask({.target = "/api/audit/export?" + http::RenderForm(query)}));
    RETURN_IF_ERROR(WriteAll(output.Get(), action.file, reply.body));
    if (reply.after.empty()) {
      return {};
    }
    query.fields.front().value = reply.after;
  }
}

}  // namespace atrium::app

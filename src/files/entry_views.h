// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "files/objects.h"
#include "files/people_names.h"
#include "files/records.h"
#include "store/op_context.h"

namespace atrium::files {

// Files and folders as clients of Seafile read them.

/// What all entries of one answer share.
struct EntryViewer {
  const store::OpContext& op;
  PeopleNames& names;
  Permission permission = Permission::kRead;
};

/// As in lists of /api2. `folder`: where the entry is, of a list over several folders; else empty.
void AppendEntry(std::string& out, const EntryViewer& viewer, const Dirent& entry,
                 std::string_view folder);
/// As in lists of /api/v2.1.
void AppendEntry21(std::string& out, const EntryViewer& viewer, const Dirent& entry,
                   std::string_view folder);

/// What /api/v2.1 answers to a change of one entry.
std::string ChangedView(const LibraryId& library, std::string_view folder, const Dirent& entry);

/// "/folder/", as /api/v2.1 spells it.
std::string WithSlash(std::string_view folder);

}  // namespace atrium::files

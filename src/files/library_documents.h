// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "files/library_access.h"
#include "files/people.h"
#include "files/people_names.h"
#include "files/records.h"
#include "store/op_context.h"

namespace atrium::files {

// Libraries as /api/v2.1 shows them.

/// What all documents of one answer share.
struct Viewer {
  const store::OpContext& op;
  const People& people;
  PeopleNames& names;
};

/// Of a person whose address is not known any more, that address is empty.
Person OwnerOf(const Viewer& viewer, const Library& library);

/// `is_unlocked`: of an encrypted one, whether this person has opened it.
std::string DocumentOf(const Viewer& viewer, const Entrance& entrance, bool is_unlocked);

/// Of one in the trash.
std::string TrashDocumentOf(const Viewer& viewer, const Library& library);

}  // namespace atrium::files

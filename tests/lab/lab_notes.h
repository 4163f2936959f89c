// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/api.h"
#include "store/collection.h"

namespace atrium::lab {

/// A room as rooms are, as small as one can be: notes in folders, with everything a collection can
/// have. What holds for it over HTTP holds for the rooms.
void AddNotes(api::Api& api);

const store::AnyCollection& NoteCollection();

}  // namespace atrium::lab

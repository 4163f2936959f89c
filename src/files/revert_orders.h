// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "files/object_id.h"
#include "files/path_edits.h"
#include "files/reverts.h"
#include "files/route_parts.h"

namespace atrium::files {

/// What a request says is to be reverted: `commit_id`, `p` or `path`, and `conflict_policy`, which
/// is `replace` or `autorename`; without it, `otherwise`. kInvalidArgument names what is wrong.
Result<RevertOrder> ReadRevert(const Fields& fields, const LibraryId& library, OnTaken otherwise);

}  // namespace atrium::files

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "files/records.h"
#include "store/collection.h"

namespace atrium::files {

/// What the change log says of a change: {"event":"library_updated","data":{…}}.
std::string DescribeLibrary(const store::RecordChange<Library>& change);

}  // namespace atrium::files

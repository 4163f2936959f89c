// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "base/error.h"

namespace atrium::http {

/// "Not Found" for 404; "Unknown" for numbers that are no standard's, which clients go by alone.
std::string_view Phrase(int status);

/// The one table from what went wrong to what HTTP says about it.
int HttpStatus(ErrorCode code);

}  // namespace atrium::http

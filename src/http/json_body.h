// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/json_read.h"
#include "http/request.h"

namespace atrium::http {

/// The body of the request as a described struct. kInvalidArgument, naming the member, when it is
/// not of type application/json or not of that form.
template <typename T>
Result<T> JsonBody(const Request& request, const ReadOptions& options = {}) {
  RETURN_IF_ERROR(request.ExpectJson());
  return FromJson<T>(request.body, options);
}

}  // namespace atrium::http

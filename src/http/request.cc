// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/request.h"

#include "http/content_type.h"

namespace atrium::http {

Result<Form> Request::FormBody() const {
  const Result<ContentType> type = ParseContentType(headers.Get("Content-Type"));
  if (!type || !type->Is("application/x-www-form-urlencoded")) {
    return Fail(ErrorCode::kInvalidArgument,
                "the body must be of type application/x-www-form-urlencoded");
  }
  return ParseForm(body);
}

Result<void> Request::ExpectJson() const {
  const Result<ContentType> type = ParseContentType(headers.Get("Content-Type"));
  if (!type || !type->Is("application/json")) {
    return Fail(ErrorCode::kInvalidArgument, "the body must be of type application/json");
  }
  return {};
}

}  // namespace atrium::http

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/content_type.h"

#include <string>
#include <string_view>

#include "base/check.h"
#include "base/result.h"
#include "fuzz/fuzzing.h"
#include "http/grammar.h"
#include "http/multipart_head.h"

namespace atrium::fuzz {

void TryInput(std::string_view input) {
  const Result<http::ContentType> parsed = http::ParseContentType(input);
  if (const Result<std::string> boundary = http::BoundaryOf(input)) {
    Check(http::IsBoundary(*boundary), "boundaries are proper");
    Check(parsed && parsed->Is("multipart/form-data"), "only forms have a boundary");
    Check(parsed->Find("boundary") == *boundary, "the boundary is the parameter");
  }
  if (!parsed) {
    return;
  }
  Check(parsed->type == http::LowerAscii(parsed->type) && parsed->Is(parsed->type),
        "types are lowered");
  Check(parsed->parameters.size() <= http::kContentTypeParametersMax, "parameters are limited");
  for (const http::ContentType::Parameter& parameter : parsed->parameters) {
    Check(http::IsToken(parameter.name), "parameter names are tokens");
    Check(parsed->Find(parameter.name) == parameter.value, "parameters are unique");
  }
  Check(http::ParseContentType(http::RenderContentType(*parsed)) == *parsed,
        "a rendered type reads back");
}

}  // namespace atrium::fuzz

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/urlencoded.h"

#include <cstddef>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/result.h"
#include "fuzz/fuzzing.h"
#include "http/grammar.h"
#include "http/percent.h"

namespace atrium::fuzz {
namespace {

void CheckPercent(std::string_view input) {
  const std::string encoded = http::PercentEncode(input);
  const Result<std::string> back = http::PercentDecode(encoded);
  Check(back.has_value() == http::IsText(input), "exactly text survives percent-encoding");
  Check(!back || *back == input, "percent-encoding is read back");
  const Result<std::string> form_back = http::FormDecode(encoded);
  Check(form_back.has_value() == back.has_value() && (!back || *form_back == *back),
        "both decoders read the encoding alike");
}

void CheckForm(const http::Form& form, std::string_view input) {
  std::size_t bytes = 0;
  for (const http::FormField& field : form.fields) {
    Check(http::IsText(field.name) && http::IsText(field.value), "fields are text");
    Check(form.Find(field.name).has_value(), "every field is found");
    bytes += field.name.size() + field.value.size();
  }
  Check(bytes <= input.size(), "decoding does not grow");
}

}  // namespace

void TryInput(std::string_view input) {
  CheckPercent(input);
  const Result<http::Form> form = http::ParseForm(input);
  const http::FormLimits small{.fields_max = 3, .bytes_max = 100};
  const Result<http::Form> limited = http::ParseForm(input, small);
  if (limited) {
    Check(form && *form == *limited, "a limit that is kept changes nothing");
    Check(limited->fields.size() <= small.fields_max && input.size() <= small.bytes_max,
          "limits are kept");
  }
  if (form) {
    CheckForm(*form, input);
    const Result<http::Form> back = http::ParseForm(http::RenderForm(*form));
    Check(back && *back == *form, "a rendered form reads back");
  }
}

}  // namespace atrium::fuzz

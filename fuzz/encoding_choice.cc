// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/encoding_choice.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/check.h"
#include "fuzz/fuzzing.h"

namespace atrium::fuzz {

void TryInput(std::string_view input) {
  using http::ContentEncoding;
  constexpr std::array kAll = {ContentEncoding::kBrotli, ContentEncoding::kGzip,
                               ContentEncoding::kIdentity};
  const std::optional<ContentEncoding> best = http::ChooseEncoding(input, kAll);
  for (const ContentEncoding encoding : kAll) {
    const bool alone = http::ChooseEncoding(input, std::array{encoding}).has_value();
    Check(best || !alone, "nothing is chosen only when each is refused");
    Check(best != encoding || alone, "what is chosen is accepted alone");
  }
  const std::string refused = "identity;q=0, gzip;q=0, br;q=0, " + std::string(input);
  Check(!http::ChooseEncoding(refused, kAll), "what was refused first stays refused");
}

}  // namespace atrium::fuzz

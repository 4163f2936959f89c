// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/picture.h"

#include <cstddef>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/result.h"
#include "fuzz/fuzzing.h"

namespace atrium::fuzz {

/// The whole picture.
void TryInput(std::string_view input) {
  const Result<identity::Picture> picture = identity::ReadPicture(input);
  if (!picture) {
    return;
  }
  Check(picture->width > 0 && picture->height > 0, "there are pixels");
  Check(identity::MediaTypeOf(picture->type).starts_with("image/"), "each kind has a media type");
  const Result<identity::Picture> longer = identity::ReadPicture(std::string(input) + "\xFF");
  Check(longer && *longer == *picture, "what follows the size makes no difference");
}

}  // namespace atrium::fuzz

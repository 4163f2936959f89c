// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "files/objects.h"

namespace atrium::files {

/// The name with accents and letters joined wherever Unicode has them as one (normal form C), as
/// most keyboards type it. Two names of the same composed form look alike, and to a Mac, which
/// stores the parts separately, they are one. `name` is valid.
std::string ComposeName(std::string_view name);

/// The entry of that name, or else one that looks alike; null when there is neither. To be asked
/// before something new is named here. Trees of clients may hold both, since on their machine both
/// are possible.
const Dirent* FindTwin(const Directory& directory, std::string_view name);

}  // namespace atrium::files

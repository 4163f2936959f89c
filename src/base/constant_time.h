// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace atrium {

/// Whether two secrets are equal, in a time that depends on their lengths alone. The lengths
/// themselves are not kept secret.
bool ConstantTimeEqual(std::string_view one, std::string_view other);

}  // namespace atrium

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace atrium::app {

/// All that a file holds; "-" is standard input. kInvalidArgument, naming the file, when it is
/// longer than `bytes_max`.
Result<std::string> ReadInputFile(const std::string& path, std::size_t bytes_max);

}  // namespace atrium::app

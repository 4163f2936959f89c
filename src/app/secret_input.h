// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"

namespace atrium::app {

/// What a file holds that was named on the command line because its content must not stand there:
/// everybody can read the words of a process. "-" is standard input. A line end after it is not
/// part of it. Refuses what is empty or longer than 4 KiB; messages name the file, never what is
/// in it.
Result<std::string> ReadSecretInput(const std::string& path);

}  // namespace atrium::app

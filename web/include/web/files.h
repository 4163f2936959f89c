// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "http/static_files.h"

namespace atrium::web {

/// The pages and what they load, as embed.py put them into the binary.
std::span<const http::StaticFile> Files();

}  // namespace atrium::web

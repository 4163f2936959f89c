// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/ground.h"

namespace atrium::identity {

using store::Ground;

}  // namespace atrium::identity

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "store/op_context.h"

namespace atrium::store {

/// On which terms tests ask the store.
inline constexpr OpContext kTestOp = OpContext::ForWork("test");

}  // namespace atrium::store

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/id_source.h"
#include "store/store.h"

namespace atrium::store {

/// What the services of a room stand on. All of it outlives them.
struct Ground {
  Store& store;
  const Clock& clock;
  IdSource& ids;
};

}  // namespace atrium::store

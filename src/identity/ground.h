// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/clock.h"
#include "base/id_source.h"
#include "store/store.h"

namespace atrium::identity {

/// What all services of the room stand on. All of it outlives them.
struct Ground {
  store::Store& store;
  const Clock& clock;
  IdSource& ids;
};

}  // namespace atrium::identity

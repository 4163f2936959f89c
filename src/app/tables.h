// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "store/collection.h"
#include "store/schema.h"

namespace atrium::app {

/// Every table of the program: those of the store itself, of the jobs, and of each room.
const store::Schema& AllTables();

/// Every collection whose index rows can be verified.
std::span<const store::AnyCollection* const> AllCollections();

}  // namespace atrium::app

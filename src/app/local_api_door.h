// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "app/api_door.h"
#include "app/config.h"
#include "base/result.h"

namespace atrium::app {

/// The API in this process, on a store that nobody serves, which is open for as long as the door
/// lives. The one who asks owns the data folder, and so is the operator. kNotFound without a store,
/// kPermissionDenied for anybody but the owner of the folder. `config` outlives the door.
Result<std::unique_ptr<ApiDoor>> OpenLocalApiDoor(const Config& config, NoStore no_store);

}  // namespace atrium::app

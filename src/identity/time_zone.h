// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace atrium::identity {

/// The IANA name of a time zone as this machine's tz database spells it; case does not matter in
/// `name`. A link ("Asia/Calcutta") keeps its name. "UTC" is always known.
///
/// kInvalidArgument when there is no such zone, kUnavailable when the machine has no tz database.
Result<std::string> CheckTimeZone(std::string_view name);

/// The same against the text of a tzdata.zi, the compact form in which the database is distributed.
Result<std::string> CheckTimeZoneIn(std::string_view tzdata, std::string_view name);

}  // namespace atrium::identity

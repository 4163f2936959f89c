// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/enum.hpp>
#include <cstdint>
#include <string>
#include <string_view>

namespace atrium::store {

/// What happened to a record.
enum class ChangeKind : std::uint8_t { kCreated, kUpdated, kErased };
BOOST_DESCRIBE_ENUM(ChangeKind, kCreated, kUpdated, kErased)

/// {"change":"created","collection":"calendars","document":{…}}; of an erased record, as it was.
std::string DescribeChange(ChangeKind kind, std::string_view collection, std::string_view document);

}  // namespace atrium::store

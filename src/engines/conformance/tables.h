// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "store/table.h"

namespace atrium::engines {

// Tables of the tests, one of each kind and some whose numbers border on each other in bytes.
inline constexpr store::Table kThings{.number = 1000, .name = "things"};
inline constexpr store::Table kOthers{.number = 1001, .name = "others"};
inline constexpr store::Table kLowByte{.number = 0x10FF, .name = "low_byte"};
inline constexpr store::Table kHighByte{.number = 0x1100, .name = "high_byte"};
inline constexpr store::Table kLast{.number = 0xFFFF, .name = "last"};
inline constexpr store::Table kList{
    .number = 1002, .name = "list", .kind = store::TableKind::kDerived};
inline constexpr store::Table kObjects{
    .number = 1003, .name = "objects", .kind = store::TableKind::kImmutable};
inline constexpr store::Table kLog{.number = 1004, .name = "log", .kind = store::TableKind::kLog};
inline constexpr store::Table kOtherLog{
    .number = 1005, .name = "other_log", .kind = store::TableKind::kLog};

inline constexpr std::array<const store::Table*, 9> kTables = {
    &kThings, &kOthers, &kLowByte, &kHighByte, &kLast, &kList, &kObjects, &kLog, &kOtherLog};

}  // namespace atrium::engines

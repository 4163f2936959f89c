// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace atrium::calendar {

// The jobs of the room, as the runner and the store call them.
inline constexpr std::string_view kEraseJob = "calendar.erase";
inline constexpr std::string_view kPurgeTrashJob = "calendar.purge-trash";
inline constexpr std::string_view kReleaseTheGoneJob = "calendar.release-the-gone";
inline constexpr std::string_view kSubscriptionsJob = "calendar.subscriptions";

/// What goes on for as long as somebody listens.
inline constexpr std::string_view kEventStreams = "calendar.events";
/// What goes on while its progress is sent.
inline constexpr std::string_view kImport = "calendar.import";
/// What is sent after its request was answered.
inline constexpr std::string_view kExport = "calendar.export";

}  // namespace atrium::calendar

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace atrium::icalendar {

/// A zone as Windows, and so Outlook and Exchange, call it.
struct WindowsZone {
  std::string_view windows;
  std::string_view iana;
};

/// What the Unicode CLDR says in its table windowsZones for the territory 001, which stands for all
/// the world, with the present IANA names where it keeps old ones.
std::span<const WindowsZone> WindowsZones();

/// The IANA name for "W. Europe Standard Time", in whatever case; nullopt for a name that Windows
/// does not have.
std::optional<std::string_view> FindWindowsZone(std::string_view name);

}  // namespace atrium::icalendar

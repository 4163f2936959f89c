// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace atrium::files {

/// What is content-addressed in a library. The numbers are part of keys.
enum class ContentKind : std::uint8_t { kCommit = 'c', kObject = 'o', kBlock = 'b' };

inline constexpr std::array<ContentKind, 3> kContentKinds{
    ContentKind::kCommit, ContentKind::kObject, ContentKind::kBlock};

}  // namespace atrium::files

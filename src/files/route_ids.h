// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "files/object_id.h"
#include "http/path_params.h"

namespace atrium::http {

/// Objects, blocks and commits in paths.
template <>
struct PathParam<files::Sha1Id> {
  static constexpr std::string_view kSchema = R"({"type":"string","pattern":"^[0-9a-f]{40}$"})";
  static std::optional<files::Sha1Id> Parse(std::string_view text) {
    const Result<files::Sha1Id> id = files::Sha1Id::Parse(text);
    return id ? std::optional(*id) : std::nullopt;
  }
};

}  // namespace atrium::http

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "identity/audit.h"
#include "identity/ground.h"
#include "identity/records.h"
#include "store/record.h"

namespace atrium::identity {

/// What a document can hold in base64, with room to spare. A photo of 256 by 256 pixels takes half
/// of it.
inline constexpr std::size_t kPhotoBytesMax = std::size_t{40} << 10;
/// Few bytes can unfold to very many pixels, in the browser of everybody who sees the person.
inline constexpr std::uint32_t kPhotoSideMax = 1024;

/// What people look like. The record of a person names the version of their photo, so that whoever
/// lists people knows what there is to ask for; both change in one commit.
class Photos {
 public:
  explicit Photos(const Ground& ground) : ground_(ground) {}

  /// In place of the one before. kInvalidArgument for bytes that are no picture, kLimitExceeded for
  /// too many bytes or pixels. The same photo again changes nothing.
  Result<store::Stored<User>> Put(const store::OpContext& op, const Actor& actor,
                                  const store::Stored<User>& user, std::string_view bytes);
  /// Without a photo it stays that way.
  Result<void> Remove(const store::OpContext& op, const Actor& actor,
                      const store::Stored<User>& user);
  Result<std::optional<store::Stored<UserPhoto>>> Find(const store::OpContext& op,
                                                       const UserId& user) const;

 private:
  const Ground ground_;
};

}  // namespace atrium::identity

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/config.h"
#include "base/result.h"
#include "base/sealed_box.h"

namespace atrium::app {

/// The server's secrets, 32 bytes each.
struct ServerSecrets {
  std::string current;
  /// Newest first; they only open what they once sealed.
  std::vector<std::string> previous{};
};

/// Reads the secrets that the configuration names. When it names neither a value nor a file for the
/// current one, that is `<data>/server.secret`, which is made if it is not there; so is the folder.
///
/// A file holds 64 hexadecimal digits and perhaps a line end. It is never overwritten: whatever
/// else it holds is kCorrupt, because a new secret in its place would lose all that the old one
/// sealed. kPermissionDenied when it belongs to another user than ours or root, when its group may
/// change it, or when everybody may read it; kNotFound when it was configured and is not there.
/// Messages are for the operator and never show a secret.
Result<ServerSecrets> LoadServerSecrets(const Config& config);

/// The one line of a file that holds somebody else's secret, such as a password: not empty, and
/// guarded like the server's own.
Result<std::string> ReadPrivateLine(const std::string& path);

/// The keys for one purpose, the current secret's first. Their ids are derived from the secrets, so
/// they stay the same when secrets are added or dropped around them.
Result<KeyRing> KeysFor(std::string_view purpose, const ServerSecrets& secrets);

}  // namespace atrium::app

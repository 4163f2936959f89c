// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace atrium {

/// Fills `bytes` from the cryptographic generator. Any thread. A generator that fails ends the
/// process: there is no safe way on without it.
void FillRandom(std::span<std::byte> bytes);

/// An unguessable token of that many random bytes, in base64url: 32 bytes are 43 characters.
std::string RandomToken(std::size_t bytes = 32);

}  // namespace atrium

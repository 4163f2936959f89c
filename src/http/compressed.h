// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "http/reply.h"
#include "http/request.h"

namespace atrium::http {

/// What is compressed in a fraction of a millisecond. Longer texts are compressed by workers alone:
/// all clients of an I/O thread would wait.
inline constexpr std::size_t kQuicklyCompressedBytes = std::size_t{32} << 10;

/// Whether Compressed() would do with a text of that length what takes no I/O thread up.
bool IsQuicklyCompressed(std::size_t bytes, const Request& request);

/// The same reply with gzip, when its body is a text that is long enough for it and the client
/// takes it; else the reply as it is. Caches are told that it depends on that.
///
/// For lists without an entity tag, which would have to differ. Not for replies that hold a secret
/// beside something that a stranger can have written: by their length the secret could be guessed.
Reply Compressed(Reply reply, const Request& request);

}  // namespace atrium::http

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/blob_id.h"

#include "base/error.h"
#include "base/hex.h"

namespace atrium::blobs {

Result<BlobId> BlobId::FromBytes(std::string_view bytes) {
  BlobId id;
  if (bytes.size() != id.digest.size()) {
    return Fail(ErrorCode::kInvalidArgument, "blob id: not the length of a SHA-256");
  }
  std::memcpy(id.digest.data(), bytes.data(), bytes.size());
  return id;
}

Result<BlobId> BlobId::Parse(std::string_view text) {
  ASSIGN_OR_RETURN(const std::string bytes, DecodeHex(text));
  return FromBytes(bytes);
}

std::string BlobId::Render() const {
  return EncodeHex(digest);
}

}  // namespace atrium::blobs

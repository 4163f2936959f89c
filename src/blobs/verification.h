// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "blobs/blobs.h"
#include "blobs/parts.h"

namespace atrium::blobs {

/// One page of looking at everything: first each blob of the index, then the files that the index
/// may not know. What seems wrong is looked at again while the blob is locked, so nothing that is
/// being written, moved or removed is taken for a defect.
class Verification {
 public:
  Verification(const Parts& parts, const VerifyRequest& request)
      : parts_(parts), request_(request) {}

  Result<VerifyPage> Run(const store::OpContext& op);

 private:
  Result<void> VerifyRows(const store::OpContext& op, std::optional<std::string> after);
  Result<void> VerifyFiles(const store::OpContext& op, std::uint8_t first_byte);
  Result<void> LookAgain(const store::OpContext& op, const BlobId& id);
  Result<void> Tell(const store::OpContext& op, const IndexedBlob& blob, const Error& error);
  Result<std::string> SetAside(const store::OpContext& op, const IndexedBlob& blob);
  Result<void> LookAtOrphan(const store::OpContext& op, const BlobId& id);
  Result<std::string> Adopt(const IndexedBlob& file);

  bool Repairs() const { return request_.mode == VerifyRequest::Mode::kRepair; }

  const Parts parts_;
  const VerifyRequest& request_;
  VerifyPage page_{};
};

}  // namespace atrium::blobs

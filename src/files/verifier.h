// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "blobs/blobs.h"
#include "files/collection.h"
#include "files/content.h"
#include "files/people.h"
#include "files/verification.h"
#include "store/ground.h"

namespace atrium::files {

/// Looks at libraries with all they hold, and mends what can be mended. May run while they are in
/// use. Any thread.
class Verifier {
 public:
  struct Parts {
    store::Ground ground;
    blobs::Blobs& blobs;
    Content& content;
    const People& people;
  };
  /// All outlive it.
  explicit Verifier(const Parts& parts) : parts_(parts) {}

  /// A repair sets damaged blobs aside first. kNotFound when a library was named and is not there.
  Result<Verification> Verify(const VerificationOptions& options, const WorkSigns& signs) const;

 private:
  Result<void> SetDamagedAside(Verification& seen, const WorkSigns& signs) const;
  Result<void> VerifyAll(const VerificationOptions& options, const WorkSigns& signs,
                         Verification& seen) const;
  Result<void> VerifyOne(const LibraryId& library, const VerificationOptions& options,
                         const WorkSigns& signs, Verification& seen) const;

  const Parts parts_;
};

}  // namespace atrium::files

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/verifier.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "files/keys.h"
#include "files/row_verification.h"
#include "files/space_verification.h"
#include "files/state_verification.h"

namespace atrium::files {
namespace {

constexpr std::size_t kPage = 100;
constexpr store::OpContext kOp = store::OpContext::ForWork("files.verify");

}  // namespace

Result<void> Verifier::VerifyOne(const LibraryId& library, const VerificationOptions& options,
                                 const WorkSigns& signs, Verification& seen) const {
  RowVerification rows(
      {.store = parts_.ground.store, .blobs = parts_.blobs, .content = parts_.content}, library,
      options);
  RETURN_IF_ERROR(rows.Run(seen, signs.stop));
  StateVerification states({.ground = parts_.ground,
                            .content = parts_.content,
                            .people = parts_.people,
                            .lost_blocks = rows.LostBlocks(),
                            .block_bytes = rows.BlockBytes()},
                           library, options);
  RETURN_IF_ERROR(states.Run(seen, signs.stop));
  ++seen.libraries;
  signs.progress(std::to_string(seen.libraries) + " libraries, " + std::to_string(seen.blocks) +
                 " blocks");
  return {};
}

Result<void> Verifier::VerifyAll(const VerificationOptions& options, const WorkSigns& signs,
                                 Verification& seen) const {
  store::WalkRequest request{.table = &kLibraryTable, .limit = kPage};
  do {
    std::vector<LibraryId> libraries;
    store::FunctionSink sink([&](const store::RowView& row) {
      if (const auto id = LibraryId::Parse(row.key.partition)) {
        libraries.push_back(*id);
      }
    });
    ASSIGN_OR_RETURN(store::WalkEnd end, parts_.ground.store.Walk(kOp, request, sink));
    for (const LibraryId& library : libraries) {
      RETURN_IF_ERROR(VerifyOne(library, options, signs, seen));
    }
    request.after = std::move(end.resume);
  } while (request.after);
  return {};
}

Result<void> Verifier::SetDamagedAside(Verification& seen, const WorkSigns& signs) const {
  blobs::VerifyRequest request{.mode = blobs::VerifyRequest::Mode::kRepair};
  do {
    if (signs.stop.stop_requested()) {
      return FailPrivately(ErrorCode::kUnavailable, "stopped before the end");
    }
    ASSIGN_OR_RETURN(blobs::VerifyPage page, parts_.blobs.Verify(kOp, request));
    for (const blobs::Finding& finding : page.findings) {
      seen.Add({.of = "blob",
                .id = finding.id.Render(),
                .explanation = finding.explanation,
                .remedy = finding.remedy});
      seen.repaired += finding.remedy.empty() ? 0 : 1;
    }
    request.after = std::move(page.resume);
  } while (request.after);
  return {};
}

Result<Verification> Verifier::Verify(const VerificationOptions& options,
                                      const WorkSigns& signs) const {
  Verification seen;
  if (options.Repairs()) {
    RETURN_IF_ERROR(SetDamagedAside(seen, signs));
  }
  if (options.library) {
    RETURN_IF_ERROR(
        store::Load(parts_.ground.store, kOp, Libraries(), LibraryRowKey(*options.library)));
    RETURN_IF_ERROR(VerifyOne(*options.library, options, signs, seen));
    return seen;
  }
  RETURN_IF_ERROR(VerifyAll(options, signs, seen));
  RETURN_IF_ERROR(SpaceVerification(parts_.ground, parts_.people, options).Run(seen, signs.stop));
  return seen;
}

}  // namespace atrium::files

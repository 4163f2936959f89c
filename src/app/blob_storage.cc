// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/blob_storage.h"

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

#include "files/content.h"

namespace atrium::app {
namespace {

std::unexpected<Error> Refuse() {
  return FailPrivately(ErrorCode::kUnavailable, "no blobs are kept here");
}

class NoBlobs final : public blobs::Blobs {
 public:
  Result<blobs::Pin> Put(const store::OpContext& /*op*/, std::string_view /*bytes*/,
                         const blobs::PutOptions& /*options*/) override {
    return Refuse();
  }
  Result<std::unique_ptr<blobs::BlobWriter>> Begin(const store::OpContext& /*op*/) override {
    return Refuse();
  }
  Result<std::optional<blobs::Pin>> FindPinned(const store::OpContext& /*op*/,
                                               const blobs::BlobId& /*id*/) override {
    return Refuse();
  }
  Result<bool> Contains(const store::OpContext& /*op*/, const blobs::BlobId& /*id*/) override {
    return Refuse();
  }
  Result<blobs::BlobSlice> Open(const store::OpContext& /*op*/,
                                const blobs::BlobId& /*id*/) override {
    return Refuse();
  }
  Result<std::string> Read(const store::OpContext& /*op*/, const blobs::BlobId& /*id*/) override {
    return Refuse();
  }
  Result<blobs::BlobPage> List(const store::OpContext& /*op*/,
                               const blobs::ListRequest& /*request*/) override {
    return Refuse();
  }
  Result<blobs::Removal> Remove(const store::OpContext& /*op*/,
                                std::span<const blobs::BlobId> /*ids*/,
                                const blobs::RemovalCheck& /*check*/) override {
    return Refuse();
  }
  Result<blobs::Strays> SweepStrays(const store::OpContext& /*op*/,
                                    const blobs::StrayRequest& /*request*/) override {
    return Refuse();
  }
  Result<blobs::VerifyPage> Verify(const store::OpContext& /*op*/,
                                   const blobs::VerifyRequest& /*request*/) override {
    return Refuse();
  }
  Result<blobs::CompactReport> Compact(const store::OpContext& /*op*/,
                                       const std::stop_token& /*stop*/) override {
    return Refuse();
  }
  blobs::BlobStatistics Statistics() override { return {}; }
};

}  // namespace

std::filesystem::path BlobFolder(const Config& config) {
  return std::filesystem::path(config.data) / "blobs";
}

Result<std::unique_ptr<blobs::LocalBlobs>> OpenBlobs(const Config& config,
                                                     const store::Ground& ground) {
  return blobs::LocalBlobs::Open(
      {.folder = BlobFolder(config),
       .recovered =
           [&store = ground.store](std::span<const blobs::NotedBlob> recovered) {
             return files::Content::Recover(store, store::OpContext::ForWork("blobs.recover"),
                                            recovered);
           }},
      ground);
}

std::unique_ptr<blobs::Blobs> MakeNoBlobs() {
  return std::make_unique<NoBlobs>();
}

}  // namespace atrium::app

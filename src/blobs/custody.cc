// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/custody.h"

#include <utility>

namespace atrium::blobs {
namespace {

class Hold {
 public:
  Hold(std::shared_ptr<Custody> custody, const BlobId& id, std::optional<Appender::Position> noted)
      : custody_(std::move(custody)), id_(id), noted_(noted) {}
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;
  ~Hold() {
    if (noted_) {
      custody_->book.Settle(noted_->pack, noted_->at);
    }
    custody_->locks.Unpin(id_);
  }

 private:
  const std::shared_ptr<Custody> custody_;
  const BlobId id_;
  const std::optional<Appender::Position> noted_;
};

}  // namespace

Pin MakePin(std::shared_ptr<Custody> custody, const BlobId& id, std::uint64_t bytes,
            std::optional<Appender::Position> noted) {
  return {id, bytes, std::make_shared<const Hold>(std::move(custody), id, noted)};
}

}  // namespace atrium::blobs

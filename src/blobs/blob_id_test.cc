// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "blobs/blob_id.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "base/testing.h"

namespace atrium::blobs {
namespace {

constexpr const char* kAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

TEST(BlobId, IsTheSha256OfTheBytes) {
  EXPECT_EQ(BlobId::Of("abc").Render(), kAbc);
}

TEST(BlobId, IsReadInEitherCase) {
  EXPECT_THAT(BlobId::Parse(kAbc), Holds(BlobId::Of("abc")));
  EXPECT_THAT(BlobId::Parse("BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"),
              Holds(BlobId::Of("abc")));
}

TEST(BlobId, OfAnotherLengthIsRefused) {
  EXPECT_THAT(BlobId::Parse("ba78"), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(BlobId::Parse(std::string(kAbc) + "00"), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(BlobId::Parse(""), FailsWith(ErrorCode::kInvalidArgument));
}

TEST(BlobId, HasItsBytes) {
  EXPECT_THAT(BlobId::FromBytes(BlobId::Of("abc").Bytes()), Holds(BlobId::Of("abc")));
}

}  // namespace
}  // namespace atrium::blobs

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/testing.h"

namespace atrium {
namespace {

using ::testing::HasSubstr;
using ::testing::Pointee;

Result<int> Half(int number) {
  if (number % 2 != 0) {
    return Fail(ErrorCode::kInvalidArgument, "odd number");
  }
  return number / 2;
}

Result<int> Quarter(int number) {
  ASSIGN_OR_RETURN(const int half, Half(number));
  return Half(half);
}

Result<void> MustBeEven(int number) {
  RETURN_IF_ERROR(Half(number));
  return {};
}

Result<std::unique_ptr<int>> Boxed(int number) {
  ASSIGN_OR_RETURN(auto box, Result<std::unique_ptr<int>>(std::make_unique<int>(number)));
  return box;
}

TEST(ResultTest, AssignOrReturnPassesValuesOn) {
  EXPECT_THAT(Quarter(12), Holds(3));
}

TEST(ResultTest, AssignOrReturnLeavesWithTheFirstError) {
  EXPECT_THAT(Quarter(6), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(Quarter(7), FailsSaying(ErrorCode::kInvalidArgument, "odd"));
}

TEST(ResultTest, AssignOrReturnMovesWhatCannotBeCopied) {
  EXPECT_THAT(Boxed(7), Holds(Pointee(7)));
}

TEST(ResultTest, ReturnIfErrorIsSilentOnSuccess) {
  EXPECT_THAT(MustBeEven(2), IsOk());
  EXPECT_THAT(MustBeEven(3), FailsWith(ErrorCode::kInvalidArgument));
}

TEST(ResultTest, PrivateFailuresTellTheClientNothing) {
  const Result<int> failed = FailPrivately(ErrorCode::kInternal, "key 0x12 on host ten");
  EXPECT_EQ(failed.error().client_message, "");
  EXPECT_EQ(failed.error().detail, "key 0x12 on host ten");
}

TEST(ResultTest, WhileAddsContextAndKeepsCodeAndPlace) {
  const Result<int> failed = Half(3);
  const Result<int> wrapped = While("split the bill", failed.error());
  EXPECT_THAT(wrapped, FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_EQ(wrapped.error().detail, "split the bill: odd number");
  EXPECT_EQ(wrapped.error().client_message, "odd number");
  EXPECT_EQ(wrapped.error().where.line(), failed.error().where.line());
}

TEST(ResultTest, DescribeNamesCodeAndPlace) {
  const std::string text = Describe(Half(1).error());
  EXPECT_THAT(text, HasSubstr("invalid_argument: odd number (result_test.cc:"));
}

}  // namespace
}  // namespace atrium

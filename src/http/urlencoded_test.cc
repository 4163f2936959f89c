// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/urlencoded.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"

namespace atrium::http {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(UrlencodedTest, OrderAndRepeatedNamesAreKept) {
  const Result<Form> form = ParseForm("b=1&a=two+words&b=%33");
  ASSERT_THAT(form, IsOk());
  EXPECT_THAT(form->fields, ElementsAre(FormField{.name = "b", .value = "1"},
                                        FormField{.name = "a", .value = "two words"},
                                        FormField{.name = "b", .value = "3"}));
  EXPECT_EQ(form->Find("b"), "1");
  EXPECT_THAT(form->All("b"), ElementsAre("1", "3"));
}

TEST(UrlencodedTest, AnAbsentNameIsNotAnEmptyValue) {
  const Result<Form> form = ParseForm("empty=");
  ASSERT_THAT(form, IsOk());
  EXPECT_EQ(form->Find("empty"), "");
  EXPECT_EQ(form->Find("absent"), std::nullopt);
  EXPECT_THAT(form->All("absent"), IsEmpty());
}

TEST(UrlencodedTest, PiecesWithoutEqualsSignHaveNoValueAndEmptyPiecesAreSkipped) {
  const Result<Form> form = ParseForm("&flag&&=x&a=b=c&");
  ASSERT_THAT(form, IsOk());
  EXPECT_THAT(form->fields, ElementsAre(FormField{.name = "flag", .value = ""},
                                        FormField{.name = "", .value = "x"},
                                        FormField{.name = "a", .value = "b=c"}));
}

TEST(UrlencodedTest, ErrorsNameThePositionOfTheField) {
  EXPECT_THAT(ParseForm("a=1&b=%zz"), FailsSaying(ErrorCode::kInvalidArgument, "field 2: percent"));
  EXPECT_THAT(ParseForm("%ff=1"), FailsSaying(ErrorCode::kInvalidArgument, "field 1: "));
}

TEST(UrlencodedTest, TheLimitsAreTheLastAllowedValues) {
  EXPECT_THAT(ParseForm("a&b", {.fields_max = 2}), IsOk());
  EXPECT_THAT(ParseForm("a&b&c", {.fields_max = 2}),
              FailsSaying(ErrorCode::kLimitExceeded, "2 fields"));
  EXPECT_THAT(ParseForm("a=12", {.bytes_max = 4}), IsOk());
  EXPECT_THAT(ParseForm("a=123", {.bytes_max = 4}),
              FailsSaying(ErrorCode::kLimitExceeded, "4 bytes"));
}

TEST(UrlencodedTest, RenderedFormsReadBackTheSame) {
  const Form form{.fields = {{.name = "a b", .value = "&=+%\xC3\xA4"},
                             {.name = "", .value = ""},
                             {.name = "a b", .value = "\n"}}};
  EXPECT_THAT(ParseForm(RenderForm(form)), Holds(form));
}

}  // namespace
}  // namespace atrium::http

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/json_peek.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "base/testing.h"

namespace atrium {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

std::array<JsonPeek, 2> Wanted() {
  return {{{.name = "a"}, {.name = "b"}}};
}

TEST(JsonPeekTest, FindsTextsOfTheOutermostObjectAlone) {
  auto wanted = Wanted();
  ASSERT_TRUE(PeekJson(
      R"({"x":{"a":"inner","c":[{"b":"deep"}]},"n":1.5,"a":"out\u00e9r","t":true})", wanted));
  EXPECT_THAT(wanted[0].text, Optional(std::string("outér")));
  EXPECT_EQ(wanted[1].text, std::nullopt);
}

TEST(JsonPeekTest, EmptyObjectsAndTextsAreFine) {
  auto wanted = Wanted();
  ASSERT_TRUE(PeekJson("{}", wanted));
  ASSERT_TRUE(PeekJson(R"({"a":"","z":null})", wanted));
  EXPECT_THAT(wanted[0].text, Optional(std::string()));
}

TEST(JsonPeekTest, RefusesWhatIsNoSuchObject) {
  for (const std::string_view document :
       {"", "[]", R"("a")", "7", "null", R"({"a":1})", R"({"a":null})", R"({"a":["x"]})",
        R"({"a":{"b":"x"}})", R"({"a":"x"} 2)", R"({"a":"x")", R"([{"a":"x"}])"}) {
    auto wanted = Wanted();
    EXPECT_FALSE(PeekJson(document, wanted)) << document;
  }
}

}  // namespace
}  // namespace atrium

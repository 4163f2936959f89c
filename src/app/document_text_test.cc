// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/document_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <boost/json/parse.hpp>

namespace atrium::app {
namespace {

constexpr std::array kColumns{Column{.title = "NAME", .member = "name"},
                              Column{.title = "HOSTS", .member = "hosts"},
                              Column{.title = "ID", .member = "id"}};

TEST(DocumentTextTest, ColumnsAreAsWideAsTheirWidestText) {
  const auto documents =
      boost::json::parse(R"([{"name":"Zoë","hosts":["a","b"],"id":1},{"name":"x","id":22}])");
  EXPECT_EQ(RenderTable(kColumns, documents.as_array()),
            "NAME  HOSTS  ID\n"
            "Zoë   a,b    1\n"
            "x     -      22\n");
}

TEST(DocumentTextTest, MembersKeepTheirOrder) {
  const auto document =
      boost::json::parse(R"({"id":"7","trusted":true,"settings":{"a":"1","b":""},"gone":null})");
  EXPECT_EQ(RenderMembers(document.as_object()),
            "id        7\n"
            "trusted   yes\n"
            "settings  a=1 b=-\n"
            "gone      -\n");
}

TEST(DocumentTextTest, NoNameMovesTheCursor) {
  const auto document = boost::json::parse("{\"name\":\"\\u001b[2J\"}");
  EXPECT_THAT(RenderMembers(document.as_object()), testing::Not(testing::HasSubstr("\x1b")));
}

}  // namespace
}  // namespace atrium::app

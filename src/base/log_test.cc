// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/instant.h"
#include "base/testing.h"

namespace atrium {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::SizeIs;

class LogTest : public ::testing::Test {
 protected:
  ~LogTest() override { log::Configure({}); }

  void Listen(log::Format format, log::Level level = log::Level::kInfo) {
    log::Configure({.format = format, .level = level, .sink = [this](std::string_view line) {
                      lines_.emplace_back(line);
                    }});
  }

  std::vector<std::string> lines_;
};

TEST_F(LogTest, AJsonLineIsOneObjectWithTheFieldsBehind) {
  Listen(log::Format::kJson);
  log::Info("listening", {{"address", "127.0.0.1:8080"}, {"threads", 4}, {"tls", false}});
  ASSERT_THAT(lines_, SizeIs(1));
  EXPECT_THAT(lines_[0],
              EndsWith(R"(,"level":"info","message":"listening","address":"127.0.0.1:8080",)"
                       R"("threads":4,"tls":false})"));
  const boost::json::value parsed = boost::json::parse(lines_[0]);
  EXPECT_THAT(ParseInstant(std::string_view(parsed.at("time").as_string())), IsOk());
}

TEST_F(LogTest, TextFromOutsideCannotBreakAJsonLine) {
  Listen(log::Format::kJson);
  log::Warn("odd\nname", {{"name", "a\"b\n{\xff"}});
  ASSERT_THAT(lines_, SizeIs(1));
  const boost::json::value parsed = boost::json::parse(lines_[0]);
  EXPECT_EQ(parsed.at("message").as_string(), "odd\nname");
  EXPECT_EQ(parsed.at("name").as_string(), "a\"b\n{\xef\xbf\xbd");
}

TEST_F(LogTest, ATextLineIsForPeople) {
  Listen(log::Format::kText);
  log::Error("cannot listen", {{"address", "[::1]:80"}, {"reason", "in use"}, {"tries", 3U}});
  ASSERT_THAT(lines_, SizeIs(1));
  EXPECT_THAT(lines_[0], MatchesRegex(".{23}Z error cannot listen address=\\[::1\\]:80 "
                                      "reason=\"in use\" tries=3"));
}

TEST_F(LogTest, TextFromOutsideCannotForgeATextLine) {
  Listen(log::Format::kText);
  log::Info("a\nb", {{"x", "1\n2"}, {"y", ""}, {"z", "a=b"}, {"w", "\x1b[2J"}});
  ASSERT_THAT(lines_, SizeIs(1));
  EXPECT_THAT(lines_[0], EndsWith(R"( "a\nb" x="1\n2" y="" z="a=b" w="\u001b[2J")"));
}

TEST_F(LogTest, LevelsBelowTheChosenOneAreDropped) {
  Listen(log::Format::kText, log::Level::kWarn);
  log::Debug("d");
  log::Info("i");
  log::Warn("w");
  log::Error("e");
  EXPECT_THAT(lines_, ElementsAre(EndsWith("warn  w"), EndsWith("error e")));
  EXPECT_FALSE(log::Enabled(log::Level::kInfo));
  EXPECT_TRUE(log::Enabled(log::Level::kError));
}

TEST_F(LogTest, DebugIsOffUntilAskedFor) {
  Listen(log::Format::kText);
  log::Debug("d");
  EXPECT_THAT(lines_, IsEmpty());
  Listen(log::Format::kText, log::Level::kDebug);
  log::Debug("d");
  EXPECT_THAT(lines_, ElementsAre(EndsWith("debug d")));
}

TEST_F(LogTest, FieldsKeepTheirRangeAndKind) {
  Listen(log::Format::kJson);
  const std::string text = "t";
  log::Info("m", {{"a", std::numeric_limits<std::int64_t>::min()},
                  {"b", std::numeric_limits<std::uint64_t>::max()},
                  {"c", true},
                  {"d", text},
                  {"e", std::string_view("v")},
                  {"f", std::uint8_t{65}}});
  ASSERT_THAT(lines_, SizeIs(1));
  EXPECT_THAT(lines_[0], EndsWith(R"("a":-9223372036854775808,"b":18446744073709551615,"c":true,)"
                                  R"("d":"t","e":"v","f":65})"));
}

TEST_F(LogTest, ASinkThatThrowsDoesNotReachTheCaller) {
  log::Configure({.sink = [](std::string_view) { throw std::runtime_error("full"); }});
  log::Info("lost");
}

TEST_F(LogTest, ManyThreadsWriteWholeLines) {
  Listen(log::Format::kText);
  {
    std::vector<std::jthread> threads;
    threads.reserve(4);
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([] {
        for (int n = 0; n < 100; ++n) {
          log::Info("line", {{"n", "of many"}});
        }
      });
    }
  }
  EXPECT_THAT(lines_, SizeIs(400));
  EXPECT_THAT(lines_, ::testing::Each(EndsWith("info  line n=\"of many\"")));
}

TEST_F(LogTest, LinesGoToStandardErrorByDefault) {
  log::Configure({});
  ::testing::internal::CaptureStderr();
  log::Info("hello", {{"n", 1}});
  EXPECT_THAT(
      ::testing::internal::GetCapturedStderr(),
      MatchesRegex("\\{\"time\":\"[^\"]*\",\"level\":\"info\",\"message\":\"hello\",\"n\":1\\}\n"));
}

}  // namespace
}  // namespace atrium

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/access_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string>

namespace atrium::http {
namespace {

AccessRecord Example() {
  return {.time = "2023-11-14T22:13:20.123Z",
          .request_id = "0123456789abcdef",
          .client = "192.0.2.1",
          .method = "GET",
          .path = "/api/health",
          .route = "/api/health",
          .agent = "curl/7.88.1",
          .status = 200,
          .bytes_in = 80,
          .bytes_out = 400,
          .duration = std::chrono::microseconds(42)};
}

TEST(AccessLogTest, RecordIsOneLineOfJson) {
  std::string line;
  AppendAccessLine(line, Example());
  EXPECT_EQ(line,
            R"({"time":"2023-11-14T22:13:20.123Z","request_id":"0123456789abcdef",)"
            R"("client":"192.0.2.1","method":"GET","path":"/api/health","route":"/api/health",)"
            R"("status":200,"bytes_in":80,"bytes_out":400,"duration_us":42,)"
            R"("agent":"curl/7.88.1"})"
            "\n");
}

TEST(AccessLogTest, HostileTextStaysInsideItsString) {
  AccessRecord record = Example();
  record.agent = "a\"}\n{\"x\":\"\xff\x01";
  std::string line;
  AppendAccessLine(line, record);
  EXPECT_EQ(std::ranges::count(line, '\n'), 1);
  EXPECT_THAT(line, ::testing::HasSubstr(R"(a\"}\n{\"x\":\")"));
}

TEST(AccessLogTest, LongAgentsAreCut) {
  AccessRecord record = Example();
  const std::string agent(5000, 'x');
  record.agent = agent;
  std::string line;
  AppendAccessLine(line, record);
  EXPECT_LT(line.size(), 600U);
}

class AccessLogPipeTest : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(::pipe(ends_.data()), 0); }
  void TearDown() override { ::close(ends_[0]); }

  /// Until the other end is closed.
  std::string ReadAll() {
    std::string text;
    std::array<char, 4096> buffer;
    for (ssize_t count = ::read(ends_[0], buffer.data(), buffer.size()); count > 0;
         count = ::read(ends_[0], buffer.data(), buffer.size())) {
      text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return text;
  }

  std::array<int, 2> ends_{};
};

TEST_F(AccessLogPipeTest, EverythingIsWrittenBeforeItEnds) {
  {
    AccessLog log(ends_[1]);
    for (int i = 0; i < 100; ++i) {
      std::string lines = std::to_string(i) + "\n";
      log.Write(lines);
      EXPECT_TRUE(lines.empty());
    }
  }
  ::close(ends_[1]);
  const std::string text = ReadAll();
  EXPECT_EQ(std::ranges::count(text, '\n'), 100);
  EXPECT_TRUE(text.starts_with("0\n1\n2\n"));
}

TEST_F(AccessLogPipeTest, ReaderThatFallsBehindCostsLinesNotMemory) {
  std::jthread reader;
  {
    AccessLog log(ends_[1]);
    std::string block;
    // Nobody reads the pipe, so that only what fits it and the bound can wait: once for what is
    // being written, and once for what comes next.
    for (int i = 0; i < 60; ++i) {
      block.assign(std::size_t{1} << 20, 'x');
      log.Write(block);
    }
    EXPECT_GT(log.DroppedBytes(), std::size_t{20} << 20);
    reader = std::jthread([this] { ReadAll(); });
  }
  ::close(ends_[1]);
  reader.join();
}

TEST(AccessLogTest, LogWithoutDescriptorKeepsNothing) {
  AccessLog log(-1);
  std::string lines = "line\n";
  log.Write(lines);
  EXPECT_FALSE(log.Enabled());
  EXPECT_TRUE(lines.empty());
}

}  // namespace
}  // namespace atrium::http

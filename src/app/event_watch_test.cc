// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/event_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "base/testing.h"

namespace atrium::app {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class EventLinesTest : public ::testing::Test {
 protected:
  std::vector<std::string> heard_;
  EventLines lines_{[this](const HeardEvent& event) {
    heard_.push_back(event.id + " " + event.name + " " + event.text);
  }};
};

TEST_F(EventLinesTest, EventsAreTakenHoweverTheyAreCut) {
  const std::string text =
      "id: 1\nevent: a\ndata: x\n\n: still here\n\nid: 2\nevent: b\ndata: y\n\n";
  for (const char c : text) {
    lines_.Take({&c, 1});
  }
  EXPECT_THAT(heard_, ElementsAre("1 a x", "2 b y"));
  EXPECT_EQ(lines_.LastId(), "2");
}

TEST_F(EventLinesTest, AnIdAloneIsNoEventAndIsKept) {
  lines_.Take("id: 7\n\n");
  EXPECT_THAT(heard_, IsEmpty());
  EXPECT_EQ(lines_.LastId(), "7");
}

TEST_F(EventLinesTest, SeveralLinesOfTextAreOneEvent) {
  lines_.Take("data: x\ndata: y\n\n");
  EXPECT_THAT(heard_, ElementsAre("  x\ny"));
}

TEST_F(EventLinesTest, AnEventThatBrokeOffIsForgotten) {
  lines_.Take("id: 1\nevent: a\ndata: x\n\nid: 2\nevent: b\nda");
  lines_.Restart();
  EXPECT_EQ(lines_.LastId(), "1");
  lines_.Take("id: 2\nevent: b\ndata: y\n\n");
  EXPECT_THAT(heard_, ElementsAre("1 a x", "2 b y"));
}

TEST(DescribeEventTest, SaysWhatItIsAbout) {
  EXPECT_EQ(DescribeEvent({.name = "entry_added",
                           .text = R"({"entry":{"title":"Yoga"},"date":"2026-03-01"})"}),
            "entry_added         2026-03-01  Yoga\n");
  EXPECT_EQ(DescribeEvent({.name = "member_removed", .text = R"({"member":{"email":"a@b.c"}})"}),
            "member_removed      -           a@b.c\n");
}

TEST(DescribeEventTest, NoTitleMovesTheCursor) {
  EXPECT_THAT(DescribeEvent({.name = "entry_added", .text = R"({"entry":{"title":"\u001b[2J"}})"}),
              ::testing::Not(::testing::HasSubstr("\x1b")));
}

/// Streams one piece after the other, then refuses.
class Station final : public ApiDoor {
 public:
  Asking As() const override { return Asking::kPerson; }
  Result<ApiReply> Ask(const ApiRequest& /*request*/) override { return ApiReply{}; }
  Result<void> Stream(const ApiRequest& request, const Receive& receive) override {
    targets.push_back(request.target);
    if (targets.size() > 1) {
      return Fail(ErrorCode::kNotFound, "there is no such calendar");
    }
    receive("id: 5\n\n");
    return {};
  }

  std::vector<std::string> targets{};
};

TEST(WatchEventsTest, ComesAgainWithTheLastIdAndEndsWhenItIsRefused) {
  Station station;
  EXPECT_THAT(WatchEvents(station, {.target = "/api/events?calendar_id=c",
                                    .last_event_id = "3",
                                    .pause = std::chrono::milliseconds(0)}),
              FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(station.targets, ElementsAre("/api/events?calendar_id=c&last_event_id=3",
                                           "/api/events?calendar_id=c&last_event_id=5"));
}

}  // namespace
}  // namespace atrium::app

// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/event_feed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/testing.h"
#include "calendar/event_tail.h"
#include "calendar/keys.h"
#include "calendar/room_testing.h"
#include "store/change_log.h"
#include "store/epoch.h"

namespace atrium::calendar {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Reads a stream as a client does.
class Client {
 public:
  explicit Client(std::unique_ptr<http::EventSource> stream) : stream_(std::move(stream)) {}

  /// The names of the events that are there now; the stream is read until it is silent.
  std::vector<std::string> Hear() {
    std::vector<std::string> names;
    do {
      woken_ = false;
      auto piece = stream_->Next([this] { woken_ = true; });
      EXPECT_THAT(piece, IsOk());
      if (!piece || !*piece) {
        ended_ = true;
        return names;
      }
      Take(**piece, names);
    } while (woken_);
    return names;
  }

  const std::string& LastId() const { return last_id_; }
  const std::string& Text() const { return text_; }
  bool Ended() const { return ended_; }
  bool Woken() const { return woken_; }

 private:
  void Take(std::string_view text, std::vector<std::string>& names) {
    text_ += text;
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(line.size() + 1);
      if (line.starts_with("id: ")) {
        last_id_ = line.substr(4);
      } else if (line.starts_with("event: ")) {
        names.emplace_back(line.substr(7));
      }
    }
  }

  std::unique_ptr<http::EventSource> stream_;
  std::string last_id_;
  std::string text_;
  bool woken_ = false;
  bool ended_ = false;
};

class EventFeedTest : public testing::RoomTest {
 protected:
  EventFeedTest() { EXPECT_THAT(store::EnsureEpoch(store_, {}, ids_, clock_), IsOk()); }

  Client One(const Visitor& visitor, std::optional<std::string> last = std::nullopt) {
    return Client(FollowCalendar(tails_, {.user = visitor.user, .last_event_id = std::move(last)},
                                 calendar_));
  }
  Client All(const Visitor& visitor, std::optional<std::string> last = std::nullopt) {
    return Client(
        FollowAllCalendars(tails_, {.user = visitor.user, .last_event_id = std::move(last)}));
  }

  CalendarId AddCalendar(const std::string& name) {
    const auto made = room_.calendars.Create({}, ann_, {.name = name});
    EXPECT_THAT(made, IsOk());
    return made ? made->record.id : CalendarId();
  }
  void AddTo(const CalendarId& calendar) {
    EntryFields fields = AllDay("2026-03-01");
    fields.calendar_id = calendar;
    Add(fields);
  }
  void Remove(const Visitor& visitor) {
    ASSERT_THAT(room_.members.Remove({}, {.visitor = ann_}, calendar_, visitor.label), IsOk());
  }

  std::shared_ptr<EventTails> tails_ = std::make_shared<EventTails>(room_.ground);
  const Visitor bob_ = AddVisitor("bob");
};

TEST_F(EventFeedTest, AFreshStreamBeginsWithAnIdAlone) {
  Client client = One(ann_);
  EXPECT_THAT(client.Hear(), IsEmpty());
  EXPECT_EQ(client.Text(), "id: " + client.LastId() + "\n\n");
}

TEST_F(EventFeedTest, ChangesOfACalendarAreToldInTheirOrder) {
  Client client = One(ann_);
  client.Hear();
  const auto entry = Add(AllDay("2026-03-01"));
  EXPECT_TRUE(client.Woken());
  EXPECT_THAT(room_.entries.Delete({}, ann_, {.id = entry.record.id}, testing::AnyVersion), IsOk());
  EXPECT_THAT(client.Hear(), ElementsAre("entry_added", "entry_deleted"));
  EXPECT_THAT(client.Text(), HasSubstr("event: entry_added\ndata: {\"entry\":{\"id\":\""));
  EXPECT_THAT(client.Text(), HasSubstr("\"date\":\"2026-03-01\"}\n\n"));
  EXPECT_THAT(client.Hear(), IsEmpty());
}

TEST_F(EventFeedTest, AListenerThatHeardNothingGoesOnFromItsFirstId) {
  std::string id;
  {
    Client client = One(ann_);
    client.Hear();
    id = client.LastId();
  }
  AddTo(calendar_);
  Client again = One(ann_, id);
  EXPECT_THAT(again.Hear(), ElementsAre("entry_added"));
}

TEST_F(EventFeedTest, WhoIsFarBehindCatchesUpFromTheStore) {
  Client early = One(ann_);
  early.Hear();
  for (int i = 0; i < 300; ++i) {
    AddTo(calendar_);
  }
  Client late = One(ann_, early.LastId());
  EXPECT_THAT(late.Hear(), SizeIs(300));
  EXPECT_THAT(early.Hear(), SizeIs(300));
  EXPECT_EQ(late.LastId(), early.LastId());
}

TEST_F(EventFeedTest, WhatWasTrimmedIsAskedToBeLoadedAnew) {
  Client early = One(ann_);
  early.Hear();
  const std::string id = early.LastId();
  AddTo(calendar_);
  store::Append append = store::AppendChange(store::kChanges, TopicOf(calendar_),
                                             R"({"event":"entry_deleted","data":{}})");
  append.keep = 1;
  ASSERT_THAT(store_.Commit({}, {.mutations = {append}}), IsOk());
  Client late = One(ann_, id);
  EXPECT_THAT(late.Hear(), ElementsAre("refresh_required"));
  EXPECT_THAT(late.Text(), HasSubstr(R"(data: {"reason":"event_history_gap","message":")"));
  AddTo(calendar_);
  EXPECT_THAT(late.Hear(), ElementsAre("entry_added"));
}

TEST_F(EventFeedTest, AnIdOfAnotherEpochIsAskedToLoadEverythingAnew) {
  Client one = One(ann_);
  Client all = All(ann_);
  one.Hear();
  all.Hear();
  ASSERT_THAT(store::RenewEpoch(store_, {}, ids_, {.now = clock_.Now()}), IsOk());
  Client one_again = One(ann_, one.LastId());
  Client all_again = All(ann_, all.LastId());
  EXPECT_THAT(one_again.Hear(), ElementsAre("refresh_required"));
  EXPECT_THAT(all_again.Hear(), ElementsAre("refresh_required"));
  AddTo(calendar_);
  EXPECT_THAT(one_again.Hear(), ElementsAre("entry_added"));
  EXPECT_THAT(all_again.Hear(), ElementsAre("entry_added"));
}

TEST_F(EventFeedTest, ATextThatIsNoIdIsAskedToLoadEverythingAnew) {
  Client one = One(ann_, "17");
  Client all = All(ann_, "17");
  EXPECT_THAT(one.Hear(), ElementsAre("refresh_required"));
  EXPECT_THAT(all.Hear(), ElementsAre("refresh_required"));
}

TEST_F(EventFeedTest, AReaderWhoIsRemovedHearsItAndNothingMore) {
  Share(bob_, MemberRole::kReader);
  Client client = One(bob_);
  client.Hear();
  Remove(bob_);
  AddTo(calendar_);
  EXPECT_THAT(client.Hear(), ElementsAre("member_removed"));
  EXPECT_TRUE(client.Ended());
}

TEST_F(EventFeedTest, AReaderWhoCameBackHearsBoth) {
  Share(bob_, MemberRole::kReader);
  Client client = One(bob_);
  client.Hear();
  Remove(bob_);
  Share(bob_, MemberRole::kReader);
  EXPECT_THAT(client.Hear(), ElementsAre("member_removed", "member_added", "member_updated"));
  EXPECT_FALSE(client.Ended());
}

TEST_F(EventFeedTest, TheRemovalOfOthersEndsNobodysStream) {
  Share(bob_, MemberRole::kReader);
  Client client = One(ann_);
  client.Hear();
  Remove(bob_);
  AddTo(calendar_);
  EXPECT_THAT(client.Hear(), ElementsAre("member_removed", "entry_added"));
}

TEST_F(EventFeedTest, AllCalendarsAreOneStream) {
  const CalendarId other = AddCalendar("Work");
  Client client = All(ann_);
  client.Hear();
  AddTo(calendar_);
  AddTo(other);
  AddTo(calendar_);
  EXPECT_THAT(client.Hear(), SizeIs(3));
  EXPECT_THAT(client.Hear(), IsEmpty());
}

TEST_F(EventFeedTest, AListenerToAllGoesOnInEachCalendar) {
  const CalendarId other = AddCalendar("Work");
  Client client = All(ann_);
  client.Hear();
  AddTo(other);
  EXPECT_THAT(client.Hear(), SizeIs(1));
  AddTo(calendar_);
  AddTo(other);
  Client again = All(ann_, client.LastId());
  EXPECT_THAT(again.Hear(), SizeIs(2));
  EXPECT_THAT(All(ann_, again.LastId()).Hear(), IsEmpty());
}

TEST_F(EventFeedTest, ACalendarThatIsMadeMeanwhileIsFollowed) {
  Client client = All(ann_);
  client.Hear();
  const CalendarId other = AddCalendar("Work");
  AddTo(other);
  EXPECT_THAT(client.Hear(), ElementsAre("member_added", "calendar_added", "entry_added"));
  AddTo(other);
  EXPECT_THAT(client.Hear(), ElementsAre("entry_added"));
}

TEST_F(EventFeedTest, TheEventOfAJoinedCalendarCarriesItsPosition) {
  Client client = All(bob_);
  client.Hear();
  Share(bob_, MemberRole::kReader);
  EXPECT_THAT(client.Hear(), ElementsAre("member_added", "member_updated"));
  for (int i = 0; i < 150; ++i) {
    AddTo(calendar_);
  }
  EXPECT_THAT(All(bob_, client.LastId()).Hear(), SizeIs(150));
}

TEST_F(EventFeedTest, WhoJoinsWhileAwayHearsOfItAndOfWhatCameAfter) {
  Client client = All(bob_);
  client.Hear();
  AddTo(calendar_);
  Share(bob_, MemberRole::kReader);
  AddTo(calendar_);
  EXPECT_THAT(All(bob_, client.LastId()).Hear(),
              ElementsAre("member_added", "member_updated", "entry_added"));
}

TEST_F(EventFeedTest, ACalendarThatIsLeftIsNotFollowedAnyMore) {
  Share(bob_, MemberRole::kReader);
  Client client = All(bob_);
  client.Hear();
  Remove(bob_);
  AddTo(calendar_);
  EXPECT_THAT(client.Hear(), ElementsAre("member_removed"));
  EXPECT_FALSE(client.Ended());
  Share(bob_, MemberRole::kReader);
  AddTo(calendar_);
  EXPECT_THAT(client.Hear(), ElementsAre("member_added", "member_updated", "entry_added"));
}

TEST_F(EventFeedTest, OnesOwnRoleIsToldOnceAndThatOfOthersToo) {
  Share(bob_, MemberRole::kReader);
  Client client = All(bob_);
  Client owner = All(ann_);
  client.Hear();
  owner.Hear();
  ASSERT_THAT(room_.members.ChangeRole({}, ann_, calendar_, bob_.label, MemberRole::kWriter),
              IsOk());
  EXPECT_THAT(client.Hear(), ElementsAre("member_updated"));
  EXPECT_THAT(owner.Hear(), ElementsAre("member_updated"));
}

TEST_F(EventFeedTest, AChangeIsReadOnceHoweverManyListen) {
  // Streams keep who wakes them: nobody moves.
  std::list<Client> clients;
  for (int i = 0; i < 50; ++i) {
    clients.push_back(One(ann_));
    clients.back().Hear();
  }
  AddTo(calendar_);
  const auto tail = tails_->Find(TopicOf(calendar_));
  ASSERT_THAT(tail, IsOk());
  for (Client& client : clients) {
    EXPECT_THAT(client.Hear(), ElementsAre("entry_added"));
  }
  const auto last = (*tail)->Last();
  ASSERT_THAT(last, IsOk());
  const auto first = (*tail)->Read(*last - 1, 1);
  const auto second = (*tail)->Read(*last - 1, 1);
  ASSERT_THAT(first, IsOk());
  ASSERT_THAT(second, IsOk());
  EXPECT_EQ(first->events.front(), second->events.front());
}

TEST_F(EventFeedTest, AStreamThatEndedIsNotWoken) {
  bool woken = false;
  {
    const auto stream = FollowCalendar(tails_, {.user = ann_.user}, calendar_);
    EXPECT_THAT(stream->Next([&woken] { woken = true; }), IsOk());
    woken = false;
  }
  AddTo(calendar_);
  EXPECT_FALSE(woken);
}

}  // namespace
}  // namespace atrium::calendar

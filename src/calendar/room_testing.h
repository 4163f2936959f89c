// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/id_source.h"
#include "base/memory_budget.h"
#include "base/testing.h"
#include "calendar/keys.h"
#include "calendar/room.h"
#include "egress/http_sender.h"
#include "egress/message.h"
#include "engines/memory/engine.h"
#include "jobs/job.h"
#include "store/store.h"
#include "store/verify.h"

/// The whole room on the memory engine, for the tests of this folder.
namespace atrium::calendar::testing {

/// Makes up invitations, and keeps none: what becomes of them is identity's business.
class Desk final : public InvitationDesk {
 public:
  Result<InvitationStatus> Add(const store::OpContext& /*op*/, store::Batch& /*batch*/,
                               const Host& /*host*/, const Guest& guest) const override {
    if (refuses) {
      return Fail(ErrorCode::kPermissionDenied, "email: nobody new");
    }
    invited.push_back(guest.email);
    return InvitationStatus{.id = "0000000000000000000000000" + std::to_string(invited.size()),
                            .state = "open",
                            .delivery = "off",
                            .link = "https://atrium.example.org/join#token=t"};
  }
  Result<std::optional<InvitationStatus>> Find(const store::OpContext& /*op*/,
                                               std::string_view id) const override {
    return id.empty() ? std::nullopt
                      : std::optional(InvitationStatus{.id = std::string(id), .state = "open"});
  }
  Result<InvitationStatus> Renew(const store::OpContext& /*op*/, const Host& /*host*/,
                                 std::string_view id, Renewal /*renewal*/) const override {
    return InvitationStatus{.id = std::string(id), .state = "open", .resends = 1};
  }
  Result<void> AddRevocation(const store::OpContext& /*op*/, store::Batch& /*batch*/,
                             const Host& /*host*/, std::string_view id) const override {
    revoked.emplace_back(id);
    return {};
  }
  Result<void> AddAcceptance(const store::OpContext& /*op*/, store::Batch& /*batch*/,
                             const Host& /*host*/, std::string_view id) const override {
    accepted.emplace_back(id);
    return {};
  }

  bool refuses = false;
  // What was asked of it; the interface promises a caller nothing but const.
  mutable std::vector<std::string> invited{};
  mutable std::vector<std::string> revoked{};
  mutable std::vector<std::string> accepted{};
};

/// Another server, which says what a test tells it to and remembers what it was asked.
class OtherServer final : public egress::HttpSender {
 public:
  Result<egress::OutgoingResponse> Send(const egress::OutgoingRequest& request) override {
    asked.push_back(request);
    constexpr int kStatusOk = 200;
    if (!answer || !request.receive || answer->status != kStatusOk) {
      return answer;
    }
    request.receive(answer->body);
    if (request.stop.stop_requested()) {
      return Fail(ErrorCode::kUnavailable, "stopped");
    }
    egress::OutgoingResponse response = *answer;
    response.body.clear();
    return response;
  }

  std::vector<egress::OutgoingRequest> asked{};
  Result<egress::OutgoingResponse> answer{};
};

/// People that a test makes up. Each knows only who was added.
class Acquaintances final : public People {
 public:
  Person Add(const std::string& name, const OrgId& org) {
    Person person{.id = UserId(ids_.NewTimeUuid()),
                  .org = org,
                  .name = name,
                  .email = name + "@example.org",
                  .time_zone = "Europe/Berlin"};
    all_[person.id] = person;
    return person;
  }
  void Remove(const Person& person) { all_.erase(person.id); }

  Result<std::optional<Person>> Find(const store::OpContext& /*op*/,
                                     const UserId& user) const override {
    const auto found = all_.find(user);
    return found == all_.end() ? std::nullopt : std::optional(found->second);
  }
  Result<std::optional<Person>> FindByEmail(const store::OpContext& /*op*/,
                                            std::string_view email) const override {
    for (const auto& [id, person] : all_) {
      if (person.email == email) {
        return person;
      }
    }
    return std::nullopt;
  }
  Result<std::string> ReadEmail(std::string_view text) const override {
    if (text.find('@') == std::string_view::npos) {
      return Fail(ErrorCode::kInvalidArgument, "email: not an address");
    }
    return std::string(text);
  }
  Result<std::string> AddressOf(const store::OpContext& /*op*/,
                                const OrgId& /*org*/) const override {
    return "https://atrium.example.org";
  }

 private:
  FixedIdSource ids_;
  std::map<UserId, Person> all_;
};

inline Date Day(std::string_view text) {
  return Date::Parse(text).value();
}
inline TimeOfDay Time(std::string_view text) {
  return TimeOfDay::Parse(text).value();
}
inline LocalTime At(std::string_view text) {
  return LocalTime::Parse(text).value();
}

/// Does not care which version is there.
inline Result<void> AnyVersion(store::Version /*version*/) {
  return {};
}

/// Ann owns a calendar; Bob is somebody else of her organisation.
class RoomTest : public ::testing::Test {
 protected:
  RoomTest() {
    auto made = room_.calendars.Create({}, ann_, {.name = "Family"});
    EXPECT_THAT(made, IsOk());
    calendar_ = made ? made->record.id : CalendarId();
  }

  static Visitor VisitorFor(const Person& person) {
    return {
        .org = person.org, .user = person.id, .label = person.email, .time_zone = person.time_zone};
  }
  Visitor AddVisitor(const std::string& name) { return VisitorFor(people_.Add(name, org_)); }

  EntryFields Timed(std::string_view day, std::string_view from, std::string_view to) const {
    return {.calendar_id = calendar_,
            .kind = EntryKind::kTimed,
            .title = "Meeting",
            .start_date = Day(day),
            .start_time = Time(from),
            .end_time = Time(to)};
  }
  EntryFields AllDay(std::string_view day) const {
    return {.calendar_id = calendar_,
            .kind = EntryKind::kAllDay,
            .title = "Birthday",
            .start_date = Day(day)};
  }
  EntryFields SeveralDays(std::string_view from, std::string_view to) const {
    return {.calendar_id = calendar_,
            .kind = EntryKind::kMultiDay,
            .title = "Holidays",
            .start_date = Day(from),
            .end_date = Day(to)};
  }
  EntryFields Task(std::string_view day) const {
    return {.calendar_id = calendar_,
            .kind = EntryKind::kTask,
            .title = "Taxes",
            .start_date = Day(day)};
  }
  static EntryFields Again(EntryFields fields, std::string rule) {
    fields.recurrence = RecurrenceFields{.rule = std::move(rule)};
    return fields;
  }

  store::Stored<Entry> Add(const EntryFields& fields) {
    auto entry = room_.entries.Create({}, ann_, fields);
    EXPECT_THAT(entry, IsOk());
    return std::move(entry).value_or(store::Stored<Entry>{});
  }
  store::Stored<Membership> Share(const Visitor& visitor, MemberRole role) {
    EXPECT_THAT(room_.members.Invite({}, {.visitor = ann_}, calendar_, visitor.label, role),
                IsOk());
    auto member = room_.members.Accept({}, {.visitor = visitor}, calendar_);
    EXPECT_THAT(member, IsOk());
    return std::move(member).value_or(store::Stored<Membership>{});
  }

  std::uint64_t CountRows(const store::Table& table) {
    std::uint64_t rows = 0;
    store::FunctionSink sink([&](const store::RowView& /*row*/) { ++rows; });
    EXPECT_THAT(store_.Walk({}, {.table = &table}, sink), IsOk());
    return rows;
  }
  /// What store verify would find.
  std::uint64_t Defects() {
    const std::vector<const store::AnyCollection*> collections = Collections();
    const std::vector<const store::Table*> tables = BareTables();
    const auto report =
        store::Verify(store_, {}, {.collections = collections, .tables = tables}, {});
    EXPECT_THAT(report, IsOk());
    return report ? report->findings : 0;
  }

  FixedClock clock_{Instant(std::chrono::milliseconds(1'800'000'000'000))};
  FixedIdSource ids_{};
  engines::MemoryEngine engine_{clock_};
  store::Store store_{engine_, clock_};
  const OrgId org_{ids_.NewUuid()};
  Acquaintances people_{};
  Desk desk_{};
  OtherServer other_server_{};
  MemoryBudget memory_{std::size_t{256} << 20};
  Room room_{{.ground = {.store = store_, .clock = clock_, .ids = ids_},
              .people = people_,
              .invitations = desk_,
              .sender = other_server_,
              .memory = memory_}};
  const Visitor ann_ = AddVisitor("ann");
  CalendarId calendar_{};
  jobs::JobContext context_{std::stop_token{}};
};

}  // namespace atrium::calendar::testing

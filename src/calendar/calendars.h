// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/json_shape.h"
#include "base/result.h"
#include "calendar/access.h"
#include "calendar/entries.h"
#include "calendar/people.h"
#include "calendar/records.h"
#include "store/batch.h"
#include "store/ground.h"

namespace atrium::calendar {

/// What a client says of a calendar; what is absent stays as it is.
struct CalendarFields {
  std::optional<std::string> name{};
  std::optional<std::string> color{};
  std::optional<std::string> description{};
};
BOOST_DESCRIBE_STRUCT(CalendarFields, (), (name, color, description))

/// What a client says of how a calendar is shown to it.
struct ViewFields {
  std::optional<ViewMode> view_mode{};
  std::optional<bool> show_tasks{};
  std::optional<EntryStyle> entry_style{};
};
BOOST_DESCRIBE_STRUCT(ViewFields, (), (view_mode, show_tasks, entry_style))

/// A calendar as one of its members has it.
struct MyCalendar {
  store::Stored<Calendar> calendar{};
  Membership member{};
};

struct MyCalendars {
  std::vector<MyCalendar> calendars{};
  /// Where to go on; nullopt: that was all.
  std::optional<std::string> resume{};
};

enum class Trashing : std::uint8_t {
  kKeep,   ///< For 30 days.
  kErase,  ///< As soon as a job comes to it.
};

/// How many calendars one person may own or be invited to.
inline constexpr std::size_t kCalendarsOfOne = 1000;

/// What people do with calendars as wholes. Each change is one commit.
class CalendarService {
 public:
  using Found = store::Stored<Calendar>;
  /// What is to be done in the same commit.
  using Alongside = std::function<void(store::Batch&, const Calendar&)>;

  CalendarService(const store::Ground& ground, const People& people)
      : ground_(ground), people_(people) {}

  /// The visitor owns it. `source` other than people: what fills it is added by `alongside`.
  Result<Found> Create(const store::OpContext& op, const Visitor& visitor,
                       const CalendarFields& fields,
                       CalendarSource source = CalendarSource::kPeople,
                       const Alongside& alongside = {});

  /// The calendar everybody has from the start, made when it is missing: once, however many ask.
  Result<Found> EnsureDefault(const store::OpContext& op, const Visitor& visitor);

  Result<Found> Update(const store::OpContext& op, const Visitor& visitor, const CalendarId& id,
                       const CalendarFields& fields, const VersionCheck& check);

  /// kRefusedByState for a default calendar. What is in the trash is there for kErase alone.
  Result<void> Delete(const store::OpContext& op, const Visitor& visitor, const CalendarId& id,
                      Trashing trashing, const VersionCheck& check);
  Result<Found> Restore(const store::OpContext& op, const Visitor& visitor, const CalendarId& id);

  /// One partition query and a get for each calendar. Those in the trash are left out.
  Result<MyCalendars> ListMine(const store::OpContext& op, const Visitor& visitor,
                               std::size_t limit, std::optional<std::string> after) const;
  /// Those in the trash that the visitor owns.
  Result<std::vector<MyCalendar>> ListTrash(const store::OpContext& op,
                                            const Visitor& visitor) const;

  /// What LoadView() answers of it, to who is known to be a member.
  Result<ViewFields> FindView(const store::OpContext& op, const UserId& user,
                              const CalendarId& id) const;
  Result<ViewSettings> LoadView(const store::OpContext& op, const Visitor& visitor,
                                const CalendarId& id) const;
  Result<ViewSettings> SaveView(const store::OpContext& op, const Visitor& visitor,
                                const CalendarId& id, const ViewFields& fields);

 private:
  Result<Found> Add(const store::OpContext& op, const Visitor& visitor, const Calendar& calendar,
                    const Alongside& alongside);
  Result<std::vector<MyCalendar>> Join(const store::OpContext& op,
                                       const std::vector<store::Stored<Membership>>& members) const;

  const store::Ground ground_;
  const People& people_;
};

/// Adds to the number of owners in the batch; taking the last one away is kLimitExceeded.
void CountOwners(store::Batch& batch, const CalendarId& calendar, int delta);

}  // namespace atrium::calendar

namespace atrium {

template <>
inline constexpr JsonNames kJsonNames<calendar::ViewFields> = JsonNames::kCamel;

}  // namespace atrium

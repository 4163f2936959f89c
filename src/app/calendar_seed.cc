// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/calendar_seed.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <span>
#include <string_view>
#include <utility>

namespace atrium::app {
namespace {

using almanac::Date;

constexpr std::size_t kMultiDayPercent = 15;
constexpr std::size_t kAllDayPercent = 20;
constexpr std::size_t kTimedPercent = 45;
constexpr std::size_t kTaskPercent = 20;
/// Of timed entries and tasks, one in so many comes again.
constexpr std::size_t kRecurringEvery = 6;

/// In quarters of an hour: meetings begin between 07:00 and 20:00.
constexpr std::size_t kFirstQuarter = 28;
constexpr std::size_t kQuarters = 52;

struct Theme {
  std::string_view title;
  std::string_view location;
};

constexpr std::array kJourneys{
    Theme{.title = "Hiking in the hills", .location = "Lakeside hut"},
    Theme{.title = "Grandparents visit", .location = "At home"},
    Theme{.title = "Conference on small machines", .location = "Harbour hall"},
    Theme{.title = "School holidays", .location = ""},
    Theme{.title = "Painting the kitchen", .location = "At home"},
    Theme{.title = "Sailing course", .location = "North pier"},
    Theme{.title = "Visit to the customer", .location = "Riverside office"}};
constexpr std::array kDays{Theme{.title = "Birthday of Mira", .location = ""},
                           Theme{.title = "Bulky waste is collected", .location = ""},
                           Theme{.title = "Working from home", .location = "At home"},
                           Theme{.title = "Flea market", .location = "Mill square"},
                           Theme{.title = "Wedding anniversary", .location = ""},
                           Theme{.title = "Bicycle to the workshop", .location = "Chain and Spoke"},
                           Theme{.title = "Neighbourhood clean-up", .location = "Canal bank"},
                           Theme{.title = "Day of the open garden", .location = "Allotments"}};
constexpr std::array kMeetings{Theme{.title = "Breakfast with Jonas", .location = "Corner bakery"},
                               Theme{.title = "Planning of the week", .location = "Meeting room 2"},
                               Theme{.title = "Dentist", .location = "Linden street 4"},
                               Theme{.title = "Choir rehearsal", .location = "Old chapel"},
                               Theme{.title = "Call about the roof", .location = ""},
                               Theme{.title = "Yoga", .location = "Gymnasium"},
                               Theme{.title = "Parents' evening", .location = "Primary school"},
                               Theme{.title = "Design review", .location = "Meeting room 1"},
                               Theme{.title = "Dinner with the Okafors", .location = "Casa Verde"},
                               Theme{.title = "Piano lesson", .location = "Music school"},
                               Theme{.title = "Talk with the bank", .location = "Market place"}};
constexpr std::array kTasks{Theme{.title = "Water the plants", .location = ""},
                            Theme{.title = "Renew the passport", .location = "Town hall"},
                            Theme{.title = "Order wood for the stove", .location = ""},
                            Theme{.title = "Send the travel expenses", .location = ""},
                            Theme{.title = "Change the winter tyres", .location = ""},
                            Theme{.title = "Write to aunt Ruth", .location = ""},
                            Theme{.title = "Back up the photographs", .location = ""},
                            Theme{.title = "Buy a present for Mira", .location = ""}};

constexpr std::array<std::string_view, 3> kMeetingRules{
    "FREQ=WEEKLY;COUNT=12", "FREQ=WEEKLY;INTERVAL=2;COUNT=8", "FREQ=MONTHLY;COUNT=6"};
constexpr std::array<std::string_view, 2> kTaskRules{"FREQ=WEEKLY;COUNT=10",
                                                     "FREQ=MONTHLY;COUNT=12"};

constexpr std::size_t ShareOf(std::size_t count, std::size_t percent) {
  return (count * percent + 99) / 100;
}

/// Chance that is the same for the same plan, on every machine: the distributions of the standard
/// library are not.
class Pattern {
 public:
  explicit Pattern(const SeedPlan& plan) : engine_(SeedOf(plan)) {}

  /// Less than `end`.
  std::size_t Below(std::size_t end) { return static_cast<std::size_t>(engine_() % end); }

  template <typename T>
  const T& OneOf(std::span<const T> choices) {
    return choices[Below(choices.size())];
  }

 private:
  /// FNV-1a.
  static std::uint64_t SeedOf(const SeedPlan& plan) {
    std::uint64_t seed = 14695981039346656037ULL;
    for (const char c :
         plan.calendar + plan.highlighted_day.Render() + std::to_string(plan.count)) {
      seed = (seed ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    }
    return seed;
  }

  std::mt19937_64 engine_;
};

class Seeder {
 public:
  explicit Seeder(const SeedPlan& plan) : plan_(plan), pattern_(plan) {}

  std::vector<EntryBody> Make() {
    Each(kMultiDayPercent, "multi-day", kJourneys, [this](EntryBody& entry, std::size_t number) {
      const Date first = DayOf(number);
      entry.start_date = first.Render();
      entry.end_date = (first + static_cast<int>(1 + pattern_.Below(5))).Render();
    });
    Each(kAllDayPercent, "all-day", kDays, [](EntryBody& entry, std::size_t /*number*/) {
      if (entry.title->starts_with("Birthday") || entry.title->starts_with("Wedding")) {
        entry.recurrence = RecurrenceBody{.rule = "FREQ=YEARLY"};
      }
    });
    Each(kTimedPercent, "timed", kMeetings, [this](EntryBody& entry, std::size_t number) {
      const std::size_t starts = kFirstQuarter + pattern_.Below(kQuarters);
      entry.start_time = QuarterHour(starts);
      entry.end_time = QuarterHour(starts + 2 + pattern_.Below(7));
      Recur(entry, number, kMeetingRules);
    });
    Each(kTaskPercent, "task", kTasks, [this](EntryBody& entry, std::size_t number) {
      Recur(entry, number, kTaskRules);
      if (!entry.recurrence && *entry.start_date < plan_.highlighted_day.Render()) {
        entry.completed = pattern_.Below(3) > 0;
      }
    });
    return std::move(entries_);
  }

 private:
  template <typename Detail>
  void Each(std::size_t percent, std::string_view kind, std::span<const Theme> themes,
            const Detail& detail) {
    const std::size_t share = ShareOf(plan_.count, percent);
    // Neighbours in the list, so that a small seed has no title twice.
    const std::size_t first = pattern_.Below(themes.size());
    for (std::size_t number = 0; number < share; ++number) {
      const Theme& theme = themes[(first + number) % themes.size()];
      EntryBody entry{.calendar_id = plan_.calendar,
                      .kind = std::string(kind),
                      .title = std::string(theme.title),
                      .start_date = DayOf(number).Render()};
      if (!theme.location.empty()) {
        entry.location = std::string(theme.location);
      }
      detail(entry, number);
      entries_.push_back(std::move(entry));
    }
  }

  /// The first of each kind is on the highlighted day.
  Date DayOf(std::size_t number) {
    const auto around = static_cast<int>(plan_.count);
    const int days = static_cast<int>(pattern_.Below(2 * plan_.count + 1)) - around;
    return number == 0 ? plan_.highlighted_day : plan_.highlighted_day + days;
  }

  void Recur(EntryBody& entry, std::size_t number, std::span<const std::string_view> rules) {
    if (number % kRecurringEvery == 1) {
      entry.recurrence = RecurrenceBody{.rule = std::string(pattern_.OneOf(rules))};
    }
  }

  static std::string QuarterHour(std::size_t quarters) {
    return fmt::format("{:02}:{:02}", quarters / 4, quarters % 4 * 15);
  }

  const SeedPlan& plan_;
  Pattern pattern_;
  std::vector<EntryBody> entries_;
};

}  // namespace

std::vector<EntryBody> MakeSeed(const SeedPlan& plan) {
  return Seeder(plan).Make();
}

}  // namespace atrium::app

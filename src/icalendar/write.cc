// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/write.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "almanac/local_time.h"
#include "almanac/recurrence.h"
#include "almanac/zone.h"
#include "base/instant.h"
#include "base/result.h"
#include "icalendar/color.h"
#include "icalendar/folding.h"
#include "icalendar/item.h"
#include "icalendar/item_people.h"
#include "icalendar/participant.h"
#include "icalendar/values.h"
#include "icalendar/zone_block.h"

namespace atrium::icalendar {
namespace {

using almanac::LocalTime;

constexpr std::string_view kUtc = "UTC";

/// Writes the lines of one component.
class Lines {
 public:
  void Put(std::string_view name, std::string_view value) {
    AppendLine(text_, fmt::format("{}:{}", name, value));
  }

  void PutText(std::string_view name, std::string_view text) {
    if (!text.empty()) {
      Put(name, EscapeText(text));
    }
  }

  void PutLine(std::string_view line) { AppendLine(text_, line); }

  void PutInstant(std::string_view name, std::optional<Instant> instant) {
    if (instant) {
      Put(name, RenderUtc(*instant));
    }
  }

  /// COLOR knows only names; the other says exactly which.
  void PutColor(std::string_view color) {
    if (const std::optional<std::string> exact = ParseColor(color)) {
      Put("COLOR", NearestColorName(*exact));
      Put("X-APPLE-CALENDAR-COLOR", *exact);
    }
  }

  std::string Take() && { return std::move(text_); }

 private:
  std::string text_;
};

/// How the times of an item are written.
struct TimeTerms {
  bool all_day = false;
  std::string_view zone{};
};

/// "DTSTART;TZID=Europe/Berlin:20260301T090000", or a list of such times.
void PutTimes(Lines& lines, std::string_view name, const TimeTerms& terms,
              const std::vector<LocalTime>& times) {
  if (times.empty()) {
    return;
  }
  const bool utc = terms.zone == kUtc;
  std::string list;
  for (const LocalTime& time : times) {
    list += list.empty() ? "" : ",";
    list += terms.all_day ? RenderDate(time.date) : RenderLocal(time) + (utc ? "Z" : "");
  }
  if (terms.all_day) {
    lines.Put(fmt::format("{};VALUE=DATE", name), list);
  } else if (utc || terms.zone.empty()) {
    lines.Put(name, list);
  } else {
    lines.Put(fmt::format("{};TZID={}", name, terms.zone), list);
  }
}

void PutTime(Lines& lines, std::string_view name, const TimeTerms& terms,
             const std::optional<LocalTime>& time) {
  if (time) {
    PutTimes(lines, name, terms, {*time});
  }
}

/// An end that says nothing new is left out: DTEND must be later than DTSTART (RFC 5545 §3.8.2.2).
bool HasEnd(const Item& item) {
  return item.end && (item.kind == ItemKind::kTodo || item.all_day || item.end != item.start);
}

void PutWhen(Lines& lines, const Item& item, std::string_view rule) {
  const TimeTerms terms{.all_day = item.all_day, .zone = item.zone};
  if (item.recurrence_id) {
    PutTime(lines, "RECURRENCE-ID",
            {.all_day = item.recurrence_id->all_day, .zone = item.recurrence_id->zone},
            item.recurrence_id->at);
  }
  PutTime(lines, "DTSTART", terms, item.start);
  if (HasEnd(item)) {
    PutTime(lines, item.kind == ItemKind::kTodo ? "DUE" : "DTEND", terms, item.end);
  }
  if (!rule.empty()) {
    lines.Put("RRULE", rule);
  }
  PutTimes(lines, "RDATE", terms, item.additions);
  PutTimes(lines, "EXDATE", terms, item.exceptions);
}

void PutState(Lines& lines, const Item& item) {
  const bool todo = item.kind == ItemKind::kTodo;
  const bool completed = todo && item.completed;
  if (item.cancelled) {
    lines.Put("STATUS", "CANCELLED");
  } else if (todo) {
    lines.Put("STATUS", completed ? "COMPLETED" : "NEEDS-ACTION");
  }
  if (completed) {
    lines.PutInstant("COMPLETED", item.completed_at);
    lines.Put("PERCENT-COMPLETE", "100");
  }
  if (!todo && item.transparent) {
    lines.Put("TRANSP", "TRANSPARENT");
  }
}

void PutPeople(Lines& lines, const Item& item) {
  if (!item.url.empty()) {
    lines.Put("URL", item.url);
  }
  if (item.organizer) {
    lines.PutLine(RenderOrganizer(*item.organizer));
  }
  for (const Attendee& attendee : item.attendees) {
    lines.PutLine(RenderAttendee(attendee));
  }
}

void PutAlarms(Lines& lines, const Item& item) {
  if (!item.start && !item.end) {
    return;
  }
  for (const std::chrono::minutes before : item.reminders) {
    lines.Put("BEGIN", "VALARM");
    lines.Put("ACTION", "DISPLAY");
    lines.Put(item.start ? "TRIGGER" : "TRIGGER;RELATED=END", RenderMinutes(-before));
    // Must be there, and must say something.
    lines.PutText("DESCRIPTION", item.summary.empty() ? "Reminder" : item.summary);
    lines.Put("END", "VALARM");
  }
}

/// `rule` is that of the item as files have it.
std::string RenderItem(const Item& item, std::string_view rule, Instant written_at) {
  const std::string_view component = item.kind == ItemKind::kTodo ? "VTODO" : "VEVENT";
  Lines lines;
  lines.Put("BEGIN", component);
  lines.PutText("UID", item.uid);
  lines.PutInstant("DTSTAMP", written_at);
  lines.PutInstant("CREATED", item.created);
  lines.PutInstant("LAST-MODIFIED", item.last_modified);
  if (item.sequence > 0) {
    lines.Put("SEQUENCE", fmt::format("{}", item.sequence));
  }
  PutWhen(lines, item, rule);
  lines.PutText("SUMMARY", item.summary);
  lines.PutText("LOCATION", item.location);
  lines.PutText("DESCRIPTION", item.description);
  PutPeople(lines, item);
  PutState(lines, item);
  lines.PutColor(item.color);
  PutAlarms(lines, item);
  lines.Put("END", component);
  return std::move(lines).Take();
}

/// The empty name is no zone.
Result<std::optional<almanac::Zone>> FindZone(const std::string& name) {
  if (name.empty()) {
    return std::nullopt;
  }
  return almanac::Zone::Find(name);
}

}  // namespace

std::string Writer::Begin(const CalendarHead& head) const {
  Lines lines;
  lines.Put("BEGIN", "VCALENDAR");
  lines.Put("VERSION", "2.0");
  lines.Put("PRODID", "-//Atrium//Atrium//EN");
  lines.Put("CALSCALE", "GREGORIAN");
  lines.PutText("NAME", head.name);
  lines.PutText("X-WR-CALNAME", head.name);
  lines.PutText("DESCRIPTION", head.description);
  lines.PutText("X-WR-CALDESC", head.description);
  lines.PutColor(head.color);
  if (head.refresh_interval) {
    const std::string interval = RenderMinutes(*head.refresh_interval);
    lines.Put("REFRESH-INTERVAL;VALUE=DURATION", interval);
    lines.Put("X-PUBLISHED-TTL", interval);
  }
  return std::move(lines).Take();
}

Result<std::string> Writer::Add(const Item& item) {
  std::optional<almanac::Zone> zone;
  std::optional<almanac::Zone> zone_of_series;
  // All that may fail comes before anything is written.
  if (!item.all_day) {
    ASSIGN_OR_RETURN(zone, FindZone(item.zone));
  }
  if (item.recurrence_id && !item.recurrence_id->all_day) {
    ASSIGN_OR_RETURN(zone_of_series, FindZone(item.recurrence_id->zone));
  }
  std::string rule;
  if (!item.rule.empty()) {
    ASSIGN_OR_RETURN(rule,
                     almanac::RuleForExport(item.rule, {.all_day = item.all_day, .zone = zone}));
  }
  return Introduce(zone) + Introduce(zone_of_series) + RenderItem(item, rule, written_at_);
}

std::string Writer::End() const {
  return "END:VCALENDAR\r\n";
}

std::string Writer::Introduce(const std::optional<almanac::Zone>& zone) {
  // UTC needs no VTIMEZONE: its times end with Z.
  if (!zone || zone->Name() == kUtc || !introduced_.insert(zone->Name()).second) {
    return {};
  }
  return RenderZone(*zone);
}

}  // namespace atrium::icalendar

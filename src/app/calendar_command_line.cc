// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <utility>

#include "app/calendar_actions.h"
#include "app/command_interface.h"
#include "app/command_line.h"

namespace atrium::app {
namespace {

constexpr std::size_t kSeedMax = 1000;

/// A command about somebody's calendars, while its words are being read.
struct Question : ApiOperation<CalendarCommand> {
  Question(CLI::App& parent, std::string name, std::string description)
      : ApiOperation(parent, std::move(name), std::move(description)) {
    command
        ->add_option("--user", chosen->user,
                     "Whose calendars, by e-mail address or id; a token says it by itself")
        ->type_name("PERSON")
        ->excludes("--server");
  }

  void InCalendar(std::string& place) const { Takes("--calendar", place, "Id of the calendar"); }

  void About(EntryPlace& place) const {
    Takes("id", place.id, "Id of the entry");
    May("--occurrence", place.occurrence, "One of a series, such as 2026-03-01T09:00");
  }
};

void AddCalendarMembers(Interface& interface, CLI::App& calendar) {
  Question invite(calendar, "invite", "Invite somebody to a calendar");
  CalendarInvite& invited = invite.As(CalendarInvite{});
  invite.Takes("email", invited.body.email, "Whom: an e-mail address");
  invite.InCalendar(invited.calendar);
  invite.command->add_option("--role", invited.body.role, "What they may do: reader unless said")
      ->type_name("ROLE")
      ->check(CLI::IsMember({"reader", "writer", "owner"}));
  invite.ChosenIn(interface);

  Question accept(calendar, "accept", "Accept the invitation to a calendar");
  accept.InCalendar(accept.As(CalendarAccept{}).calendar);
  accept.ChosenIn(interface);
}

void AddCalendarContent(Interface& interface, CLI::App& calendar) {
  Question seed(calendar, "seed", "Fill a calendar with entries to look at");
  CalendarSeed& seeded = seed.As(CalendarSeed{});
  seed.InCalendar(seeded.calendar);
  seed.May("--highlighted-day", seeded.highlighted_day,
           "Around which day, such as 2026-03-01; today unless said");
  seed.command->add_option("--count", seeded.count, "About how many; 15 unless said")
      ->type_name("COUNT")
      ->check(CLI::Range(std::size_t{1}, kSeedMax));
  seed.ChosenIn(interface);

  Question import(calendar, "import", "Add the entries of an iCalendar file");
  CalendarImport& imported = import.As(CalendarImport{});
  import.Takes("file", imported.file, "File to read; - is standard input");
  import.InCalendar(imported.calendar);
  import.ChosenIn(interface);

  Question exports(calendar, "export", "Write all entries as an iCalendar file");
  CalendarExport& exported = exports.As(CalendarExport{});
  exports.InCalendar(exported.calendar);
  exports.command->add_option("file", exported.file, "File to make, instead of standard output")
      ->type_name("FILE");
  exports.ChosenIn(interface);
}

void AddCalendar(Interface& interface) {
  CLI::App* calendar = interface.root.add_subcommand("calendar", "Look after calendars");
  Question list(*calendar, "list", "List somebody's calendars");
  list.As(CalendarList{});
  list.ChosenIn(interface);

  Question create(*calendar, "create", "Make a calendar");
  CalendarCreate& created = create.As(CalendarCreate{});
  create.Takes("name", created.body.name, "What it is called");
  create.May("--color", created.body.color, "Such as #3B82F6");
  create.May("--description", created.body.description, "What it is for");
  create.ChosenIn(interface);

  AddCalendarMembers(interface, *calendar);
  AddCalendarContent(interface, *calendar);
}

void AddEntryAdd(Interface& interface, CLI::App& entry) {
  Question add(entry, "add", "Make an entry");
  EntryBody& body = add.As(EntryAdd{}).body;
  add.command->add_option("title", body.title, "What takes place")->required()->type_name("TITLE");
  add.command->add_option("--calendar", body.calendar_id, "Id of the calendar")
      ->required()
      ->type_name("ID");
  add.command->add_option("--date", body.start_date, "The first day, such as 2026-03-01")
      ->required()
      ->type_name("DATE");
  add.command
      ->add_option("--kind", body.kind,
                   "all-day, timed, multi-day or task; unless said, what the other words amount to")
      ->type_name("KIND")
      ->check(CLI::IsMember({"all-day", "timed", "multi-day", "task"}));
  add.May("--end-date", body.end_date, "The last day");
  add.May("--start-time", body.start_time, "Such as 09:00");
  add.May("--end-time", body.end_time, "Such as 10:30");
  add.May("--time-zone", body.time_zone, "Such as Europe/Berlin; one's own unless said");
  add.May("--location", body.location, "Where");
  add.May("--description", body.description, "More about it");
  add.May("--color", body.color, "Such as #3B82F6, instead of that of the calendar");
  add.command
      ->add_option_function<std::string>(
          "--rule",
          [&body](const std::string& rule) { body.recurrence = RecurrenceBody{.rule = rule}; },
          "How it comes again, such as FREQ=WEEKLY;BYDAY=MO")
      ->type_name("RULE");
  add.ChosenIn(interface);
}

void AddEntry(Interface& interface) {
  CLI::App* entry = interface.root.add_subcommand("entry", "Look after the entries of calendars");
  Question list(*entry, "list", "List what takes place on some days");
  EntryList& asked = list.As(EntryList{});
  list.May("--calendar", asked.calendar, "Ids of calendars, with commas between; all unless said");
  list.May("--from", asked.from, "The first day, such as 2026-03-01; today unless said");
  list.May("--to", asked.to, "The last day; 30 days later unless said");
  list.May("--time-zone", asked.time_zone, "In which the days are meant");
  list.ChosenIn(interface);

  AddEntryAdd(interface, *entry);

  Question done(*entry, "done", "Mark a task as done");
  done.About(done.As(EntryDone{}).place);
  done.ChosenIn(interface);

  Question remove(*entry, "remove", "Put an entry into the trash");
  EntryRemove& removed = remove.As(EntryRemove{});
  remove.About(removed.place);
  remove.command
      ->add_option("--scope", removed.scope, "Of a series: this one, this and following ones, all")
      ->type_name("SCOPE")
      ->check(CLI::IsMember({"this", "following", "all"}));
  remove.ChosenIn(interface);
}

void AddEvents(Interface& interface) {
  CLI::App* events = interface.root.add_subcommand("events", "Follow what changes");
  Question watch(*events, "watch", "Print what changes in calendars, until it is interrupted");
  EventsWatch& watched = watch.As(EventsWatch{});
  watch.May("--calendar", watched.calendar, "Id of one calendar, instead of all");
  watch.May("--last-event-id", watched.last_event_id, "Go on behind this event");
  watch.ChosenIn(interface);
}

}  // namespace

void AddCalendarCommands(Interface& interface) {
  AddCalendar(interface);
  AddEntry(interface);
  AddEvents(interface);
}

}  // namespace atrium::app

# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Files as other programs write them: the zones that they define, the people and addresses that they name."""

import time

import icalendar
import pytest
from calendar_client import MONDAY, CalendarClient, done, path_of, refused, verified
from identity_client import start_house
from test_calendar_feeds import OtherServer, make_feed, poll
from test_calendar_ical import bring_in, calendar_file, counts, event, lines, take_out

JULY = ("2026-07-01", "2026-07-31")


def zone(tzid: str, standard: str, daylight: str, *more: str) -> str:
    """A VTIMEZONE with the rules of Europe, as Exchange writes it."""
    return lines(
        "BEGIN:VTIMEZONE", f"TZID:{tzid}", *more,
        "BEGIN:STANDARD", "DTSTART:16010101T030000", f"TZOFFSETFROM:{daylight}", f"TZOFFSETTO:{standard}",
        "RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10", "END:STANDARD",
        "BEGIN:DAYLIGHT", "DTSTART:16010101T020000", f"TZOFFSETFROM:{standard}", f"TZOFFSETTO:{daylight}",
        "RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3", "END:DAYLIGHT", "END:VTIMEZONE")


def zoned(tzid: str, *more: str, uid: str = "z@x", at: str = "20260706T090000", summary: str = "Zoned") -> str:
    return lines("BEGIN:VEVENT", f"UID:{uid}", f"DTSTART;TZID={tzid}:{at}", "DURATION:PT1H", f"SUMMARY:{summary}", *more,
                 "END:VEVENT")


def taken(report: dict) -> list[tuple[str, str]]:
    return [(one["tzid"], one["zone"]) for one in report["zones"]]


@pytest.fixture
def house(make_server):
    return start_house(make_server, {"egress": {"allowed_networks": ["127.0.0.0/8"]}})


@pytest.fixture
def ann(house):
    return CalendarClient(house, house.make_user("ann@example.org"))


@pytest.fixture
def work(ann):
    return ann.make_calendar()


@pytest.fixture
def other():
    server = OtherServer()
    yield server
    server.close()


class TestZones:
    @pytest.mark.parametrize("tzid, meant", [
        ("Europe/Berlin", "Europe/Berlin"),
        ("europe/berlin", "Europe/Berlin"),
        ("/mozilla.org/20050126_1/Europe/Berlin", "Europe/Berlin"),
        ("/freeassociation.sourceforge.net/Europe/Berlin", "Europe/Berlin"),
        ("W. Europe Standard Time", "Europe/Berlin"),
        ('"(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna"', "Europe/Berlin"),
        ('"(UTC-05:00) Eastern Time (US & Canada)"', "America/New_York"),
        ("tzone://Microsoft/Utc", "UTC"),
    ])
    def test_names_are_understood_without_a_definition(self, ann, work, tzid, meant):
        quoted = tzid if tzid.startswith('"') else f'"{tzid}"'
        report = done(bring_in(ann, work, calendar_file(zoned(quoted))))
        assert counts(report) == (1, 0, 0, 0)
        (entry,) = ann.listed(work, *JULY)
        assert (entry["startTime"], entry["timeZone"]) == ("09:00", meant)
        assert taken(report) == ([] if tzid == meant else [(tzid.strip('"'), meant)])

    def test_a_zone_that_the_file_defines_is_found_by_its_rules(self, ann, work):
        """Exchange calls what people have set by hand "Customized Time Zone"."""
        report = done(bring_in(ann, work, calendar_file(
            zone("Customized Time Zone", "+0100", "+0200"), zoned("Customized Time Zone", "RRULE:FREQ=WEEKLY"))))
        assert counts(report) == (1, 0, 0, 0)
        assert report["zones"] == [{"tzid": "Customized Time Zone", "zone": "Europe/Berlin",
                                    "note": "found by the rules that the file gives"}]
        (entry, *_) = ann.listed(work, *JULY)
        assert (entry["startTime"], entry["timeZone"]) == ("09:00", "Europe/Berlin")

    def test_of_several_zones_that_of_the_person_is_taken(self, ann, work):
        done(ann.patch("/api/me", {"time_zone": "Europe/Vienna"}))
        report = done(bring_in(ann, work, calendar_file(zone("Here", "+0100", "+0200"), zoned("Here"))))
        assert taken(report) == [("Here", "Europe/Vienna")]

    def test_what_no_zone_has_becomes_the_exact_moment(self, ann, work):
        odd = zone("Odd", "+0115", "+0215")
        report = done(bring_in(ann, work, calendar_file(odd, zoned("Odd"))))
        assert counts(report) == (1, 0, 0, 0)
        (entry,) = ann.listed(work, *JULY)
        assert (entry["startTime"], entry["endTime"], entry["timeZone"]) == ("06:45", "07:45", "UTC")
        assert "no zone has the rules" in report["zones"][0]["note"]

    def test_a_series_that_no_zone_has_is_told(self, ann, work):
        report = done(bring_in(ann, work, calendar_file(zone("Odd", "+0115", "+0215"),
                                                        zoned("Odd", "RRULE:FREQ=DAILY;COUNT=3"))))
        assert counts(report) == (1, 0, 0, 0)
        closest = report["zones"][0]["zone"]
        (entry, *_) = ann.listed(work, *JULY)
        assert (entry["startTime"], entry["timeZone"]) == ("09:00", closest)
        assert [note for note in report["notes"] if closest in note and "times may be wrong" in note]

    def test_other_rules_for_a_known_name_are_told(self, ann, work):
        report = done(bring_in(ann, work, calendar_file(zone("Europe/London", "+0100", "+0200"), zoned("Europe/London"))))
        assert report["zones"] == [{"tzid": "Europe/London", "zone": "Europe/London",
                                    "note": "the file gives other rules for 2026: those of the zone count"}]

    def test_a_name_without_meaning_or_definition_is_refused(self, ann, work):
        report = done(bring_in(ann, work, calendar_file(zoned("Middle Earth"))))
        assert counts(report) == (0, 0, 0, 1)
        assert 'the time zone "Middle Earth" is not known' in report["refused"][0]["reason"]

    def test_times_without_a_zone_follow_the_calendar_where_no_zone_is_named(self, ann, work):
        head = lines("X-WR-TIMEZONE:Europe/Berlin")
        report = done(bring_in(ann, work, calendar_file(event("a@x", start="20260706T090000"), head=head)))
        (entry,) = ann.listed(work, *JULY)
        assert entry["timeZone"] == "Europe/Berlin"
        assert report["zones"] == [{"tzid": "", "zone": "Europe/Berlin",
                                    "note": "for times without a zone, by X-WR-TIMEZONE"}]
        done(bring_in(ann, work, calendar_file(event("a@x", start="20260706T090000"), zoned("Asia/Tokyo"), head=head)))
        assert "timeZone" not in next(one for one in ann.listed(work, *JULY) if one["uid"] == "a@x")

    @pytest.mark.parametrize("rule", ["RRULE:FREQ=DAILY;BYHOUR=1,2,3,4,5", "RRULE:FREQ=SECONDLY", "RDATE:99999999T000000"])
    def test_hostile_definitions_are_bounded(self, ann, work, rule):
        observance = lines("BEGIN:STANDARD", "DTSTART:19000101T000000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0217", rule,
                           "END:STANDARD")
        bad = "".join(lines("BEGIN:VTIMEZONE", f"TZID:Bad{i}") + observance * 300 + lines("END:VTIMEZONE")
                      for i in range(50))
        items = "".join(zoned(f"Bad{i}", "RRULE:FREQ=DAILY;UNTIL=21000101T000000Z", uid=f"{i}@x", at="19000101T000000")
                        for i in range(50))
        started = time.monotonic()
        report = done(bring_in(ann, work, calendar_file(bad, items, event("good@x"))))
        assert time.monotonic() - started < 60
        assert report["refused_count"] >= 49 and report["added"] >= 1
        assert "VTIMEZONE" in report["refused"][0]["reason"]

    def test_feeds_of_others_are_read_the_same_way(self, house, ann, other):
        other.say(calendar_file(zone("Customized Time Zone", "+0100", "+0200"),
                                zoned("Customized Time Zone", "URL:https://example.org/agenda")))
        body = {"url": f"http://{other.address}/a.ics", "name": "Theirs", "color": "#112233"}
        theirs = done(ann.post("/api/subscriptions", body), 201)["id"]
        house.run_job("calendar.subscriptions")
        (entry,) = ann.listed(theirs, *JULY)
        assert (entry["timeZone"], entry["url"]) == ("Europe/Berlin", "https://example.org/agenda")


EXCHANGE = calendar_file(
    zone("W. Europe Standard Time", "+0100", "+0200"),
    lines("BEGIN:VEVENT", "ORGANIZER;CN=Ann Example:mailto:ann@example.org",
          "ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=TRUE;CN=\"Doe, Jo\":mailto:jo@example.org",
          "ATTENDEE;ROLE=NON-PARTICIPANT;CUTYPE=RESOURCE;PARTSTAT=ACCEPTED;CN=Room 4:mailto:room4@example.org",
          "SUMMARY;LANGUAGE=en-US:Exchange", "DTSTART;TZID=W. Europe Standard Time:20260706T090000",
          "DTEND;TZID=W. Europe Standard Time:20260706T100000", "UID:040000008200E00074C5B7101A82E008",
          "CLASS:PUBLIC", "X-MICROSOFT-CDO-BUSYSTATUS:BUSY", "END:VEVENT"))
GOOGLE = calendar_file(
    lines("BEGIN:VEVENT", "DTSTART:20260707T070000Z", "DTEND:20260707T080000Z",
          "ORGANIZER;CN=Team:mailto:c_1@group.calendar.example.org", "UID:g@google.example.org",
          "ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=DECLINED;CN=ben@example.org;X-NUM-GUESTS=0:"
          "mailto:ben@example.org", "SUMMARY:Google", "URL:https://meet.example.org/abc-def", "END:VEVENT"),
    head=lines("X-WR-TIMEZONE:Europe/Berlin"))
APPLE = calendar_file(
    lines("BEGIN:VEVENT", "DTSTART;TZID=Europe/Berlin:20260708T090000", "DTEND;TZID=Europe/Berlin:20260708T100000",
          "UID:A1-B2", "ORGANIZER;CN=\"Ann\";EMAIL=ann@example.org:/aMTIzNDU/principal/",
          "ATTENDEE;CN=Cleo;CUTYPE=INDIVIDUAL;EMAIL=cleo@example.org;PARTSTAT=TENTATIVE:/aOTg3/principal/",
          "URL;VALUE=URI:https://example.org/apple", "SUMMARY:Apple", "END:VEVENT"))
THUNDERBIRD = calendar_file(
    lines("BEGIN:VEVENT", "DTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:20260709T090000",
          "DTEND;TZID=/mozilla.org/20050126_1/Europe/Berlin:20260709T100000", "UID:t-1",
          "ATTENDEE;RSVP=FALSE;PARTSTAT=ACCEPTED;ROLE=CHAIR:MAILTO:dan@example.org", "SUMMARY:Thunderbird", "END:VEVENT"))


class TestPeople:
    def bring_all(self, ann, work) -> dict[str, dict]:
        for text in (EXCHANGE, GOOGLE, APPLE, THUNDERBIRD):
            assert counts(done(bring_in(ann, work, text))) == (1, 0, 0, 0)
        return {one["title"]: one for one in ann.listed(work, *JULY)}

    def test_they_are_kept_as_each_program_writes_them(self, house, ann, work):
        found = self.bring_all(ann, work)
        assert found["Exchange"]["organizer"] == {"address": "ann@example.org", "name": "Ann Example"}
        assert found["Exchange"]["attendees"] == [
            {"address": "jo@example.org", "name": "Doe, Jo", "status": "needs-action", "role": "req-participant",
             "rsvp": True},
            {"address": "room4@example.org", "name": "Room 4", "status": "accepted", "role": "non-participant",
             "kind": "resource"}]
        assert found["Exchange"]["timeZone"] == "Europe/Berlin"
        assert found["Google"]["url"] == "https://meet.example.org/abc-def"
        assert [one["status"] for one in found["Google"]["attendees"]] == ["declined"]
        assert (found["Apple"]["organizer"]["address"], found["Apple"]["url"]) == \
            ("ann@example.org", "https://example.org/apple")
        assert found["Apple"]["attendees"][0] == {"address": "cleo@example.org", "name": "Cleo", "status": "tentative",
                                                  "kind": "individual"}
        assert found["Thunderbird"]["attendees"] == [{"address": "dan@example.org", "status": "accepted", "role": "chair",
                                                      "rsvp": False}]
        verified(house)

    def test_they_are_taken_out_again_and_brought_in_elsewhere(self, ann, work):
        found = self.bring_all(ann, work)
        exported = take_out(ann, work)
        there = ann.make_calendar("There")
        assert counts(done(bring_in(ann, there, exported))) == (4, 0, 0, 0)
        for one in ann.listed(there, *JULY):
            for name in ("url", "organizer", "attendees"):
                assert one.get(name) == found[one["title"]].get(name)
        assert counts(done(bring_in(ann, there, exported))) == (0, 0, 4, 0)
        read = {str(one["SUMMARY"]): one for one in icalendar.Calendar.from_ical(exported).walk("VEVENT")}
        jo, room = read["Exchange"]["ATTENDEE"]
        assert (str(jo), jo.params["CN"], jo.params["RSVP"]) == ("mailto:jo@example.org", "Doe, Jo", "TRUE")
        assert (str(room), room.params["CUTYPE"]) == ("mailto:room4@example.org", "RESOURCE")
        assert str(read["Google"]["URL"]) == "https://meet.example.org/abc-def"

    def test_a_feed_names_nobody(self, house, ann, work):
        self.bring_all(ann, work)
        full = poll(house, make_feed(ann, work)).text
        assert "https://meet.example.org/abc-def" in full
        busy = poll(house, make_feed(ann, work, detail="busy")).text
        for text, words in ((full, ("@example.org", "ATTENDEE", "ORGANIZER", "Doe")),
                            (busy, ("@example.org", "ATTENDEE", "ORGANIZER", "URL", "meet"))):
            for word in words:
                assert word not in text

    def test_single_occurrences_have_their_own(self, ann, work):
        series = zoned("Europe/Berlin", "RRULE:FREQ=DAILY;COUNT=3", "URL:https://example.org/a",
                       "ATTENDEE;PARTSTAT=ACCEPTED:mailto:ben@example.org")
        second = zoned("Europe/Berlin", "RECURRENCE-ID;TZID=Europe/Berlin:20260707T090000", "URL:https://example.org/b",
                       "ATTENDEE;PARTSTAT=DECLINED:mailto:ben@example.org", at="20260707T090000")
        third = zoned("Europe/Berlin", "RECURRENCE-ID;TZID=Europe/Berlin:20260708T090000", at="20260708T090000")
        text = calendar_file(series, second, third)
        assert counts(done(bring_in(ann, work, text))) == (1, 0, 0, 0)
        told = [(one.get("url"), [who["status"] for who in one.get("attendees", [])]) for one in ann.listed(work, *JULY)]
        assert told == [("https://example.org/a", ["accepted"]), ("https://example.org/b", ["declined"]), (None, [])]
        assert counts(done(bring_in(ann, work, text))) == (0, 0, 1, 0)
        assert counts(done(bring_in(ann, work, take_out(ann, work)))) == (0, 0, 1, 0)
        entry = ann.listed(work, *JULY)[1]
        done(ann.put(f"{path_of(entry)}?occurrence=2026-07-07T09:00&scope=this", {"title": "Other"}))
        after = ann.listed(work, *JULY)[1]
        assert (after["title"], after["url"], after["attendees"]) == ("Other", entry["url"], entry["attendees"])

    def test_changes_of_other_fields_and_undoing_them_keep_people(self, ann, work):
        done(bring_in(ann, work, EXCHANGE))
        (entry,) = ann.listed(work, *JULY)
        changed = done(ann.put(path_of(entry), {"title": "Another", "attendees": [], "organizer": None}))
        assert (changed["title"], changed["attendees"]) == ("Another", entry["attendees"])
        assert changed["organizer"] == entry["organizer"]
        done(bring_in(ann, work, EXCHANGE.replace("PARTSTAT=NEEDS-ACTION", "PARTSTAT=ACCEPTED")))
        assert ann.entry(entry)["attendees"][0]["status"] == "accepted"
        assert done(ann.post(path_of(entry) + "/undo"))["attendees"][0]["status"] == "needs-action"

    def test_too_many_are_cut_and_that_is_told(self, ann, work):
        crowd = [f"ATTENDEE:mailto:p{i}@example.org" for i in range(250)]
        report = done(bring_in(ann, work, calendar_file(zoned("Europe/Berlin", *crowd))))
        assert counts(report) == (1, 0, 0, 0)
        (entry,) = ann.listed(work, *JULY)
        assert len(entry["attendees"]) == 200
        assert [note for note in report["notes"] if note.endswith("ATTENDEE not kept beyond the first 200 of 250")]

    def test_people_never_cost_the_entry(self, ann, work):
        crowd = [f"ATTENDEE;CN={'n' * 100}:mailto:p{i}@example.org" for i in range(150)]
        text = calendar_file(zoned("Europe/Berlin", "DESCRIPTION:" + "\\n" * 16_000, *crowd))
        report = done(bring_in(ann, work, text))
        assert counts(report) == (1, 0, 0, 0)
        assert [note for note in report["notes"] if "ATTENDEE not kept" in note]


class TestAddresses:
    @pytest.mark.parametrize("url", ["javascript:alert(1)", "file:///etc/passwd", "https://", "//example.org", "example.org",
                                     "https://example.org/" + "x" * 2000])
    def test_what_no_page_may_lead_to_is_not_kept(self, ann, work, url):
        report = done(bring_in(ann, work, calendar_file(event("a@x", f"URL:{url}"))))
        assert counts(report) == (1, 0, 0, 0)
        assert "url" not in ann.listed(work, MONDAY, MONDAY)[0]
        assert [note for note in report["notes"] if "URL not kept" in note]
        refused(ann.post("/api/entries", {"calendarId": work, "kind": "all-day", "title": "x", "startDate": MONDAY,
                                          "url": url}), 400, "url: must be an http or https address")

    def test_clients_may_set_change_and_clear_one(self, ann, work):
        made = ann.make_entry(work, url="https://example.org/a?b=c#d")
        assert made["url"] == "https://example.org/a?b=c#d"
        assert done(ann.put(path_of(made), {"url": "http://example.org/é"}))["url"] == "http://example.org/é"
        assert "url" not in done(ann.put(path_of(made), {"url": ""}))
        form = {"calendar_id": work, "title": "Form", "start_date": MONDAY, "entry_type": "all_day",
                "url": "https://example.org/"}
        assert done(ann.call("POST", "/api/entries", form=form), 201)["url"] == "https://example.org/"

    def test_people_are_not_the_clients_to_say(self, ann, work):
        made = ann.make_entry(work, attendees=[{"address": "ben@example.org"}], organizer={"address": "ann@example.org"})
        assert "attendees" not in made and "organizer" not in made

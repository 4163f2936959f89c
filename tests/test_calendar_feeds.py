# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Calendars under secret addresses, and calendars that follow the feeds of other servers."""

import http.server
import socket
import threading
import time
import urllib.parse

import icalendar
import pytest
from calendar_client import MONDAY, CalendarClient, done, path_of, refused, verified
from identity_client import start_house
from running_server import eventually

MIB = 1 << 20
LOOPBACK = {"egress": {"allowed_networks": ["127.0.0.0/8"]}}


class OtherServer:
    """Answers every request with what a test put there, and remembers what it was asked."""

    def __init__(self):
        self.status, self.headers, self.body = 200, {}, b""
        self.asked: list[dict[str, str]] = []
        other = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                other.asked.append({name.lower(): value for name, value in self.headers.items()})
                tag = other.headers.get("ETag")
                known = tag is not None and self.headers.get("If-None-Match") == tag
                body = b"" if known else other.body
                self.send_response(304 if known else other.status)
                for name, value in other.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        # Otherwise nobody waits for the threads that answer, nor closes their sockets.
        self._server.daemon_threads = False
        self.address = f"127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever)
        self._thread.start()

    def say(self, text: str, status: int = 200, **headers: str) -> None:
        self.status, self.body = status, text.encode()
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}

    def close(self) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class DrippingServer:
    """Says a byte of its feed now and then, and never comes to an end."""

    def __init__(self):
        self._listener = socket.create_server(("0.0.0.0", 0))
        self.port = self._listener.getsockname()[1]
        self._over = threading.Event()
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()
        self._open = 0
        self.asked = 0

    @property
    def dripping(self) -> int:
        """How many are being kept waiting."""
        return self._open

    def url(self, number: int) -> str:
        """Another host each time, as far as anybody can tell."""
        return f"http://127.0.0.{number + 2}:{self.port}/feed.ics"

    def _accept(self) -> None:
        while not self._over.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.asked += 1
            self._threads.append(threading.Thread(target=self._drip, args=(connection,)))
            self._threads[-1].start()

    def _drip(self, connection: socket.socket) -> None:
        self._open += 1
        try:
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/calendar\r\nContent-Length: 1000000\r\n\r\n")
            while not self._over.wait(0.1):
                connection.sendall(b"B")
        except OSError:
            pass
        finally:
            self._open -= 1
            connection.close()

    def close(self) -> None:
        if self._over.is_set():
            return
        self._over.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join()


@pytest.fixture
def dripping():
    server = DrippingServer()
    yield server
    server.close()


class PausingServer:
    """Sends most of a feed, and the end of it when a test says so."""

    BYTES = 4 * MIB

    def __init__(self):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self._may_end = threading.Event()
        self._thread = threading.Thread(target=self._answer)
        self._thread.start()

    def _answer(self) -> None:
        head, tail = b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", b"END:VCALENDAR\r\n"
        most = head + b"X-PADDING:x\r\n" * (self.BYTES // 13 + 1)
        try:
            connection, _ = self._listener.accept()
        except OSError:
            return
        with connection:
            connection.recv(65536)
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (len(most) + len(tail)) + most)
            self._may_end.wait(30)
            connection.sendall(tail)

    def go_on(self) -> None:
        self._may_end.set()

    def close(self) -> None:
        self.go_on()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()


@pytest.fixture
def pausing():
    server = PausingServer()
    yield server
    server.close()


def calendar_file(*uids: str, broken: str = "") -> str:
    items = "".join(f"BEGIN:VEVENT\r\nUID:{uid}\r\nDTSTART;VALUE=DATE:20260202\r\nSUMMARY:{uid}\r\nEND:VEVENT\r\n"
                    for uid in uids)
    return f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{items}{broken}END:VCALENDAR\r\n"


@pytest.fixture
def other():
    server = OtherServer()
    yield server
    server.close()


@pytest.fixture
def house(make_server):
    return start_house(make_server, LOOPBACK)


@pytest.fixture
def ann(house):
    return CalendarClient(house, house.make_user("ann@example.org"))


@pytest.fixture
def work(ann):
    return ann.make_calendar()


def make_feed(client: CalendarClient, calendar: str, **body: str) -> dict:
    return done(client.post(f"/api/calendars/{calendar}/feeds", {"name": "Phone"} | body), 201)


def poll(house, feed: dict, **headers: str):
    path = urllib.parse.urlsplit(feed["url"]).path
    return house.server.get(path, {name.replace("_", "-"): value for name, value in headers.items()})


class TestFeeds:
    def test_who_knows_the_address_reads_the_calendar(self, house, ann, work):
        ann.make_entry(work, title="Dentist", location="Main Street")
        feed = make_feed(ann, work)
        assert feed["url"].endswith(".ics") and "hash" not in feed
        answer = poll(house, feed)
        assert (answer.status, answer.header("content-type")) == (200, "text/calendar; charset=utf-8")
        assert [str(one["SUMMARY"]) for one in icalendar.Calendar.from_ical(answer.text).walk("VEVENT")] == ["Dentist"]
        listed = done(ann.get(f"/api/calendars/{work}/feeds"))["feeds"]
        assert listed == [{name: value for name, value in feed.items() if name != "url"}]

    def test_busy_says_when_and_not_what(self, house, ann, work):
        ann.make_entry(work, title="Dentist", location="Main Street", description="Pain", color="#AABBCC", kind="timed",
                       startDate=MONDAY, startTime="09:00", endTime="10:00", timeZone="Europe/Berlin",
                       reminders=[{"minutesBefore": 10}])
        series = ann.make_entry(work, title="Therapy", kind="timed", startDate=MONDAY, startTime="12:00", endTime="13:00",
                                recurrence={"rule": "FREQ=DAILY;COUNT=3"})
        done(ann.put(path_of(series) + "?occurrence=2026-02-03T12:00&scope=this", {"title": "Surgery", "startTime": "14:00"}))
        ann.make_entry(work, title="Taxes", kind="task")
        ann.make_entry(work, title="Sunshine", transparent=True)
        text = poll(house, make_feed(ann, work, detail="busy")).text
        for word in ("Dentist", "Main", "Pain", "Therapy", "Surgery", "Taxes", "Sunshine", "COLOR", "VALARM", "Work"):
            assert word not in text
        events = icalendar.Calendar.from_ical(text).walk("VEVENT")
        assert [str(one["SUMMARY"]) for one in events] == ["Busy"] * 3
        assert sorted(one.decoded("DTSTART").strftime("%d %H:%M") for one in events) == \
            ["02 09:00", "02 12:00", "03 14:00"]

    def test_nothing_new_is_304(self, house, ann, work):
        ann.make_entry(work)
        feed = make_feed(ann, work)
        tag = poll(house, feed).header("etag")
        assert poll(house, feed, If_None_Match=tag).status == 304
        ann.make_entry(work)
        answer = poll(house, feed, If_None_Match=tag)
        assert answer.status == 200 and answer.header("etag") != tag

    def test_a_closed_address_is_gone(self, house, ann, work):
        feed, kept = make_feed(ann, work), make_feed(ann, work)
        tag = poll(house, feed).header("etag")
        done(ann.delete(f"/api/calendars/{work}/feeds/{feed['id']}"), 204)
        assert poll(house, feed).status == 404
        assert poll(house, feed, If_None_Match=tag).status == 404
        assert poll(house, kept).status == 200
        refused(ann.delete(f"/api/calendars/{work}/feeds/{feed['id']}"), 404)
        verified(house)

    def test_it_dies_with_its_calendar(self, house, ann, work):
        feed = make_feed(ann, work)
        tag = poll(house, feed).header("etag")
        done(ann.delete(f"/api/calendars/{work}"))
        assert poll(house, feed).status == 404
        assert poll(house, feed, If_None_Match=tag).status == 404
        done(ann.post(f"/api/calendars/{work}/restore"))
        assert poll(house, feed).status == 200

    def test_it_dies_when_its_maker_leaves(self, house, ann, work):
        bob = CalendarClient(house, house.make_user("bob@example.org"))
        ann.share(work, bob, "writer")
        feed = make_feed(bob, work)
        tag = poll(house, feed).header("etag")
        done(bob.delete(f"/api/calendars/{work}/members/me"), 204)
        assert poll(house, feed).status == 404
        assert poll(house, feed, If_None_Match=tag).status == 404

    def test_readers_make_none(self, house, ann, work):
        bob = CalendarClient(house, house.make_user("bob@example.org"))
        feeds = f"/api/calendars/{work}/feeds"
        refused(bob.get(feeds), 404)
        ann.share(work, bob, "reader")
        refused(bob.get(feeds), 403)
        refused(bob.post(feeds, {"name": "x"}), 403)
        refused(ann.post(feeds, {"name": ""}), 400, "name")
        refused(ann.post(feeds, {"name": "x", "detail": "some"}), 400, "detail")

    def test_the_log_does_not_show_the_secret(self, house, ann, work):
        feed = make_feed(ann, work)
        secret = urllib.parse.urlsplit(feed["url"]).path.split("/")[-1].removesuffix(".ics")
        assert len(secret) == 43
        poll(house, feed)
        for wrong in ("/feeds/x.ics", f"/feeds/{secret}", "/feeds/"):
            assert house.server.get(wrong).status == 404
        house.server.stop()
        assert secret not in house.server.stderr()


class TestSubscriptions:
    def subscribe(self, ann, other, **more) -> str:
        body = {"url": f"http://{other.address}/feed.ics?key=secret", "name": "Holidays", "color": "#00AA00"} | more
        calendar = done(ann.post("/api/subscriptions", body), 201)
        assert calendar["source"] == "feed"
        return calendar["id"]

    def state(self, client, calendar: str) -> dict:
        return done(client.get(f"/api/calendars/{calendar}/subscription"))

    def refresh(self, house, ann, calendar: str) -> dict:
        done(ann.post(f"/api/calendars/{calendar}/subscription/refresh"), 202)
        house.run_job("calendar.subscriptions")
        return self.state(ann, calendar)

    def test_the_calendar_follows(self, house, ann, other):
        other.say(calendar_file("New Year", "Easter"))
        calendar = self.subscribe(ann, other)
        house.run_job("calendar.subscriptions")
        assert sorted(ann.titles(calendar, MONDAY, MONDAY)) == ["Easter", "New Year"]
        entry = next(one for one in ann.listed(calendar, MONDAY, MONDAY) if one["title"] == "Easter")
        assert ann.history(entry)[0]["label"] == "feed"
        other.say(calendar_file("New Year", "Christmas"))
        state = self.refresh(house, ann, calendar)
        assert sorted(ann.titles(calendar, MONDAY, MONDAY)) == ["Christmas", "New Year"]
        assert (state["last_error"], state["failures"]) == ("", 0) and state["refreshed_at"] < state["next_at"]
        refused(ann.post("/api/entries", {"calendarId": calendar, "kind": "all-day", "title": "Mine",
                                          "startDate": MONDAY}), 403, "feed")
        verified(house)

    def test_what_is_known_is_not_sent_again(self, house, ann, other):
        other.say(calendar_file("A"), ETag='"one"', Last_Modified="Mon, 02 Feb 2026 00:00:00 GMT")
        calendar = self.subscribe(ann, other)
        house.run_job("calendar.subscriptions")
        self.refresh(house, ann, calendar)
        assert other.asked[-1]["if-none-match"] == '"one"'
        assert other.asked[-1]["if-modified-since"] == "Mon, 02 Feb 2026 00:00:00 GMT"
        assert ann.titles(calendar, MONDAY, MONDAY) == ["A"]
        assert self.state(ann, calendar)["last_error"] == ""

    def test_a_broken_feed_takes_nothing_away(self, house, ann, other):
        other.say(calendar_file("A", "B"))
        calendar = self.subscribe(ann, other)
        house.run_job("calendar.subscriptions")
        for text, status, words in (("<html>", 200, "not an iCalendar file"), ("", 500, "answered 500"),
                                    (calendar_file("A").removesuffix("END:VCALENDAR\r\n"), 200, "cut off")):
            other.say(text, status)
            state = self.refresh(house, ann, calendar)
            assert words in state["last_error"]
            assert sorted(ann.titles(calendar, MONDAY, MONDAY)) == ["A", "B"]
        assert state["failures"] == 3
        other.say(calendar_file("A", broken="BEGIN:VEVENT\r\nUID:B\r\nDTSTART:never\r\nEND:VEVENT\r\n"))
        assert self.refresh(house, ann, calendar)["failures"] == 0
        assert sorted(ann.titles(calendar, MONDAY, MONDAY)) == ["A", "B"]

    def test_what_arrives_of_it_counts_as_memory_of_bodies(self, house, ann, pausing):
        def held() -> float:
            return house.server.metrics().value("atrium_body_memory_bytes")

        calendar = self.subscribe(ann, pausing)
        job = threading.Thread(target=lambda: house.run_job("calendar.subscriptions"))
        job.start()
        try:
            eventually(lambda: held() >= PausingServer.BYTES, what="the feed counted")
        finally:
            pausing.go_on()
            job.join()
        assert self.state(ann, calendar)["last_error"] == ""
        assert held() == 0

    def test_one_that_is_too_long_is_given_up(self, house, ann, other):
        other.say("BEGIN:VCALENDAR\r\n" + "X-PADDING:x\r\n" * (17 * MIB // 13))
        calendar = self.subscribe(ann, other)
        house.run_job("calendar.subscriptions")
        assert self.state(ann, calendar)["last_error"] == "the feed is larger than 16 MiB"

    def test_private_addresses_are_refused(self, make_server, house, ann, other):
        other.say("", 302, Location="http://10.0.0.1/feed.ics")
        calendar = self.subscribe(ann, other)
        house.run_job("calendar.subscriptions")
        assert "not allowed" in self.state(ann, calendar)["last_error"]
        closed = start_house(make_server)
        bob = CalendarClient(closed, closed.make_user("bob@example.org"))
        before = len(other.asked)
        calendar = self.subscribe(bob, other)
        closed.run_job("calendar.subscriptions")
        assert "not allowed" in self.state(bob, calendar)["last_error"]
        assert len(other.asked) == before

    def test_what_cannot_be_is_refused(self, house, ann, other):
        good = {"url": f"http://{other.address}/", "name": "x"}
        for wrong, words in (({"url": "ftp://x/"}, "url"), ({"url": "http://a:b@x/"}, "url"), ({"url": "x"}, "url"),
                             ({"name": ""}, "name"), ({"every_minutes": 14}, "every_minutes"),
                             ({"every_minutes": 10081}, "every_minutes"), ({"color": "red"}, "color")):
            refused(ann.post("/api/subscriptions", good | wrong), 400, words)
        refused(ann.get(f"/api/calendars/{ann.make_calendar()}/subscription"), 404)

    def test_webcal_is_https(self, house, ann, other):
        calendar = self.subscribe(ann, other, url="webcal://example.org/feed.ics")
        assert self.state(ann, calendar)["url"] == "https://example.org/feed.ics"

    def test_owners_change_it_and_others_do_not_see_its_address(self, house, ann, other):
        other.say(calendar_file("A"))
        calendar = self.subscribe(ann, other)
        bob = CalendarClient(house, house.make_user("bob@example.org"))
        path = f"/api/calendars/{calendar}/subscription"
        refused(bob.get(path), 404)
        ann.share(calendar, bob, "reader")
        assert "url" not in self.state(bob, calendar) and "url" in self.state(ann, calendar)
        refused(bob.put(path, {"every_minutes": 30}), 403)
        refused(bob.post(path + "/refresh"), 403)
        changed = done(ann.put(path, {"every_minutes": 30, "url": f"http://{other.address}/other.ics"}))
        assert (changed["every_minutes"], changed["url"]) == (30, f"http://{other.address}/other.ics")

    def test_in_the_trash_it_rests(self, house, ann, other):
        other.say(calendar_file("A"))
        calendar = self.subscribe(ann, other)
        done(ann.delete(f"/api/calendars/{calendar}"))
        house.run_job("calendar.subscriptions")
        assert other.asked == []

    def test_slow_feeds_of_one_member_hold_up_nobody_else(self, house, ann, other, dripping):
        bob = CalendarClient(house, house.make_user("bob@example.org"))
        other.say(calendar_file("Easter"))
        # Bob's have been due for longer.
        for number in range(12):
            self.subscribe(bob, other, url=dripping.url(number))
        before = self.subscribe(ann, other)
        job = threading.Thread(target=house.run_job, args=("calendar.subscriptions",))
        job.start()
        eventually(lambda: ann.titles(before, MONDAY, MONDAY) == ["Easter"], what="Ann's feed")
        assert dripping.dripping > 0
        # What becomes due while Bob's are still being waited for is seen as well.
        later = self.subscribe(ann, other)
        eventually(lambda: ann.titles(later, MONDAY, MONDAY) == ["Easter"], what="Ann's later feed")
        assert 0 < dripping.dripping <= 2
        dripping.close()
        job.join()
        verified(house)

    def test_a_feed_that_drips_is_given_up_before_its_time_is_over(self, house, ann, other, dripping):
        calendar = self.subscribe(ann, other, url=dripping.url(0))
        began = time.monotonic()
        house.run_job("calendar.subscriptions")
        assert time.monotonic() - began < 25
        assert (dripping.asked, self.state(ann, calendar)["last_error"]) == (1, "the other server took too long")

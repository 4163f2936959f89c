# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""What the store promises, seen through HTTP by way of the smallest possible room: the notes of the laboratory."""

import concurrent.futures
import json

import pytest
from listening import Listener


def write(server, note: dict, **headers: str):
    return server.post("/lab/notes", json.dumps(note),
                       {"Content-Type": "application/json"} | {k.replace("_", "-"): v for k, v in headers.items()})


def rewrite(server, note: dict, **headers: str):
    return server.request("PUT", f"/lab/notes/{note['id']}", json.dumps(note),
                          {"Content-Type": "application/json"} | {k.replace("_", "-"): v for k, v in headers.items()})


def titles(server, folder: str) -> list[str]:
    return [note["title"] for note in server.get(f"/lab/folders/{folder}/notes").json()["notes"]]


def note(number: int | str, title: str = "A", folder: str = "f", **more) -> dict:
    return {"id": str(number), "folder": folder, "title": title} | more


def test_what_was_written_is_there_and_in_the_list(lab):
    answer = write(lab, note(1, slug="a"))
    assert answer.status == 201
    shown = lab.get("/lab/notes/1")
    assert shown.json() == note(1, slug="a")
    assert shown.header("etag") == answer.header("etag")
    assert lab.get("/lab/folders/f/notes").json() == {"notes": [note(1, slug="a")]}


def test_a_long_list_comes_in_pages(lab):
    for number in range(120):
        assert write(lab, note(f"{number:03}")).status == 201
    seen, after = [], ""
    while after is not None:
        page = lab.get(f"/lab/folders/f/notes?after={after}").json()
        seen += [entry["id"] for entry in page["notes"]]
        after = page.get("after")
    assert seen == [f"{number:03}" for number in range(120)]


def test_a_change_of_what_was_changed_meanwhile_is_refused(lab):
    first = write(lab, note(1))
    assert rewrite(lab, note(1, "B"), If_Match=first.header("etag")).status == 200
    assert rewrite(lab, note(1, "C"), If_Match=first.header("etag")).status == 412
    assert titles(lab, "f") == ["B"]


def test_two_notes_cannot_have_one_slug(lab):
    assert write(lab, note(1, slug="a")).status == 201
    assert write(lab, note(2, slug="a")).status == 412
    assert titles(lab, "f") == ["A"]


@pytest.mark.parametrize("ending", ["stop", "kill"])
def test_what_was_acknowledged_outlives_the_server(make_server, ending):
    lab = make_server(binary="atrium_lab")
    tags = [write(lab, note(number)).header("etag") for number in range(20)]
    getattr(lab, ending)()
    again = make_server(binary="atrium_lab", data=lab.data)
    assert [again.get(f"/lab/notes/{number}").header("etag") for number in range(20)] == tags


class TestNamedRequests:
    def test_the_same_request_takes_effect_once_and_is_answered_alike(self, lab):
        first = write(lab, note(1), Idempotency_Key="k")
        second = write(lab, note(1), Idempotency_Key="k")
        assert (second.status, second.body, second.header("etag")) == (201, first.body, first.header("etag"))
        assert first.header("idempotency-replayed") is None
        assert second.header("idempotency-replayed") == "true"

    def test_also_when_the_server_was_killed_in_between(self, make_server):
        lab = make_server(binary="atrium_lab")
        first = write(lab, note(1), Idempotency_Key="k")
        lab.kill()
        again = make_server(binary="atrium_lab", data=lab.data)
        second = write(again, note(1), Idempotency_Key="k")
        assert (second.status, second.body) == (201, first.body)

    def test_of_many_at_once_one_takes_effect_and_all_hear_the_same(self, lab):
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            answers = list(pool.map(lambda _: write(lab, note(1), Idempotency_Key="k"), range(64)))
        assert {(a.status, a.body, a.header("etag")) for a in answers} == {
            (201, answers[0].body, answers[0].header("etag"))}
        with Listener(lab, "Last-Event-ID: 0", path="/lab/folders/f/events") as listener:
            assert listener.next_event()["id"] == "1"
            assert write(lab, note(2)).status == 201
            assert listener.next_event()["id"] == "2"

    def test_the_same_name_for_another_request_is_refused(self, lab):
        write(lab, note(1), Idempotency_Key="k")
        answer = write(lab, note(2), Idempotency_Key="k")
        assert answer.status == 422
        assert answer.header("content-type") == "application/problem+json"
        assert titles(lab, "f") == ["A"]

    def test_a_replacement_and_an_erasure_are_repeated_too(self, lab):
        write(lab, note(1))
        for _ in range(2):
            assert rewrite(lab, note(1, "B"), Idempotency_Key="put").status == 200
        for _ in range(2):
            assert lab.request("DELETE", "/lab/notes/1", headers={"Idempotency-Key": "delete"}).status == 204
        assert lab.request("DELETE", "/lab/notes/1", headers={"Idempotency-Key": "other"}).status == 404

    @pytest.mark.parametrize("key", ["a b", "k" * 256, "caf\u00e9"])
    def test_a_name_that_is_none_is_refused(self, lab, key):
        assert write(lab, note(1), Idempotency_Key=key.encode("utf-8").decode("latin-1")).status == 400
        assert titles(lab, "f") == []


class TestChanges:
    def test_a_listener_hears_of_each_change_as_it_happens(self, lab):
        with Listener(lab, path="/lab/folders/f/events") as listener:
            write(lab, note(1))
            event = listener.next_event()
            assert (event["id"], event["event"]) == ("1", "change")
            assert json.loads(event["data"]) == {
                "change": "created", "collection": "lab_notes", "document": note(1)}
            write(lab, note(9, folder="elsewhere"))
            rewrite(lab, note(1, "B"))
            assert json.loads(listener.next_event()["data"])["change"] == "updated"

    def test_a_note_that_moves_leaves_one_folder_and_comes_to_another(self, lab):
        write(lab, note(1))
        with Listener(lab, path="/lab/folders/f/events") as old, Listener(lab, path="/lab/folders/g/events") as new:
            rewrite(lab, note(1, folder="g"))
            assert json.loads(old.next_event()["data"])["change"] == "erased"
            assert json.loads(new.next_event()["data"])["change"] == "updated"
        assert (titles(lab, "f"), titles(lab, "g")) == ([], ["A"])

    @pytest.mark.parametrize("ending", ["stop", "kill"])
    def test_nothing_is_missed_or_repeated_over_a_restart(self, make_server, ending):
        lab = make_server(binary="atrium_lab")
        for number in range(3):
            write(lab, note(number))
        getattr(lab, ending)()
        again = make_server(binary="atrium_lab", data=lab.data)
        write(again, note(3))
        with Listener(again, path="/lab/folders/f/events?last_event_id=1") as listener:
            assert [listener.next_event()["id"] for _ in range(3)] == ["2", "3", "4"]

    def test_who_knows_more_than_the_log_is_told_to_refresh(self, lab):
        write(lab, note(1))
        with Listener(lab, "Last-Event-ID: 50", path="/lab/folders/f/events") as listener:
            event = listener.next_event()
            assert (event["event"], event["id"]) == ("refresh_required", "1")

    def test_two_hundred_listeners_hear_the_same(self, lab):
        listeners = [Listener(lab, path="/lab/folders/f/events") for _ in range(200)]
        try:
            write(lab, note(1))
            assert {listener.next_event()["id"] for listener in listeners} == {"1"}
        finally:
            for listener in listeners:
                listener.connection.close()


def test_operations_of_the_store_are_measured(lab):
    write(lab, note(1))
    lab.get("/lab/notes/1")
    text = lab.get("/metrics").text
    assert 'atrium_store_operation_seconds_count{table="lab_notes",verb="commit"} 1' in text
    assert 'atrium_store_operation_seconds_count{table="lab_notes",verb="get"} 1' in text

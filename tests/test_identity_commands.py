# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""`atrium user`, `org`, `token`, `provider` and `audit`: on a data folder that nobody serves, through the server that
runs on it, and over the network with a token."""

import json
import re
import stat
import subprocess

import pytest
from identity_client import PASSWORD, ROOT, start_house
from programs import clean_environment, run

DONE, FAILED, MISUSED = 0, 1, 2
OTHER_PASSWORD = "a kettle full of moss"
NOBODY = "00000000-0000-4000-8000-000000000000"


def good(printed) -> str:
    assert printed.returncode == DONE, printed.stderr
    assert printed.stderr == ""
    return printed.stdout


def refused(printed, *words: str) -> None:
    """It failed, printed nothing that could be taken for an outcome, and said why."""
    assert (printed.returncode, printed.stdout) == (FAILED, ""), printed.stderr
    assert all(word in printed.stderr for word in words), printed.stderr


class Office:
    """Somebody who looks after a server by commands, through one of the three doors."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.data = folder / "data"
        self.where = ["--data", str(self.data)]
        self.write("password", PASSWORD + "\n")
        self.write("other", OTHER_PASSWORD)

    def write(self, name: str, text: str):
        path = self.folder / name
        path.write_text(text)
        return path

    def atrium(self, *words, env=None):
        return run(self.program, *words, *self.where, folder=self.folder, env=env)

    def json(self, *words):
        return json.loads(good(self.atrium(*words, "--json")))

    def make_root(self) -> dict:
        return self.json("user", "add", ROOT, "--superadmin", "--password-file", "password")

    def log_in(self, server, email: str, password: str) -> int:
        body = json.dumps({"email": email, "password": password})
        return server.post("/api/auth/login", body, {"Content-Type": "application/json"}).status


@pytest.fixture
def empty(build_folder, tmp_path):
    """Nobody has an account yet."""
    return Office(build_folder.resolve() / "atrium", tmp_path)


@pytest.fixture(params=["stopped", "socket", "network"])
def office(request, empty, make_server):
    """A server that is set up, and the door by which commands reach it."""
    empty.make_root()
    if request.param == "network":
        token = good(empty.atrium("token", "add", ROOT, "--name", "commands", "--scope", "*"))
        empty.write("token", token)
    if request.param != "stopped":
        server = make_server(data=empty.data)
    if request.param == "network":
        empty.where = ["--server", server.url, "--token-file", "token"]
    return empty


# The first account.


def test_the_first_account_is_made_before_the_first_start_and_signs_in(empty, make_server):
    made = empty.json("user", "add", ROOT, "--admin", "--password-file", "password", "--name", "Root")
    assert (made["email"], made["role"], made["name"]) == (ROOT, "superadmin", "Root")
    assert stat.S_IMODE(empty.data.stat().st_mode) == 0o700
    server = make_server(data=empty.data)
    assert not any(line["message"] == "set up this server" for line in server.log_lines())
    assert empty.log_in(server, ROOT, PASSWORD) == 200
    assert empty.log_in(server, ROOT, OTHER_PASSWORD) == 401


def test_the_first_account_is_made_on_a_running_server(empty, make_server):
    server = make_server(data=empty.data)
    empty.make_root()
    assert empty.log_in(server, ROOT, PASSWORD) == 200


def test_the_first_account_must_be_meant_to_look_after_the_server(empty, make_server):
    refused(empty.atrium("user", "add", ROOT), "there is no store")
    assert not empty.data.exists()
    make_server(data=empty.data)
    refused(empty.atrium("user", "add", ROOT), "administrator")
    assert empty.json("user", "list") == []


def test_a_folder_without_a_store_is_named(empty):
    for words in (["user", "list"], ["org", "list"], ["token", "list", ROOT], ["audit", "list"], ["provider", "list"]):
        refused(empty.atrium(*words), "there is no store")
    assert not empty.data.exists()


def test_a_password_comes_from_standard_input(empty, make_server):
    words = [str(empty.program), "user", "add", ROOT, "--admin", "--password-file", "-", *empty.where]
    subprocess.run(words, input=PASSWORD.encode() + b"\n", env=clean_environment(), check=True, timeout=60,
                   capture_output=True)
    assert empty.log_in(make_server(data=empty.data), ROOT, PASSWORD) == 200


# People.


def test_the_life_of_an_account(office):
    made = office.json("user", "add", "Ann@Example.org", "--name", "Ann", "--password-file", "password",
                       "--time-zone", "Europe/Berlin", "--quota", "10GiB")
    assert made["email"] == "ann@example.org"
    assert (made["role"], made["time_zone"], made["quota_bytes"]) == ("user", "Europe/Berlin", 10 << 30)
    assert {user["email"] for user in office.json("user", "list")} == {ROOT, "ann@example.org"}
    assert office.json("user", "show", "ann@example.org") == office.json("user", "show", made["id"])
    changed = office.json("user", "set", "ann@example.org", "--role", "readonly", "--email", "anna@example.org")
    assert (changed["id"], changed["role"], changed["email"]) == (made["id"], "readonly", "anna@example.org")
    assert office.json("user", "set", made["id"], "--deactivate")["status"] == "deactivated"
    assert office.json("user", "set", made["id"], "--activate")["status"] == "active"
    for words in (["password", made["id"], "--password-file", "other"], ["logout", "anna@example.org"],
                  ["remove", "anna@example.org"]):
        assert good(office.atrium("user", *words)) == ""
    refused(office.atrium("user", "show", made["id"]))
    refused(office.atrium("user", "show", "anna@example.org"), "anna@example.org")


def test_people_are_shown_to_people(office):
    office.json("user", "add", "zoë@example.org", "--name", "Zoë\x1b[2J")
    text = good(office.atrium("user", "list"))
    title, *lines = text.splitlines()
    assert re.fullmatch(r"EMAIL +NAME +ROLE +STATUS +ID", title)
    assert len(lines) == 2
    assert "\x1b" not in text
    shown = good(office.atrium("user", "show", ROOT))
    assert re.search(r"^role +superadmin$", shown, re.MULTILINE)


def test_lists_go_on_over_all_pages(make_server):
    house = start_house(make_server)
    for number in range(105):
        house.make_user(f"u{number}@example.org", password=None)
    assert len(json.loads(good(house.atrium("user", "list", "--json")))) == 106


def test_a_password_that_was_given_is_the_one_that_counts(empty, make_server):
    empty.make_root()
    empty.json("user", "add", "ann@example.org", "--password-file", "password")
    good(empty.atrium("user", "password", "ann@example.org", "--password-file", "other"))
    server = make_server(data=empty.data)
    assert empty.log_in(server, "ann@example.org", PASSWORD) == 401
    assert empty.log_in(server, "ann@example.org", OTHER_PASSWORD) == 200
    good(empty.atrium("user", "password", "ann@example.org", "--password-file", "password"))
    assert empty.log_in(server, "ann@example.org", PASSWORD) == 200
    empty.json("user", "set", "ann@example.org", "--deactivate")
    assert empty.log_in(server, "ann@example.org", PASSWORD) == 401


def test_an_address_is_given_once(office):
    office.json("user", "add", "ann@example.org")
    refused(office.atrium("user", "add", "ANN@example.org"))
    refused(office.atrium("user", "set", "ann@example.org", "--email", ROOT))


def test_a_second_factor_that_was_lost_is_taken_away(make_server):
    house = start_house(make_server)
    ann = house.make_user("ann@example.org")
    house.turn_on_second_factor(house.sign_in(ann))
    assert house.log_in(ann.email).status == 401
    assert good(house.atrium("user", "reset-second-factor", ann.email)) == ""
    assert house.log_in(ann.email).status == 200
    refused(house.atrium("user", "reset-second-factor", ann.email), "second factor")


@pytest.mark.parametrize("deed", ["show", "remove", "logout", "reset-second-factor", "invite"])
def test_somebody_nobody_knows_is_named(office, deed):
    refused(office.atrium("user", deed, "nobody@example.org"), "nobody@example.org")
    refused(office.atrium("user", deed, NOBODY))


def test_a_password_that_cannot_be_read_or_taken_changes_nothing(office):
    office.write("short", "tiny\n")
    office.write("nothing", "\n")
    refused(office.atrium("user", "add", "ann@example.org", "--password-file", "missing"), "missing")
    refused(office.atrium("user", "add", "ann@example.org", "--password-file", "nothing"), "nothing", "empty")
    refused(office.atrium("user", "add", "ann@example.org", "--password-file", "short"), "password")
    # Over the network it is a token of their own, which changes no password.
    reason = "sign in" if "--server" in office.where else "password"
    refused(office.atrium("user", "password", ROOT, "--password-file", "short"), reason)
    assert [user["email"] for user in office.json("user", "list")] == [ROOT]


def test_no_mail_no_invitation(office):
    refused(office.atrium("user", "add", "ann@example.org", "--invite"), "mail")
    assert len(office.json("user", "list")) == 1


def test_the_last_one_who_looks_after_the_server_stays(office):
    refused(office.atrium("user", "remove", ROOT))
    refused(office.atrium("user", "set", ROOT, "--role", "user"))
    refused(office.atrium("user", "set", ROOT), "change")


def test_an_invitation_waits_for_the_server_that_mails_it(empty, make_server):
    mail = {"mail": {"transport": "file", "from": "atrium@example.org", "folder": str(empty.folder / "letters")},
            "identity": {"public_url": "https://atrium.example.org"}}
    config = empty.write("atrium.yaml", json.dumps(mail))
    empty.where += ["--config", str(config)]
    empty.make_root()
    empty.json("user", "add", "ann@example.org", "--invite")
    make_server(data=empty.data, config=mail)
    good(empty.atrium("jobs", "run", "mail.deliver"))
    letters = [letter.read_text() for letter in (empty.folder / "letters").iterdir()]
    assert any("ann@example.org" in letter for letter in letters)


# Organisations.


def test_the_life_of_an_organisation(office):
    made = office.json("org", "add", "The Smiths", "--host", "smiths.example.org", "--host", "smith.example.org",
                       "--setting", "colour=blue", "--quota", "1TiB")
    assert sorted(made["hosts"]) == ["smith.example.org", "smiths.example.org"]
    assert (made["settings"], made["quota_bytes"]) == ({"colour": "blue"}, 1 << 40)
    assert made["id"] in {org["id"] for org in office.json("org", "list")}
    refused(office.atrium("org", "add", "Others", "--host", "smith.example.org"))
    assert office.json("org", "set", made["id"], "--name", "Smith & Smith")["name"] == "Smith & Smith"
    ann = office.json("user", "add", "ann@example.org", "--org", made["id"])
    assert ann["org"] == made["id"]
    assert [user["email"] for user in office.json("user", "list", "--org", made["id"])] == ["ann@example.org"]
    assert office.json("org", "show", made["id"])["usage"]["users"] == 1
    assert office.json("user", "show", "ann@example.org", "--org", made["id"])["id"] == ann["id"]
    refused(office.atrium("org", "remove", made["id"]))
    good(office.atrium("user", "remove", ann["id"]))
    assert good(office.atrium("org", "remove", made["id"])) == ""
    refused(office.atrium("org", "show", made["id"]))
    refused(office.atrium("org", "set", NOBODY), "change")


# Tokens.


def test_the_life_of_a_token(office):
    if "--server" in office.where:
        # No token makes tokens, whatever it was made for.
        refused(office.atrium("token", "add", ROOT, "--name", "backup", "--scope", "files:read"), "token cannot")
        return
    secret = good(office.atrium("token", "add", ROOT, "--name", "backup", "--scope", "files:read", "--scope",
                                "calendars:write", "--expires-in", "30d"))
    assert re.fullmatch(r"\S+\n", secret)
    (made,) = (token for token in office.json("token", "list", ROOT) if token["name"] == "backup")
    assert sorted(made["scopes"]) == ["calendars:write", "files:read"]
    assert (made["type"], "expires_at" in made, "token" in made) == ("personal", True, False)
    assert secret.strip() not in good(office.atrium("token", "list", ROOT))
    assert office.json("token", "add", ROOT, "--name", "mail", "--type", "app-password")["type"] == "app_password"
    assert good(office.atrium("token", "remove", ROOT, made["id"])) == ""
    assert "backup" not in {token["name"] for token in office.json("token", "list", ROOT)}
    refused(office.atrium("token", "remove", ROOT, made["id"]))
    refused(office.atrium("token", "add", ROOT, "--name", "x", "--scope", "nonsense:read"), "nonsense")
    refused(office.atrium("token", "list", "nobody@example.org"))


def test_over_the_network_a_token_is_worth_what_it_was_made_for(empty, make_server):
    empty.make_root()
    empty.json("user", "add", "ann@example.org")
    reading = good(empty.atrium("token", "add", ROOT, "--name", "reads", "--scope", "admin:read", "--scope",
                                "account:read"))
    anns = good(empty.atrium("token", "add", "ann@example.org", "--name", "ann", "--scope", "*"))
    server = make_server(data=empty.data)
    empty.where = ["--server", server.url + "/"]
    assert len(json.loads(good(empty.atrium("user", "list", "--json", env={"ATRIUM_TOKEN": reading.strip()})))) == 2
    refused(empty.atrium("user", "add", "bob@example.org", env={"ATRIUM_TOKEN": reading.strip()}))
    refused(empty.atrium("token", "list", "ann@example.org", env={"ATRIUM_TOKEN": reading.strip()}), "owner")
    refused(empty.atrium("user", "list", env={"ATRIUM_TOKEN": anns.strip()}))
    good(empty.atrium("token", "list", "ann@example.org", env={"ATRIUM_TOKEN": anns.strip()}))
    refused(empty.atrium("user", "list", env={"ATRIUM_TOKEN": "wrong"}))
    refused(empty.atrium("user", "list"), "--token-file", "ATRIUM_TOKEN")
    refused(empty.atrium("user", "list", "--token-file", "missing"), "missing")


def test_a_server_that_is_not_there_is_named(empty):
    empty.where = ["--server", "http://127.0.0.1:1"]
    refused(empty.atrium("user", "list", env={"ATRIUM_TOKEN": "x"}), "127.0.0.1:1")
    empty.where = ["--server", "nonsense"]
    refused(empty.atrium("user", "list", env={"ATRIUM_TOKEN": "x"}))


# Providers.


def test_the_life_of_a_provider(office):
    office.write("secret", "hush")
    words = ["provider", "set", "work", "--name", "Work", "--issuer", "https://login.example.org", "--client-id", "us"]
    if "--server" in office.where:
        # Whoever enters a provider could sign in through it as anybody: no token does.
        refused(office.atrium(*words), "token")
        assert office.json("provider", "list") == []
        return
    good(office.atrium(*words, "--client-secret-file", "secret", "--trusted"))
    (listed,) = office.json("provider", "list")
    assert (listed["id"], listed["issuer"], listed["trusted"]) == ("work", "https://login.example.org", True)
    assert "hush" not in good(office.atrium("provider", "list"))
    assert good(office.atrium("provider", "remove", "work")) == ""
    assert office.json("provider", "list") == []
    refused(office.atrium("provider", "remove", "work"))
    refused(office.atrium(*words[:2], "Not A Name", *words[3:]))


# The audit log.


def test_who_did_what_is_listed_and_exported(office):
    ann = office.json("user", "add", "ann@example.org")
    good(office.atrium("user", "remove", ann["id"]))
    lines = office.json("audit", "list")
    about_ann = [line["action"] for line in lines if line["target"] == f"user:{ann['id']}"]
    assert about_ann[-1] == "user.created"
    assert len(about_ann) >= 2
    text = good(office.atrium("audit", "list", "--limit", 1))
    assert re.search(r"^there are older ones: --before \d+$", text, re.MULTILINE)
    older = office.json("audit", "list", "--before", lines[0]["id"])
    assert older == lines[1:]
    exported = [json.loads(line) for line in good(office.atrium("audit", "export")).splitlines()]
    assert [line["action"] for line in exported][-len(lines):] == [line["action"] for line in reversed(lines)]
    assert good(office.atrium("audit", "export", "all.ndjson")) == ""
    written = office.folder / "all.ndjson"
    assert len(written.read_text().splitlines()) == len(exported)
    assert stat.S_IMODE(written.stat().st_mode) == 0o600
    refused(office.atrium("audit", "export", "all.ndjson"), "all.ndjson")


# Words.


@pytest.mark.parametrize("words", [
    ["user"], ["user", "add"], ["user", "add", "a@b.c", "--role", "king"], ["user", "add", "a@b.c", "--quota", "much"],
    ["user", "add", "a@b.c", "--admin", "--superadmin"], ["user", "set", "a@b.c", "--activate", "--deactivate"],
    ["user", "password", "a@b.c"], ["org", "show"], ["org", "add", "x", "--setting", "colour"], ["token", "add", "a@b.c"],
    ["token", "add", "a@b.c", "--name", "x", "--expires-in", "soon"],
    ["token", "add", "a@b.c", "--name", "x", "--type", "gold"], ["audit", "list", "--limit", "0"],
    ["user", "list", "--server", "http://x", "--data", "y"], ["user", "list", "--token-file", "x"],
    ["provider", "set", "x"],
])
def test_what_makes_no_sense_is_misuse(build_folder, tmp_path, words):
    printed = run(build_folder.resolve() / "atrium", *words, folder=tmp_path)
    assert (printed.returncode, printed.stdout) == (MISUSED, "")
    assert printed.stderr


def test_a_token_in_the_environment_is_no_setting(build_folder, tmp_path):
    good(run(build_folder.resolve() / "atrium", "config", "check", folder=tmp_path, env={"ATRIUM_TOKEN": "x"}))

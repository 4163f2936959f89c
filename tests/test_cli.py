# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""The command line: what each command prints, and with which status it ends."""

import os
import re
import stat

import pytest
from programs import run

DONE, FAILED, MISUSED = 0, 1, 2


@pytest.fixture
def atrium(build_folder, tmp_path):
    """Runs the program in an empty folder: atrium("config", "check", env={...})."""
    def call(*words, env=None):
        return run(build_folder.resolve() / "atrium", *words, folder=tmp_path, env=env)

    return call


def value_in_force(atrium, key: str, *words, env=None) -> tuple[str, str]:
    """What `config print` says of a key, and where it says the value comes from."""
    printed = atrium("config", "print", *words, env=env)
    assert printed.returncode == DONE, printed.stderr
    section, _, leaf = key.rpartition(".")
    current = ""
    for line in printed.stdout.splitlines():
        if heading := re.fullmatch(r"(\w+):", line):
            current = heading[1]
        found = re.fullmatch(rf"\s*{leaf}: (.*)  # (.*)", line)
        if found and (current == section or not section):
            return found[1], found[2]
    raise AssertionError(f"{key} is not printed")


# Commands.


def test_version_is_one_line(atrium):
    printed = atrium("version")
    assert printed.returncode == DONE
    assert re.fullmatch(r"atrium \d+\.\d+\.\d+\n", printed.stdout)
    assert printed.stderr == ""


@pytest.mark.parametrize("words", [["help"], ["--help"], ["-h"]])
def test_help_names_every_command(atrium, words):
    printed = atrium(*words)
    assert (printed.returncode, printed.stderr) == (DONE, "")
    for command in ("serve", "config", "routes", "version", "help"):
        assert re.search(rf"^  {command}\s", printed.stdout, re.MULTILINE)


@pytest.mark.parametrize("words", [["help", "serve"], ["serve", "--help"]])
def test_help_of_a_command_names_its_options(atrium, words):
    printed = atrium(*words)
    assert printed.returncode == DONE
    for option in ("--config", "--address", "--port", "--data", "--set"):
        assert option in printed.stdout


def test_no_command_is_answered_with_the_help_as_an_error(atrium):
    printed = atrium()
    assert (printed.returncode, printed.stdout) == (MISUSED, "")
    assert "Usage: atrium" in printed.stderr


@pytest.mark.parametrize("words, complaint", [
    (["--nonsense"], "--nonsense"),
    (["serve", "--nonsense"], "--nonsense"),
    (["nonsense"], "nonsense"),
    (["version", "nonsense"], "nonsense"),
    (["config", "nonsense"], "nonsense"),
    (["config"], "Usage: atrium config"),
    (["serve", "--port"], "--port"),
    (["serve", "--port", "none"], "http.port: expected a whole number from 0 to 65535, got \"none\""),
    (["serve", "--address", "nowhere"], "http.address: expected an IPv4 or IPv6 address, got \"nowhere\""),
    (["serve", "--set", "http.port"], "expected KEY=VALUE, got http.port"),
    (["serve", "--set", "http.prot=1"], "http.prot: unknown key; did you mean \"http.port\"?"),
    (["help", "nonsense"], "there is no command \"nonsense\""),
])
def test_what_makes_no_sense_is_misuse_and_named(atrium, words, complaint):
    printed = atrium(*words)
    assert (printed.returncode, printed.stdout) == (MISUSED, "")
    assert complaint in printed.stderr


# Configuration.


def test_a_good_file_is_good(atrium, tmp_path):
    (tmp_path / "good.yaml").write_text("http:\n  port: 8081\n  trusted_proxies: [10.0.0.0/8]\nlog:\n  level: warn\n")
    printed = atrium("config", "check", "--config", "good.yaml")
    assert (printed.returncode, printed.stdout, printed.stderr) == (DONE, "the configuration is good\n", "")


def test_every_fault_of_a_bad_file_is_named_with_file_line_and_key(atrium, tmp_path):
    (tmp_path / "bad.yaml").write_text("http:\n  port: 99999\n  prot: 1\n  idle_timeout: 5\nlog:\n  level: loud\n")
    for command in (["config", "check"], ["config", "print"], ["serve"]):
        printed = atrium(*command, "--config", "bad.yaml")
        assert (printed.returncode, printed.stdout) == (MISUSED, "")
        lines = printed.stderr.splitlines()
        assert [line.split(": ")[:2] for line in lines] == [
            ["bad.yaml:2", "http.port"], ["bad.yaml:3", "http.prot"], ["bad.yaml:4", "http.idle_timeout"],
            ["bad.yaml:6", "log.level"]]


@pytest.mark.parametrize("text, complaint", [
    ("http: [", "bad.yaml:"),
    ("http:\n  port: 1\n  port: 2\n", "bad.yaml:3: http.port: given twice, first at bad.yaml:2"),
    ("tls:\n  certificate: a.pem\n", "tls."),
    ("secrets:\n  server_secret: " + "a" * 64 + "\n", "bad.yaml:2: secrets.server_secret: "),
])
def test_other_faults_of_a_file_are_named(atrium, tmp_path, text, complaint):
    (tmp_path / "bad.yaml").write_text(text)
    printed = atrium("config", "check", "--config", "bad.yaml")
    assert printed.returncode == MISUSED
    assert complaint in printed.stderr
    assert "a" * 64 not in printed.stderr


def test_a_file_that_is_not_there_is_an_error_when_it_was_named(atrium):
    printed = atrium("config", "check", "--config", "absent.yaml")
    assert printed.returncode == MISUSED
    assert printed.stderr == "absent.yaml: No such file or directory\n"


def test_what_is_printed_is_a_configuration_with_the_same_values(atrium, tmp_path):
    words = ["--set", "http.port=1234", "--set", "http.trusted_proxies=10.0.0.0/8,fd00::/8", "--set", "log.level=debug",
             "--set", "http.cors_origins=https://a.example:8443", "--set", "http.idle_timeout=90s"]
    first = atrium("config", "print", *words)
    assert first.returncode == DONE
    (tmp_path / "printed.yaml").write_text(first.stdout)
    assert atrium("config", "check", "--config", "printed.yaml").returncode == DONE
    second = atrium("config", "print", "--config", "printed.yaml")

    def values(text: str) -> list[str]:
        return [line.split("  # ")[0] for line in text.splitlines()]

    assert values(second.stdout) == values(first.stdout)


def test_flags_win_over_variables_and_variables_over_the_file(atrium, tmp_path):
    (tmp_path / "some.yaml").write_text("http:\n  port: 1001\n")
    file = ["--config", "some.yaml"]
    variable = {"ATRIUM_HTTP_PORT": "1002"}
    assert value_in_force(atrium, "http.port") == ("8080", "default")
    assert value_in_force(atrium, "http.port", *file) == ("1001", "some.yaml:2")
    assert value_in_force(atrium, "http.port", *file, env=variable) == ("1002", "ATRIUM_HTTP_PORT")
    assert value_in_force(atrium, "http.port", *file, "--port", 1003, env=variable) == ("1003", "--port")
    assert value_in_force(atrium, "http.port", *file, "--set", "http.port=1004", env=variable) == ("1004", "--set")


def test_the_file_is_found_by_name_by_variable_and_in_the_working_folder(atrium, tmp_path):
    (tmp_path / "atrium.yaml").write_text("http:\n  port: 2001\n")
    (tmp_path / "other.yaml").write_text("http:\n  port: 2002\n")
    (tmp_path / "third.yaml").write_text("http:\n  port: 2003\n")
    variable = {"ATRIUM_CONFIG": "other.yaml"}
    assert value_in_force(atrium, "http.port") == ("2001", "atrium.yaml:2")
    assert value_in_force(atrium, "http.port", env=variable) == ("2002", "other.yaml:2")
    assert value_in_force(atrium, "http.port", "--config", "third.yaml", env=variable) == ("2003", "third.yaml:2")


def test_lists_in_variables_and_flags_are_separated_by_commas(atrium):
    variable = {"ATRIUM_HTTP_TRUSTED_PROXIES": "10.0.0.0/8, 192.168.0.0/16"}
    value, _ = value_in_force(atrium, "http.trusted_proxies", env=variable)
    assert value == "[10.0.0.0/8, 192.168.0.0/16]"
    value, _ = value_in_force(atrium, "http.trusted_proxies", "--set", "http.trusted_proxies=", env=variable)
    assert value == "[]"


def test_a_variable_that_means_nothing_is_an_error(atrium):
    printed = atrium("config", "check", env={"ATRIUM_HTTP_PROT": "1"})
    assert printed.returncode == MISUSED
    assert 'ATRIUM_HTTP_PROT: unknown variable; did you mean "ATRIUM_HTTP_PORT"?' in printed.stderr


def test_a_secret_is_taken_from_its_variable_and_never_printed(atrium):
    secret = "5ec2e7" + "a" * 58
    printed = atrium("config", "print", env={"ATRIUM_SECRETS_SERVER_SECRET": secret})
    assert printed.returncode == DONE
    assert "5ec2e7" not in printed.stdout
    assert "# server_secret: ********  # ATRIUM_SECRETS_SERVER_SECRET" in printed.stdout


def test_every_key_is_explained(atrium):
    printed = atrium("config", "keys").stdout
    names = re.findall(r"^(\S+)$", printed, re.MULTILINE)
    assert {"data", "http.port", "tls.certificate", "log.level", "secrets.server_secret"} <= set(names)
    for name in names:
        assert "ATRIUM_" + name.replace(".", "_").upper() in printed


# The data folder.


def test_the_server_secret_is_made_once_for_the_owner_alone_and_kept(make_server):
    first = make_server()
    secret = first.data / "server.secret"
    content = secret.read_text()
    assert re.fullmatch(r"[0-9a-f]{64}\n", content)
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert stat.S_IMODE(first.data.stat().st_mode) == 0o700
    first.stop()
    second = make_server(data=first.data)
    assert secret.read_text() == content
    assert sorted(path.name for path in first.data.iterdir()) == ["blobs", "control.sock", "server.name", "server.secret",
                                                                  "store"]
    second.stop()
    third = make_server()
    assert (third.data / "server.secret").read_text() != content
    assert content.strip() not in first.stderr() + first.stdout() + second.stderr() + second.stdout()


@pytest.mark.parametrize("mode", [0o644, 0o604, 0o666])
def test_a_secret_that_others_can_read_stops_the_start(atrium, tmp_path, mode):
    data = tmp_path / "data"
    data.mkdir()
    secret = data / "server.secret"
    secret.write_text("a" * 64 + "\n")
    secret.chmod(mode)
    printed = atrium("serve", "--port", 0, "--data", "data")
    assert printed.returncode == FAILED
    assert printed.stderr.startswith("data/server.secret: ")
    assert "a" * 64 not in printed.stderr


def test_a_damaged_secret_stops_the_start_and_stays_as_it_is(atrium, tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    secret = data / "server.secret"
    secret.write_text("not a secret\n")
    secret.chmod(0o600)
    printed = atrium("serve", "--port", 0, "--data", "data")
    assert printed.returncode == FAILED
    assert "data/server.secret: is damaged" in printed.stderr
    assert secret.read_text() == "not a secret\n"


def test_a_data_folder_that_cannot_be_is_named(atrium, tmp_path):
    (tmp_path / "file").write_text("")
    printed = atrium("serve", "--port", 0, "--data", "file/data")
    assert printed.returncode == FAILED
    assert printed.stderr.startswith("file/data")
    assert "Not a directory" in printed.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every folder")
def test_a_data_folder_that_may_not_be_read_is_named(atrium, tmp_path):
    data = tmp_path / "data"
    data.mkdir(mode=0o000)
    printed = atrium("serve", "--port", 0, "--data", "data")
    data.chmod(0o700)
    assert printed.returncode == FAILED
    assert printed.stderr.startswith("data")
    assert "Permission denied" in printed.stderr


def test_a_certificate_that_cannot_be_read_stops_the_start(atrium):
    printed = atrium("serve", "--port", 0, "--set", "tls.certificate=absent.pem", "--set", "tls.key=absent.key")
    assert printed.returncode == FAILED
    assert "absent.pem: No such file" in printed.stderr


# Calls to other servers.


def test_a_private_address_is_not_called_unless_it_is_allowed(atrium, server):
    refused = atrium("egress", "check", f"{server.url}/api/health")
    assert refused.returncode == FAILED
    assert "loopback" in refused.stderr
    allowed = atrium("egress", "check", f"{server.url}/api/health", "--set", "egress.allowed_networks=127.0.0.0/8")
    assert allowed.returncode == DONE
    assert re.fullmatch(rf"200, \d+ bytes from {server.url}/api/health\n", allowed.stdout)

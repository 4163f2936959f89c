# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Every relative link and every anchor in a Markdown file leads somewhere."""

import pathlib
import posixpath
import re
import urllib.parse

import pytest
from tree import Tree, checkout, expect_none, invented

FENCE = re.compile(r"^(?P<mark>`{3,}|~{3,}).*?^(?P=mark)[`~]*\s*$", re.MULTILINE | re.DOTALL)
INLINE_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
INLINE_LINK = re.compile(r"\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(\s*<?([^)\s>]*)>?(?:\s+[\"'(][^)]*)?\s*\)")
REFERENCE = re.compile(r"^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)>?", re.MULTILINE)
HEADING = re.compile(r"^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$", re.MULTILINE)
EXPLICIT_ANCHOR = re.compile(r"<a\s+(?:id|name)=[\"']([^\"']+)[\"']")


def violations(tree: Tree) -> list[str]:
    found = []
    for file in tree.having({".md"}):
        for link in links(tree.text(file)):
            if problem := broken(tree, file, link):
                found.append(f"{file}: {link}: {problem}")
    return found


def links(markdown: str) -> list[str]:
    text = INLINE_CODE.sub("", FENCE.sub("", markdown))
    return INLINE_LINK.findall(text) + REFERENCE.findall(text)


def broken(tree: Tree, file: str, link: str) -> str | None:
    if re.match(r"[a-z][a-z0-9+.-]*:", link):
        return None
    path, _, anchor = urllib.parse.unquote(link).partition("#")
    if path.startswith("/"):
        return "write it relative to this file"
    target = posixpath.normpath(posixpath.join(posixpath.dirname(file), path)) if path else file
    is_folder = target == "." or any(f.startswith(target + "/") for f in tree.files)
    if target not in tree.files and not is_folder:
        return "there is no such file"
    if not anchor:
        return None
    if pathlib.PurePosixPath(target).suffix != ".md":
        return "only Markdown files have anchors"
    return None if anchor in anchors(tree.text(target)) else "there is no such heading"


def anchors(markdown: str) -> set[str]:
    """The names that hosting sites give to headings: repeated ones are numbered."""
    text = FENCE.sub("", markdown)
    names = set(EXPLICIT_ANCHOR.findall(text))
    for heading in HEADING.findall(text):
        name = slug(heading)
        repetition = 0
        while (unique := f"{name}-{repetition}" if repetition else name) in names:
            repetition += 1
        names.add(unique)
    return names


def slug(heading: str) -> str:
    shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", shown.lower()).strip().replace(" ", "-")


def test_links_of_the_checkout_lead_somewhere():
    expect_none(violations(checkout()))


FILES = {
    "README.md": "# Atrium\n\n## What it is\n\n## What it is\n\n## `run` & co.\n\n<a id=\"here\"></a>\n",
    "docs/guide.md": "# Guide\n",
    "src/main.cc": "",
}


@pytest.mark.parametrize(
    "link",
    ["guide.md", "./guide.md#guide", "../README.md#what-it-is", "../README.md#what-it-is-1", "../README.md#run--co",
     "../README.md#here", "../src", "../src/main.cc", "../", "#page", "https://example.org/x#y",
     "mailto:a@example.org"],
)
def test_a_good_link_is_left_alone(tmp_path, link):
    tree = invented(tmp_path, FILES | {"docs/page.md": f"# Page\n\n[one]({link}) [two]({link} 'title')\n"})
    assert violations(tree) == []


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[x](nowhere.md)", "nowhere.md: there is no such file"),
        ("![x](nowhere.png)", "nowhere.png: there is no such file"),
        ("[x][y]\n\n[y]: nowhere.md", "nowhere.md: there is no such file"),
        ("[![x](guide.md)](nowhere.md)", "nowhere.md: there is no such file"),
        ("[x](../README.md#what-it-was)", "there is no such heading"),
        ("[x](#what-it-is)", "there is no such heading"),
        ("[x](../src/main.cc#L3)", "only Markdown files have anchors"),
        ("[x](/README.md)", "write it relative"),
        ("[x](../../outside.md)", "there is no such file"),
    ],
)
def test_a_broken_link_is_found(tmp_path, text, complaint):
    (found,) = violations(invented(tmp_path, FILES | {"docs/page.md": text + "\n"}))
    assert found.startswith("docs/page.md: ")
    assert complaint in found


def test_code_is_not_searched_for_links(tmp_path):
    text = "`[x](nowhere.md)`\n\n```\n[x](nowhere.md)\n# Heading\n```\n"
    assert violations(invented(tmp_path, {"page.md": text})) == []

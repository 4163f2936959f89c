# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Reads what GET /metrics answers: the text format of Prometheus."""

import re

_SAMPLE = re.compile(r'^(?P<name>[a-zA-Z_:][\w:]*)(?:\{(?P<labels>.*)\})? (?P<value>\S+)(?: -?\d+)?$')
_LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


class Metrics:
    """All samples of one reading.

        before = server.metrics()
        ...
        assert server.metrics().total("http_requests_total", status="2xx") == before.total(...) + 1
    """

    def __init__(self, text: str):
        self.samples: list[tuple[str, dict[str, str], float]] = []
        for line in text.splitlines():
            if not line or line.startswith("#"):
                continue
            match = _SAMPLE.match(line)
            assert match, f"not a sample: {line!r}"
            labels = {name: _unescape(value) for name, value in _LABEL.findall(match["labels"] or "")}
            self.samples.append((match["name"], labels, float(match["value"])))

    def names(self) -> set[str]:
        return {name for name, _, _ in self.samples}

    def matching(self, name: str, **labels: str) -> list[tuple[dict[str, str], float]]:
        """The samples of this name that carry at least these labels."""
        return [
            (found, value)
            for sample, found, value in self.samples
            if sample == name and labels.items() <= found.items()
        ]

    def total(self, name: str, **labels: str) -> float:
        """Their sum; zero when there are none, because counters may appear with their first event."""
        return sum(value for _, value in self.matching(name, **labels))

    def value(self, name: str, **labels: str) -> float:
        """The value of exactly one sample."""
        found = self.matching(name, **labels)
        assert len(found) == 1, f"{len(found)} samples of {name} {labels}: {found[:10]}"
        return found[0][1]


def _unescape(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], text)

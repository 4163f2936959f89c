# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""An export of a store as text (docs/formats/export.md), for tests that need rows which no request makes."""

import hashlib
import json
import subprocess


def rewrite(file, alter):
    """Passes each row through `alter`, which answers the row that stands there instead; None: no row."""
    text = subprocess.run(["zstd", "-dcq", str(file)], check=True, capture_output=True).stdout
    head, *rows = [json.loads(line) for line in text.splitlines()[:-1]]
    rows = [row for row in map(alter, rows) if row is not None]
    lines = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in [head, *rows])
    end = {"end": True, "rows": len(rows), "sha256": hashlib.sha256(lines.encode()).hexdigest()}
    whole = lines + json.dumps(end, separators=(",", ":")) + "\n"
    packed = subprocess.run(["zstd", "-cq", "--check"], input=whole.encode(), check=True, capture_output=True).stdout
    file.write_bytes(packed)

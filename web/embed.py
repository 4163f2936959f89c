# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""Turns the bundle of the pages into one C++ source.

usage: embed.py BUNDLE_FOLDER OUTPUT_FOLDER

Files under assets/ already carry a hash of their content in their name, so that browsers may keep them for ever. Each
file is stored plain and, where that is smaller, with gzip and brotli. The bytes are pulled in by the assembler: a C++
array of a megabyte takes half a minute to compile.
"""

import gzip
import hashlib
import pathlib
import subprocess
import sys

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
TEXTS = {".css", ".html", ".js", ".json", ".svg", ".txt", ".webmanifest"}


def compressed_twins(content: bytes) -> dict[str, bytes]:
    brotli = subprocess.run(["brotli", "--best", "--stdout", "-"], input=content, stdout=subprocess.PIPE, check=True)
    twins = {"gzip": gzip.compress(content, 9, mtime=0), "brotli": brotli.stdout}
    return {name: twin for name, twin in twins.items() if len(twin) < 0.9 * len(content)}


def embed(path: str, content: bytes, number: int, output: pathlib.Path) -> tuple[str, str]:
    """Writes the forms of one file and answers its assembler lines and its row of the table."""
    suffix = pathlib.PurePath(path).suffix
    if suffix not in TYPES:
        sys.exit(f"{path}: embed.py knows no content type for {suffix}")
    forms = {"plain": content} | (compressed_twins(content) if suffix in TEXTS else {})
    assembler, declarations, views = "", "", {"plain": "{}", "gzip": "{}", "brotli": "{}"}
    for form, data in forms.items():
        symbol = f"atrium_web_{number}_{form}"
        (output / f"{number}.{form}").write_bytes(data)
        assembler += f'    "{symbol}:\\n"\n    ".incbin \\"{output}/{number}.{form}\\"\\n"\n'
        declarations += f'extern "C" const char {symbol}[];\n'
        views[form] = f"{{{symbol}, {len(data)}}}"
    row = (f'    {{.path = "{path}",\n     .content_type = "{TYPES[suffix]}",\n'
           f'     .hash = "{hashlib.sha256(content).hexdigest()}",\n     .plain = {views["plain"]},\n'
           f'     .gzip = {views["gzip"]},\n     .brotli = {views["brotli"]}}},\n')
    return assembler + "|" + declarations, row


def main(bundle: pathlib.Path, output: pathlib.Path) -> None:
    output.mkdir(parents=True, exist_ok=True)
    found = {str(p.relative_to(bundle)): p.read_bytes() for p in sorted(bundle.rglob("*")) if p.is_file()}
    assembler, declarations, rows = "", "", ""
    for number, (path, content) in enumerate(sorted(found.items())):
        pulled, row = embed(path, content, number, output)
        assembler += pulled.split("|")[0]
        declarations += pulled.split("|")[1]
        rows += row
    (output / "files.cc").write_text(
        '// Made by web/embed.py.\n#include "web/files.h"\n\n'
        f'asm(".section .rodata\\n"\n{assembler}    ".previous\\n");\n\n{declarations}\n'
        "namespace atrium::web {\nnamespace {\n\n"
        f"constinit const http::StaticFile kFiles[] = {{\n{rows}}};\n\n}}  // namespace\n\n"
        "std::span<const http::StaticFile> Files() { return kFiles; }\n\n}  // namespace atrium::web\n")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))

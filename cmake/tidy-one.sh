#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
# Lints one source and leaves a stamp and a dependency file, so that the build repeats it only when something changed.
# usage: tidy-one.sh BUILD_DIR SOURCE STAMP
set -euo pipefail
build=$1 source=$2 stamp=$3
checks=()
# Of tests, only what could make them lie: a result nobody looked at, a value used after it was moved away.
if [[ $source == *_test.cc ]]; then
  checks=(--checks='-*,bugprone-unused-return-value,bugprone-use-after-move,readability-identifier-naming')
fi
clang-tidy-19 --quiet -p "$build" "${checks[@]}" "$source" 2>/dev/null
mkdir -p "$(dirname "$stamp")"
flags=$(/usr/bin/python3 - "$build/compile_commands.json" "$source" <<'PY'
import json, shlex, sys
entry = next(e for e in json.load(open(sys.argv[1])) if e["file"] == sys.argv[2])
words = shlex.split(entry["command"])
keep = [w for w in words if w.startswith(("-I", "-D", "-std", "-isystem"))]
for i, w in enumerate(words):
    if w == "-isystem":
        keep.append(words[i + 1])
print(shlex.join(keep))
PY
)
eval "clang++-19 -MM -MT '$stamp' -MF '$stamp.d' $flags '$source'"
touch "$stamp"

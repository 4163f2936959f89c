#!/usr/bin/env bash
# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
# Lints one source and leaves a stamp and a dependency file, so that the build repeats it only when something changed.
# usage: tidy-one.sh COMMANDS_DIR OWN_CODE_MODULE SOURCE STAMP
set -euo pipefail
commands=$1 module=$2 source=$3
export ATRIUM_LINT_STAMP=$4
checks=atrium-own-code
# Of tests, only what could make them lie: a result nobody looked at, a value used after it was moved away.
if [[ $source == *_test.cc ]]; then
  checks="-*,bugprone-unused-return-value,bugprone-use-after-move,readability-identifier-naming,$checks"
fi
mkdir -p "$(dirname "$ATRIUM_LINT_STAMP")"
rm -f "$ATRIUM_LINT_STAMP.d"
clang-tidy-19 --quiet -p "$commands" --load="$module" --checks="$checks" "$source" 2>/dev/null
if [[ ! -s $ATRIUM_LINT_STAMP.d ]]; then
  echo "$source: clang-tidy-19 did not take the module $module" >&2
  exit 1
fi
touch "$ATRIUM_LINT_STAMP"

# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
# Sourced by run, test and bench: configures a preset when that is needed, and builds it.
# ATRIUM_BUILD_ROOT moves all build folders elsewhere.

checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build_root=$(realpath -m "${ATRIUM_BUILD_ROOT:-$checkout/build}")

# configure_preset NAME   runs CMake when the folder is new or moved, or the presets or the set of modules changed.
# Changes inside a CMakeLists.txt are noticed by the build itself.
configure_preset() {
  local folder=$build_root/$1
  local inputs
  inputs=$(configuration_inputs)
  if [[ -f $folder/build.ninja && -f $folder/configured && $(<"$folder/configured") == "$inputs" ]]; then
    return 0
  fi
  (cd "$checkout" && cmake --fresh --preset "$1" -B "$folder") || return 1
  printf '%s\n' "$inputs" >"$folder/configured"
}

configuration_inputs() {
  (
    cd "$checkout" || return 1
    pwd
    cksum CMakePresets.json
    find . \( -path ./build -o -path ./.git -o -path ./data -o -name node_modules \) -prune \
      -o -name CMakeLists.txt -print | LC_ALL=C sort
  )
}

# build_preset NAME [TARGET...]   configures if needed, then builds the targets, or everything.
build_preset() {
  local preset=$1
  shift
  configure_preset "$preset" || return 1
  cmake --build "$build_root/$preset" --parallel "$(build_jobs)" ${1:+--target "$@"}
}

# One job per processor, but no more than memory allows: the largest sources take a gibibyte and a half each.
build_jobs() {
  local processors memory_kib jobs
  processors=$(nproc)
  memory_kib=$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo)
  jobs=$((memory_kib / (1536 * 1024)))
  ((jobs > processors)) && jobs=$processors
  ((jobs < 1)) && jobs=1
  echo "$jobs"
}

# executables PRESET PATTERN   prints the programs of a configured preset whose name matches the extended regular
# expression. What an older build left in the folder is not among them.
executables() {
  ninja -C "$build_root/$1" -t targets all | sed -nE 's/^([^:/]+): CXX_EXECUTABLE_LINKER.*/\1/p' |
    grep -E "$2" | LC_ALL=C sort -u
}

# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
# Sourced by run, test and bench: installs the Debian packages they need, and only those that are missing.
# The lists beside this file hold one package per line.

# Packages that are wanted for a command. Whoever has the command from elsewhere keeps it: a Node.js that is not Debian's
# brings npm along, and Debian's npm cannot be installed beside it.
declare -A wanted_for=([nodejs]=node [npm]=npm)

setup_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# ensure_packages LIST...   e.g. ensure_packages build test
# Returns 1 with a message on stderr when something is missing and cannot be installed. Asks nothing
# unless a terminal is there and sudo wants a password.
ensure_packages() {
  local missing
  missing=$(missing_packages "$@") || return 1
  [[ -z $missing ]] && return 0
  local -a packages
  mapfile -t packages <<<"$missing"
  echo "Installing ${#packages[@]} missing packages: ${packages[*]}" >&2
  local -a as_root
  if ! administrator_command as_root; then
    echo "Neither root nor able to use sudo. Install them as root, then start again:" >&2
    echo "  apt-get install --no-install-recommends ${packages[*]}" >&2
    return 1
  fi
  # Variables are given through env, because sudo drops those of the caller.
  local -a apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y
    -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0)
  if ! "${apt[@]}" update >&2 || ! "${apt[@]}" install --no-install-recommends "${packages[@]}" >&2; then
    echo "Installing failed. Atrium is built on Debian 12 (bookworm) with Debian's own packages." >&2
    return 1
  fi
}

# missing_packages LIST...   prints the packages of the lists that are not installed, one per line; without those that
# are wanted for a command which is there.
missing_packages() {
  if ! command -v dpkg-query >/dev/null; then
    echo "No dpkg-query here: Atrium is built on Debian 12 (bookworm) with Debian's own packages." >&2
    return 1
  fi
  local -a wanted
  mapfile -t wanted < <(cd "$setup_folder" && cat "${@/%/.packages}" | LC_ALL=C sort -u)
  local installed
  installed=$(dpkg-query --show --showformat='${db:Status-Status} ${Package}\n' "${wanted[@]}" 2>/dev/null) || true
  local package
  for package in "${wanted[@]}"; do
    grep -qxF "installed $package" <<<"$installed" || has_command "${wanted_for[$package]:-}" || echo "$package"
  done
}

# has_command NAME   whether there is such a command; there is none without a name.
has_command() {
  [[ -n $1 ]] && command -v "$1" >/dev/null
}

# administrator_command ARRAY_NAME   fills the array with what to put before a command that needs root.
administrator_command() {
  local -n answer=$1
  answer=()
  if ((EUID == 0)); then
    return 0
  fi
  command -v sudo >/dev/null || return 1
  if sudo -n true 2>/dev/null; then
    answer=(sudo -n)
  elif [[ -t 0 ]]; then
    answer=(sudo)
  else
    return 1
  fi
}

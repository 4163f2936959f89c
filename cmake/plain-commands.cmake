# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0

# cmake -D FROM=compile_commands.json -D TO=... -P plain-commands.cmake
# The commands of the build without precompiled headers, for tools that are to see what a source includes itself.
file(READ ${FROM} commands)
string(REGEX REPLACE " -Winvalid-pch[^\"\n]* -Xclang -include -Xclang [^ \"]+/cmake_pch\\.hxx" "" commands "${commands}")
file(WRITE ${TO} "${commands}")

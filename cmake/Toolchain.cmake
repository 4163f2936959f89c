# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0

# g++ 12 silently miscompiles coroutines (docs/adr/0004-compiler-and-language.md), so only clang 19 is accepted.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang" OR CMAKE_CXX_COMPILER_VERSION VERSION_LESS 19)
  message(FATAL_ERROR "Atrium is built with clang++-19 or later; this is "
                      "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}. Use a preset: cmake --preset dev")
endif()

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_program(ATRIUM_CCACHE ccache)
if(ATRIUM_CCACHE)
  # Without these, ccache does not look at what was compiled with a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${ATRIUM_CCACHE})
endif()

add_link_options(-fuse-ld=lld -Wl,--as-needed)
# All addresses are looked up at the start, and the table of them is read-only from then on.
add_link_options(-Wl,-z,relro,-z,now)

# Flags that must be equal in every object of the build, ours and generated.
if(ATRIUM_SANITIZE)
  add_compile_options(-fsanitize=${ATRIUM_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${ATRIUM_SANITIZE})
endif()

# Warnings are errors, for our code only: third-party headers are system headers.
add_library(atrium_warnings INTERFACE)
target_compile_options(atrium_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual
  -Wimplicit-fallthrough -Wthread-safety -Werror)

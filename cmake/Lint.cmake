# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0

# clang-tidy as build steps: a source is linted again only when it or one of its headers changed. Without the packages of
# setup/test.packages there is no such step.
#
#   atrium_lint(target a.cc b.cc)      the target `tidy` lints them, `tidy_sources` too unless they are tests
find_program(ATRIUM_CLANG_TIDY clang-tidy-19)
find_path(ATRIUM_TIDY_HEADERS clang-tidy/ClangTidyCheck.h PATHS /usr/lib/llvm-19/include NO_DEFAULT_PATH)
if(ATRIUM_TESTS AND ATRIUM_CLANG_TIDY AND ATRIUM_TIDY_HEADERS AND NOT ATRIUM_SANITIZE)
  set(ATRIUM_LINT ON)
endif()

if(ATRIUM_LINT)
  add_custom_target(tidy)
  # Without the tests: what a full run has time for.
  add_custom_target(tidy_sources)

  add_library(atrium_own_code MODULE EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/cmake/own_code.cc)
  target_include_directories(atrium_own_code SYSTEM PRIVATE ${ATRIUM_TIDY_HEADERS})
  # As LLVM itself is compiled.
  target_compile_options(atrium_own_code PRIVATE -fno-rtti)

  set(plain ${CMAKE_BINARY_DIR}/plain/compile_commands.json)
  add_custom_command(
    OUTPUT ${plain}
    COMMAND ${CMAKE_COMMAND} -D FROM=${CMAKE_BINARY_DIR}/compile_commands.json -D TO=${plain}
            -P ${CMAKE_SOURCE_DIR}/cmake/plain-commands.cmake
    DEPENDS ${CMAKE_BINARY_DIR}/compile_commands.json ${CMAKE_SOURCE_DIR}/cmake/plain-commands.cmake
    VERBATIM)
  add_custom_target(plain_commands DEPENDS ${plain})
endif()

function(atrium_lint target)
  if(NOT ATRIUM_LINT)
    return()
  endif()
  set(stamps)
  foreach(source IN LISTS ARGN)
    set(file ${CMAKE_CURRENT_SOURCE_DIR}/${source})
    set(stamp ${CMAKE_CURRENT_BINARY_DIR}/tidy/${source}.stamp)
    add_custom_command(
      OUTPUT ${stamp}
      COMMAND ${CMAKE_SOURCE_DIR}/cmake/tidy-one.sh ${CMAKE_BINARY_DIR}/plain $<TARGET_FILE:atrium_own_code> ${file} ${stamp}
      DEPENDS ${file} ${CMAKE_SOURCE_DIR}/.clang-tidy ${CMAKE_SOURCE_DIR}/cmake/tidy-one.sh atrium_own_code
      DEPFILE ${stamp}.d
      COMMENT "Linting ${source}"
      VERBATIM)
    list(APPEND stamps ${stamp})
  endforeach()
  add_custom_target(tidy_${target} DEPENDS ${stamps})
  # The commands are written again whenever CMake runs, which alone is no reason to lint again.
  add_dependencies(tidy_${target} plain_commands)
  add_dependencies(tidy tidy_${target})
  if(NOT target MATCHES "_test$")
    add_dependencies(tidy_sources tidy_${target})
  endif()
endfunction()

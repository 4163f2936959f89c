# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0

# Optimising a test takes as long as reading it, and it runs once.
if(CMAKE_BUILD_TYPE STREQUAL "Debug" AND NOT ATRIUM_SANITIZE)
  set(ATRIUM_TEST_OPTIONS -O0)
endif()
include(Precompiled)
include(Lint)

# One call per folder of src/. Makes the library atrium_<name> (alias atrium::<name>), its unit test
# <name>_test, the check that each header compiles alone, and one lint step per source.
#
#   atrium_module(calendar
#     HEADERS  keys.h records.h service.h
#     SOURCES  keys.cc records.cc service.cc
#     TESTS    keys_test.cc service_test.cc
#     DEPENDS  atrium::base atrium::store        # modules and libraries seen by our headers
#     PRIVATE  OpenSSL::Crypto                   # libraries only our sources see
#     TEST_DEPENDS atrium::engine_memory)        # what only the unit test needs
function(atrium_module name)
  cmake_parse_arguments(arg "" "" "HEADERS;SOURCES;TESTS;DEPENDS;PRIVATE;TEST_DEPENDS" ${ARGN})
  set(target atrium_${name})
  add_library(${target} STATIC ${arg_SOURCES})
  add_library(atrium::${name} ALIAS ${target})
  atrium_headers(${target} "${arg_HEADERS}" "${arg_SOURCES}")
  target_link_libraries(${target} PUBLIC ${arg_DEPENDS} PRIVATE ${arg_PRIVATE} atrium_warnings)
  if(TARGET atrium_precompiled)
    target_precompile_headers(${target} REUSE_FROM atrium_precompiled)
  endif()
  atrium_lint(${target} ${arg_SOURCES})
  if(ATRIUM_TESTS AND arg_TESTS)
    atrium_unit_test(${name} ${arg_TESTS})
    target_link_libraries(${name}_test PRIVATE ${arg_TEST_DEPENDS})
  endif()
endfunction()

# A header is proved to compile alone by the source of its name, which includes it first (tests/house/test_own_header.py)
# and is linted without precompiled headers. The others are compiled for that.
function(atrium_headers target headers sources)
  set(alone)
  foreach(header IN LISTS headers)
    string(REGEX REPLACE "\\.h$" ".cc" source ${header})
    if(NOT source IN_LIST sources)
      list(APPEND alone ${header})
    endif()
  endforeach()
  target_sources(${target} PUBLIC
    FILE_SET HEADERS BASE_DIRS ${CMAKE_SOURCE_DIR}/src FILES ${headers}
    FILE_SET alone TYPE HEADERS BASE_DIRS ${CMAKE_SOURCE_DIR}/src FILES ${alone})
  if(ATRIUM_TESTS AND alone)
    set_target_properties(${target} PROPERTIES
      VERIFY_INTERFACE_HEADER_SETS ON INTERFACE_HEADER_SETS_TO_VERIFY alone)
  endif()
endfunction()

function(atrium_unit_test name)
  set(target ${name}_test)
  add_executable(${target} ${ARGN})
  target_link_libraries(${target} PRIVATE atrium::${name} GTest::gmock GTest::gtest_main atrium_warnings)
  # Where a test makes sockets or programs of its own, it sees what the module itself sees.
  target_link_libraries(${target} PRIVATE $<TARGET_PROPERTY:atrium_${name},LINK_LIBRARIES>)
  target_compile_options(${target} PRIVATE ${ATRIUM_TEST_OPTIONS})
  if(TARGET atrium_test_precompiled)
    target_precompile_headers(${target} REUSE_FROM atrium_test_precompiled)
  endif()
  set_property(GLOBAL APPEND PROPERTY ATRIUM_UNIT_TESTS ${target})
  atrium_lint(${target} ${ARGN})
endfunction()

# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0

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
  target_sources(${target} PUBLIC FILE_SET HEADERS BASE_DIRS ${CMAKE_SOURCE_DIR}/src FILES ${arg_HEADERS})
  target_link_libraries(${target} PUBLIC ${arg_DEPENDS} PRIVATE ${arg_PRIVATE} atrium_warnings)
  set_target_properties(${target} PROPERTIES VERIFY_INTERFACE_HEADER_SETS ${ATRIUM_TESTS})
  atrium_lint(${target} ${arg_SOURCES})
  if(ATRIUM_TESTS AND arg_TESTS)
    atrium_unit_test(${name} ${arg_TESTS})
    target_link_libraries(${name}_test PRIVATE ${arg_TEST_DEPENDS})
  endif()
endfunction()

function(atrium_unit_test name)
  set(target ${name}_test)
  add_executable(${target} ${ARGN})
  target_link_libraries(${target} PRIVATE atrium::${name} GTest::gmock GTest::gtest_main atrium_warnings)
  # Where a test makes sockets or programs of its own, it sees what the module itself sees.
  target_link_libraries(${target} PRIVATE $<TARGET_PROPERTY:atrium_${name},LINK_LIBRARIES>)
  set_property(GLOBAL APPEND PROPERTY ATRIUM_UNIT_TESTS ${target})
  atrium_lint(${target} ${ARGN})
endfunction()

# clang-tidy as build steps: a source is linted again only when it or one of its headers changed.
find_program(ATRIUM_CLANG_TIDY clang-tidy-19)
if(ATRIUM_TESTS AND ATRIUM_CLANG_TIDY AND NOT ATRIUM_SANITIZE)
  add_custom_target(tidy)
  # Without the tests: what a full run has time for.
  add_custom_target(tidy_sources)
  set(ATRIUM_LINT ON)
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
      COMMAND ${CMAKE_SOURCE_DIR}/cmake/tidy-one.sh ${CMAKE_BINARY_DIR} ${file} ${stamp}
      DEPENDS ${file} ${CMAKE_SOURCE_DIR}/.clang-tidy ${CMAKE_SOURCE_DIR}/cmake/tidy-one.sh
      DEPFILE ${stamp}.d
      COMMENT "Linting ${source}"
      VERBATIM)
    list(APPEND stamps ${stamp})
  endforeach()
  add_custom_target(tidy_${target} DEPENDS ${stamps})
  add_dependencies(tidy tidy_${target})
  if(NOT target MATCHES "_test$")
    add_dependencies(tidy_sources tidy_${target})
  endif()
endfunction()

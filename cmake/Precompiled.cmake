# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0

# The headers of others that most sources read, parsed once instead of each time: a third of the time of a build. Builds
# with ATRIUM_PRECOMPILE alone use them. The lint and the check of headers do not (cmake/plain-commands.cmake), so a source
# that forgot an #include is found there.
option(ATRIUM_PRECOMPILE "Precompile headers of other projects" OFF)
if(NOT ATRIUM_PRECOMPILE)
  return()
endif()

set(headers
  <algorithm> <array> <atomic> <charconv> <chrono> <condition_variable> <cstddef> <cstdint> <cstdlib> <cstring>
  <expected> <filesystem> <functional> <map> <memory> <mutex> <optional> <set> <span> <stop_token> <string>
  <string_view> <system_error> <thread> <utility> <variant> <vector>
  <boost/describe.hpp> <boost/json.hpp> <boost/mp11.hpp> <fmt/format.h>)

# precompile(NAME HEADER...)   makes a target for others to REUSE_FROM.
function(precompile name)
  # A target with a precompiled header needs a source.
  set(nothing ${CMAKE_BINARY_DIR}/generated/${name}.cc)
  file(CONFIGURE OUTPUT ${nothing} CONTENT "")
  add_library(${name} OBJECT ${nothing})
  # Not fmt: its definitions are not the same everywhere, and change nothing on Linux.
  target_link_libraries(${name} PRIVATE Boost::json)
  # Without a timestamp in it, ccache knows the same header again.
  target_compile_options(${name} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  target_precompile_headers(${name} PRIVATE ${ARGN})
endfunction()

precompile(atrium_precompiled ${headers})
if(ATRIUM_TESTS)
  precompile(atrium_test_precompiled ${headers} <gmock/gmock.h> <gtest/gtest.h>)
  target_link_libraries(atrium_test_precompiled PRIVATE GTest::gmock)
  # Both sides must agree on these; programs are compiled with -fPIE, libraries with -fPIC.
  set_target_properties(atrium_test_precompiled PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(atrium_test_precompiled PRIVATE -fPIE ${ATRIUM_TEST_OPTIONS})
endif()

# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
find_package(Threads REQUIRED)
find_package(OpenSSL 3 REQUIRED)
find_package(ZLIB REQUIRED)
find_package(Boost 1.81 REQUIRED COMPONENTS json url)
find_package(CURL REQUIRED)
find_package(absl REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(CLI11 REQUIRED)
find_package(prometheus-cpp REQUIRED)
find_package(RocksDB 7.8 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(systemd REQUIRED IMPORTED_TARGET libsystemd)
# Neither find_package(zstd) nor the prefix zstd: both meet the module of that name that RocksDB brings.
pkg_check_modules(libzstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(cjose REQUIRED IMPORTED_TARGET cjose)
pkg_check_modules(argon2 REQUIRED IMPORTED_TARGET libargon2)
pkg_check_modules(libarchive REQUIRED IMPORTED_TARGET libarchive)
pkg_check_modules(utf8proc REQUIRED IMPORTED_TARGET libutf8proc)
# What all programs get their memory from: docs/adr/0031-the-allocator.md. Sanitizers bring an allocator of their own.
add_library(atrium_allocator INTERFACE)
if(NOT ATRIUM_SANITIZE)
  pkg_check_modules(jemalloc REQUIRED IMPORTED_TARGET jemalloc)
  # Nothing of ours names it, so the linker would leave it out.
  target_link_libraries(atrium_allocator INTERFACE -Wl,--push-state,--no-as-needed PkgConfig::jemalloc -Wl,--pop-state)
endif()
if(ATRIUM_TESTS)
  # The second opinion on files of calendars.
  pkg_check_modules(libical REQUIRED IMPORTED_TARGET libical)
  # The second opinion on what Windows calls zones; libical depends on it anyway.
  pkg_check_modules(icu REQUIRED IMPORTED_TARGET icu-i18n)
endif()
if(ATRIUM_TESTS)
  find_package(GTest REQUIRED)
endif()

# These definitions change what the headers declare, so every object that sees Asio or Beast must agree on them.
# src/http/boost_objects.cc holds the one compiled copy.
add_library(atrium_asio INTERFACE)
target_compile_definitions(atrium_asio INTERFACE
  BOOST_ASIO_SEPARATE_COMPILATION BOOST_BEAST_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED
  BOOST_ASIO_DISABLE_BOOST_COROUTINE
  # A request is served by about six nested coroutines; their frames are used again instead of freed.
  BOOST_ASIO_RECYCLING_ALLOCATOR_CACHE_SIZE=8)
target_link_libraries(atrium_asio INTERFACE Boost::headers OpenSSL::SSL OpenSSL::Crypto Threads::Threads)

# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0

# `cmake --install build/release` installs the program and its documents under the prefix. `cpack -G DEB` in
# build/release makes the Debian package, which also has the service and its configuration; it needs dpkg-dev.
if(NOT TARGET atrium)
  return()
endif()

include(GNUInstallDirs)
install(TARGETS atrium RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT program)
foreach(document CHANGELOG.md LICENSE README.md docs/configuration.md docs/operations.md packaging/copyright)
  install(FILES ${CMAKE_SOURCE_DIR}/${document} DESTINATION share/doc/atrium COMPONENT program OPTIONAL)
endforeach()
# These belong to the system, whatever the prefix, so only the package has them.
install(FILES ${CMAKE_SOURCE_DIR}/packaging/atrium.service DESTINATION /lib/systemd/system
        COMPONENT service EXCLUDE_FROM_ALL)
install(FILES ${CMAKE_SOURCE_DIR}/packaging/atrium.yaml DESTINATION /etc/atrium
        COMPONENT service EXCLUDE_FROM_ALL)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME atrium)
set(CPACK_PACKAGE_VENDOR "The Atrium authors")
set(CPACK_PACKAGE_CONTACT "The Atrium authors <authors@atrium.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "one server for the calendars and files of a group of people")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL program service)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "adduser, init-system-helpers (>= 1.52), tzdata")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS ca-certificates)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
    ${CMAKE_SOURCE_DIR}/packaging/conffiles ${CMAKE_SOURCE_DIR}/packaging/postinst
    ${CMAKE_SOURCE_DIR}/packaging/postrm ${CMAKE_SOURCE_DIR}/packaging/prerm)
include(CPack)

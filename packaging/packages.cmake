# Packages for systems: `cmake --preset package && cmake --build --preset package`, then `cpack` in
# build/package makes three .deb files and three archives. How they are split, and why they have
# their names, is in docs/decisions/packages.md.
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME cairn)
set(CPACK_PACKAGE_VENDOR "Cairn")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_COMPONENTS_ALL library development tools)
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_ARCHIVE_LIBRARY_FILE_NAME cairn-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-library)
set(CPACK_ARCHIVE_DEVELOPMENT_FILE_NAME cairn-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-development)
set(CPACK_ARCHIVE_TOOLS_FILE_NAME cairn-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-tools)

set(CAIRN_PACKAGE_MAINTAINER "The Cairn authors <cairn@cairn.invalid>" CACHE STRING
    "Whom packages name as their maintainer")
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${CAIRN_PACKAGE_MAINTAINER})
# Below 1, which is the first of Debian itself.
set(CPACK_DEBIAN_PACKAGE_RELEASE 0.1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/debian_files.cmake)

# The number in the name of the shared library is in that of its package.
get_target_property(abi cairn SOVERSION)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libcairn${abi})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
# By a trigger, and not by scripts of its own, which cpack would add.
file(WRITE ${PROJECT_BINARY_DIR}/packaging/triggers "activate-noawait ldconfig\n")
file(WRITE ${PROJECT_BINARY_DIR}/packaging/shlibs
  "libcairn ${abi} libcairn${abi} (>= ${PROJECT_VERSION})\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA
    "${PROJECT_BINARY_DIR}/packaging/triggers;${PROJECT_BINARY_DIR}/packaging/shlibs")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libcairn-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS zlib1g-dev)
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME cairn-tools)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION utils)

# The first line is what lists of packages show.
set(what "Cairn finds shortest paths on grids and graphs. It computes the exact costs
from a few landmarks of a map beforehand, compresses them into a small file,
and gets from them bounds by which A* expands far fewer nodes. When the map
changes it repairs what the change has made wrong.")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "landmark tables for pathfinding on maps (library)\n${what}")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION
    "landmark tables for pathfinding on maps (headers)\n${what}\n.\nThis package has what programs in C and C++ are compiled with.")
set(CPACK_COMPONENT_TOOLS_DESCRIPTION
    "landmark tables for pathfinding on maps (program)\n${what}\n.\nThis package has the program cairn.")

include(CPack)
cpack_add_component(library)
cpack_add_component(development DEPENDS library)
cpack_add_component(tools DEPENDS library)

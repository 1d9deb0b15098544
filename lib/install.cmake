# Installation: headers, library, CMake package and pkg-config file. Its components are those of
# packaging/packages.cmake.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS cairn EXPORT cairn-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library NAMELINK_COMPONENT development
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT library)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE COMPONENT development
  DESTINATION ${CMAKE_INSTALL_DATADIR}/licenses/cairn)
install(DIRECTORY include/cairn DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)

set(CAIRN_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/cairn)
install(EXPORT cairn-targets NAMESPACE cairn:: DESTINATION ${CAIRN_PACKAGE_DIR}
  COMPONENT development)
configure_package_config_file(cairn-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/cairn-config.cmake
  INSTALL_DESTINATION ${CAIRN_PACKAGE_DIR} PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/cairn-config-version.cmake
  COMPATIBILITY ${CAIRN_COMPATIBILITY})
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cairn-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/cairn-config-version.cmake
              FindLibdeflate.cmake cairn-build-tables.cmake
  DESTINATION ${CAIRN_PACKAGE_DIR} COMPONENT development)

# The prefix is found from where the .pc file lies, so that an installed tree may be moved.
set(CAIRN_PC_DIR ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH CAIRN_PC_PREFIX ${CAIRN_PC_DIR} ${CMAKE_INSTALL_PREFIX})
file(RELATIVE_PATH CAIRN_PC_LIBDIR ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH CAIRN_PC_INCLUDEDIR ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
# An archive alone needs its libraries in every link, so also without --static.
if(CAIRN_LIBRARY_TYPE STREQUAL "SHARED_LIBRARY")
  set(CAIRN_PC_PRIVATE ".private")
  set(CAIRN_PC_BESIDE_SHARED "${CAIRN_PC_LIBDEFLATE}${CAIRN_PC_THREADS}")
else()
  set(CAIRN_PC_BESIDE "${CAIRN_PC_LIBDEFLATE}${CAIRN_PC_THREADS}")
endif()
configure_file(cairn.pc.in ${CMAKE_CURRENT_BINARY_DIR}/cairn.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cairn.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

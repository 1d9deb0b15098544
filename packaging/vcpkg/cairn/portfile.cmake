# An overlay port: it builds the tree that it lies in.
#
#     vcpkg install cairn --overlay-ports=packaging/vcpkg
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../.." ABSOLUTE)

if("libdeflate" IN_LIST FEATURES)
  set(libdeflate ON)
else()
  set(libdeflate OFF)
endif()
vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DCAIRN_BUILD_TOOLS=OFF -DCAIRN_INSTALL=ON -DCAIRN_LIBDEFLATE=${libdeflate})
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/cairn)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")

# cmake --build BUILD --target uninstall: removes what `cmake --install BUILD` wrote, by the list that
# it left, and no folder that somebody else may use.
add_custom_target(uninstall VERBATIM
  COMMAND ${CMAKE_COMMAND} -D LIST=${CMAKE_BINARY_DIR}/install_manifest.txt
          -P ${CMAKE_CURRENT_LIST_DIR}/remove_files.cmake)

# The documents, which an installed tree has as well. Files of the tree that is built are not there:
# of links to them the words are left.
include(GNUInstallDirs)
set(CAIRN_NOT_INSTALLED "lib|data|packaging|bindings|tests|bench/|tools|CONTRIBUTING\\.md")

function(cairn_install_page page)
  file(READ "${CMAKE_CURRENT_SOURCE_DIR}/${page}" text)
  string(REGEX REPLACE "\\[([^]]*)\\]\\((\\.\\./)*(${CAIRN_NOT_INSTALLED})[^)]*\\)" "\\1" text "${text}")
  get_filename_component(folder "${page}" DIRECTORY)
  file(WRITE "${CMAKE_CURRENT_BINARY_DIR}/documents/${page}" "${text}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${page}")
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/documents/${page}"
          DESTINATION "${CMAKE_INSTALL_DOCDIR}/${folder}" COMPONENT development)
endfunction()

file(GLOB CAIRN_PAGES RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" CONFIGURE_DEPENDS README.md CHANGELOG.md
     docs/*.md docs/benchmarks/*.md docs/decisions/*.md)
foreach(page IN LISTS CAIRN_PAGES)
  cairn_install_page("${page}")
endforeach()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development)
install(DIRECTORY docs/images DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs COMPONENT development)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development)

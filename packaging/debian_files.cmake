# What Debian wants beside the files that are installed: in each package its copyright and a list of
# changes, manual pages compressed, and completion for zsh where its packages have it. cpack runs this
# between installing and packing.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()

function(compress path)
  execute_process(COMMAND gzip -9nf ${path} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# PACKAGE FOLDER
function(add_documents package folder)
  set(documents ${folder}/usr/share/doc/${package})
  file(READ ${CPACK_RESOURCE_FILE_LICENSE} licence)
  string(REGEX REPLACE "\n\n" "\n.\n" licence "${licence}")
  string(REGEX REPLACE "\n" "\n " licence "${licence}")
  string(REGEX MATCH "Copyright \\(c\\) ([^\n]*)" line "${licence}")
  string(STRIP "${licence}" licence)
  file(WRITE ${documents}/copyright
    "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\n"
    "Files: *\nCopyright: ${CMAKE_MATCH_1}\nLicense: Expat\n ${licence}\n")
  string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)
  file(WRITE ${documents}/changelog.Debian
    "cairn (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) UNRELEASED; urgency=medium\n\n"
    "  * What has changed is in the changelog of libcairn-dev.\n\n"
    " -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${now}\n")
  compress(${documents}/changelog.Debian)
endfunction()

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  string(TOUPPER ${component} upper)
  set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  set(folder ${CPACK_TEMPORARY_DIRECTORY}/${component})
  # Debian has a licence once, as the copyright, and the documents of a package under its name.
  file(REMOVE_RECURSE ${folder}/usr/share/licenses)
  if(EXISTS ${folder}/usr/share/doc/cairn)
    file(RENAME ${folder}/usr/share/doc/cairn ${folder}/usr/share/doc/${package})
    file(RENAME ${folder}/usr/share/doc/${package}/CHANGELOG.md
         ${folder}/usr/share/doc/${package}/changelog)
    compress(${folder}/usr/share/doc/${package}/changelog)
  endif()
  if(EXISTS ${folder}/usr/share/zsh/site-functions)
    file(RENAME ${folder}/usr/share/zsh/site-functions ${folder}/usr/share/zsh/vendor-completions)
  endif()
  add_documents(${package} ${folder})
  if(component STREQUAL "library")
    file(WRITE ${folder}/usr/share/lintian/overrides/${package}
      "# cpack adds these calls to what has a shared library; the trigger does the same.\n"
      "${package}: maintscript-calls-ldconfig *\n")
  endif()
  file(GLOB pages ${folder}/usr/share/man/man*/*.[13])
  foreach(page IN LISTS pages)
    compress(${page})
  endforeach()
endforeach()

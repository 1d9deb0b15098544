# cairn_build_tables(TARGET MAPS MAP... [OPTIONS OPTION...] [OUTPUT_DIRECTORY FOLDER]
#                    [TABLES VARIABLE])
#
# A target that is built by default and builds a table of each map with `cairn build MAP OPTIONS`, side
# by side as the generator runs its jobs, again where a map, a file that an option names (--terrain,
# --heights, --places, --pairs, --list) or the program has changed. Tables are called after their maps,
# in FOLDER (by default the binary folder of the caller); TABLES names a variable for the list of them.
# Relative paths are below the caller's source folder.
#
# The program is that of the installed package, or of the same build; CAIRN_PROGRAM names another one,
# as for builds that run elsewhere than what they build.
cmake_policy(PUSH)
cmake_policy(VERSION 3.21)

# Sets `variable` to the program and `target` to the target that builds it, if one does.
function(_cairn_find_program variable target)
  if(NOT CAIRN_PROGRAM AND TARGET cairn_program)
    set(${variable} $<TARGET_FILE:cairn_program> PARENT_SCOPE)
    set(${target} cairn_program PARENT_SCOPE)
    return()
  endif()
  get_property(folder GLOBAL PROPERTY CAIRN_PROGRAM_DIR)
  find_program(CAIRN_PROGRAM cairn HINTS ${folder} NO_CMAKE_FIND_ROOT_PATH
    DOC "The program cairn, which builds tables")
  if(NOT CAIRN_PROGRAM)
    message(FATAL_ERROR "cairn_build_tables needs the program cairn, which is not installed beside "
      "the library: set CAIRN_PROGRAM to its path")
  endif()
  set(${variable} ${CAIRN_PROGRAM} PARENT_SCOPE)
  set(${target} "" PARENT_SCOPE)
endfunction()

# Options with the files that they name as absolute paths, since rules run in the binary folder.
function(_cairn_absolute_options variable)
  set(files "^--(terrain|heights|places|pairs|list)")
  set(before "")
  set(absolute "")
  foreach(word IN LISTS ARGN)
    if(before MATCHES "${files}$" AND EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${word}")
      list(APPEND absolute "${CMAKE_CURRENT_SOURCE_DIR}/${word}")
    elseif(word MATCHES "${files}=(.+)$" AND EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${CMAKE_MATCH_2}")
      list(APPEND absolute "--${CMAKE_MATCH_1}=${CMAKE_CURRENT_SOURCE_DIR}/${CMAKE_MATCH_2}")
    else()
      list(APPEND absolute "${word}")
    endif()
    set(before "${word}")
  endforeach()
  set(${variable} "${absolute}" PARENT_SCOPE)
endfunction()

function(cairn_build_tables target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "OUTPUT_DIRECTORY;TABLES" "MAPS;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_MAPS)
    message(FATAL_ERROR "cairn_build_tables: expected TARGET MAPS MAP... [OPTIONS OPTION...] "
      "[OUTPUT_DIRECTORY FOLDER] [TABLES VARIABLE]")
  endif()
  _cairn_find_program(program program_target)
  _cairn_absolute_options(options ${arg_OPTIONS})
  get_filename_component(folder "${arg_OUTPUT_DIRECTORY}" ABSOLUTE
    BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  file(MAKE_DIRECTORY "${folder}")
  # One thread for a table: the generator runs as many jobs as the machine is to have.
  if(NOT "${options}" MATCHES "(^|;)--threads")
    list(APPEND options --threads 1)
  endif()

  set(tables "")
  foreach(map IN LISTS arg_MAPS)
    get_filename_component(map "${map}" ABSOLUTE)
    get_filename_component(name "${map}" NAME)
    string(REGEX REPLACE "\\.map$" "" name "${name}")
    set(table "${folder}/${name}.cairn")
    if(table IN_LIST tables)
      message(FATAL_ERROR "cairn_build_tables: ${map} and another map would both become ${table}; "
        "maps of one name need targets with an OUTPUT_DIRECTORY each")
    endif()
    add_custom_command(OUTPUT "${table}"
      COMMAND ${program} build "${map}" -o "${table}" --depfile "${table}.d" ${options}
      DEPENDS "${map}" ${program_target} DEPFILE "${table}.d"
      COMMENT "Building the table ${name}.cairn" VERBATIM)
    list(APPEND tables "${table}")
  endforeach()
  add_custom_target(${target} ALL DEPENDS ${tables})
  if(arg_TABLES)
    set(${arg_TABLES} "${tables}" PARENT_SCOPE)
  endif()
endfunction()

cmake_policy(POP)

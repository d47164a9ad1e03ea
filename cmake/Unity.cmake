# Unity builds: the sources of a room (grader/run, emulator/checkers, ... with the folders in it) are compiled two
# dozen at a time, because most of a source's time goes into the headers that its neighbours include, too. Included
# last, when all targets are known.
#
# Two sources of a room may share a translation unit, so that names in their anonymous namespaces have to
# differ; the compiler reports those that do not. Tests, which often name their helpers alike, are united by folder, a
# dozen at a time. Not united are sources with options of their own, instruction handlers (the time goes into
# optimising them), the library that submissions are linked with (a program takes only the objects that it needs), the
# main program with its allocator, benches, and the programs of folders named tests, whose sources repeat each other's
# names on purpose.
option(WARPGRADE_UNITY "Compile the sources of a room two dozen at a time" OFF)
# With more, all sources compile faster, and after a change of one too much is compiled again.
set(WARPGRADE_UNITY_SOURCES 24 CACHE STRING "Sources of a translation unit at most; of tests half as many")

function(unite_target target)
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  set(groups "")
  set(most ${WARPGRADE_UNITY_SOURCES})
  if(target MATCHES "_test$")
    math(EXPR most "${most} / 2")
  endif()
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "\\.cpp$" OR source MATCHES "^\\$<")
      continue()
    endif()
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${folder}")
    get_source_file_property(definitions "${source}" TARGET_DIRECTORY ${target} COMPILE_DEFINITIONS)
    if(definitions OR source MATCHES "^${CMAKE_BINARY_DIR}/")
      continue()
    endif()
    cmake_path(GET source PARENT_PATH parent)
    cmake_path(RELATIVE_PATH parent BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    if(NOT target MATCHES "_test$")  # the first two folders: the room
      string(REGEX REPLACE "^([^/]+/[^/]+)/.*" "\\1" parent "${parent}")
    endif()
    string(MAKE_C_IDENTIFIER "${parent}" key)
    if(NOT key IN_LIST groups)
      list(APPEND groups ${key})
      set(of_${key} "")
    endif()
    list(APPEND of_${key} "${source}")
  endforeach()
  foreach(key IN LISTS groups)
    list(LENGTH of_${key} count)
    if(count LESS 2)
      continue()
    endif()
    # In parts of the same size.
    math(EXPR parts "(${count} + ${most} - 1) / ${most}")
    set(number 0)
    foreach(source IN LISTS of_${key})
      math(EXPR part "${number} * ${parts} / ${count}")
      set_source_files_properties("${source}" TARGET_DIRECTORY ${target} PROPERTIES
        UNITY_GROUP "${key}_${part}")
      math(EXPR number "${number} + 1")
    endforeach()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

function(unite_folder folder)
  get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    if(NOT target MATCHES "^warpsim_isa_|^header_test$|^warpgrade_worker$|^warpgrade$" AND NOT type MATCHES "INTERFACE_LIBRARY|UTILITY")
      unite_target(${target})
    endif()
  endforeach()
  get_property(subfolders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(subfolder IN LISTS subfolders)
    if(NOT subfolder MATCHES "/(tests|[a-z]+_bench)$")
      unite_folder("${subfolder}")
    endif()
  endforeach()
endfunction()

if(WARPGRADE_UNITY)
  # A class that only one source sees may have members of types that only this source sees.
  target_compile_options(warpgrade_flags INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
  unite_folder("${PROJECT_SOURCE_DIR}")
endif()

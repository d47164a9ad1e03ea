# CUDA programs, all of them tests or benchmarks, and the tests that run them. With nvcc a program is an
# ordinary target of the language CUDA; without it, clang compiles those that its headers cover
# (emulator/include, scripts/clang_cuda), and the tests of the others are shown as skipped.

# The headers of the CUDA runtime API that the project's own sources are compiled with, and the CUDA
# version of the programs. find_package(CUDAToolkit) is not used: up to CMake 3.25 it fails with
# CUDA 13, which has no nvToolsExt any more.
if(WARPGRADE_NVCC)
  set(cuda_headers ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})
  string(REGEX MATCH "^[0-9]+" cuda_major "${CMAKE_CUDA_COMPILER_VERSION}")
  find_library(CUDA_cudart_LIBRARY cudart REQUIRED
    PATHS ${CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES} NO_DEFAULT_PATH)
else()
  set(cuda_headers "${PROJECT_SOURCE_DIR}/emulator/include")
  set(cuda_major 13)
  # For another processor clang needs no other installation, but objcopy is one for that processor.
  set(clang_cuda "${PROJECT_SOURCE_DIR}/scripts/clang_cuda")
  if(CMAKE_CROSSCOMPILING)
    set(clang_cuda "${CMAKE_COMMAND}" -E env "OBJCOPY=${CMAKE_OBJCOPY}" "${clang_cuda}"
      "--target=${CMAKE_SYSTEM_PROCESSOR}-linux-gnu" "--sysroot=${CMAKE_SYSROOT}")
  endif()
  # The script knows which clang it can use: asked once per build folder.
  if(NOT CLANG_COMPILES_CUDA)
    file(WRITE "${CMAKE_BINARY_DIR}/clang_probe.cu" "__global__ void probe() {}\n")
    execute_process(
      COMMAND ${clang_cuda} -c
        -o "${CMAKE_BINARY_DIR}/clang_probe.o" "${CMAKE_BINARY_DIR}/clang_probe.cu"
      RESULT_VARIABLE status ERROR_VARIABLE problem)
    if(status EQUAL 0)
      set(CLANG_COMPILES_CUDA TRUE CACHE INTERNAL "scripts/clang_cuda works")
    else()
      message(STATUS "clang cannot compile CUDA programs here: ${problem}")
    endif()
  endif()
  message(STATUS "No nvcc: tests that need it are skipped")
endif()

# add_skipped_test(<name> [LABEL <label>]): in the place of a test whose program needs nvcc.
function(add_skipped_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL" "")
  add_test(NAME ${name} COMMAND "${CMAKE_COMMAND}" -E echo "skipped: needs nvcc")
  set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "skipped: needs nvcc")
  if(arg_LABEL)
    set_tests_properties(${name} PROPERTIES LABELS "${arg_LABEL}")
  endif()
endfunction()

# add_cuda_executable(<target> [CLANG] [EXCLUDE_FROM_ALL] [SHARED_LIBRARY] [OPTIONS <options>...]
#                     [CLANG_OPTIONS <options>...] SOURCES <sources>...)
# A program, or with SHARED_LIBRARY a library to load, from .cu and .cpp files. OPTIONS are nvcc's for
# the .cu files. Without nvcc it exists only with CLANG, built by clang with CLANG_OPTIONS, and only where
# clang works: ask `if(TARGET <target>)`. Both find the CUDA runtime where the loader looks, which is
# chosen when the program starts.
function(add_cuda_executable target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "CLANG;EXCLUDE_FROM_ALL;SHARED_LIBRARY" ""
    "OPTIONS;CLANG_OPTIONS;SOURCES")
  set(exclude "")
  if(arg_EXCLUDE_FROM_ALL)
    set(exclude EXCLUDE_FROM_ALL)
  endif()
  if(NOT WARPGRADE_NVCC)
    if(NOT arg_CLANG OR NOT CLANG_COMPILES_CUDA)
      return()
    endif()
    set(sources "")
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/emulator/include/*")
    file(GLOB own_headers CONFIGURE_DEPENDS *.h)
    foreach(source IN LISTS arg_SOURCES)
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
      if(NOT source MATCHES "\\.cu$")
        list(APPEND sources "${source}")
        continue()
      endif()
      cmake_path(GET source STEM stem)
      set(object "${CMAKE_CURRENT_BINARY_DIR}/clang/${target}/${stem}.o")
      cmake_path(GET object PARENT_PATH folder)
      file(MAKE_DIRECTORY "${folder}")
      add_custom_command(OUTPUT "${object}"
        COMMAND ${clang_cuda} -c -o "${object}"
          -I "${PROJECT_SOURCE_DIR}" -fPIC ${arg_CLANG_OPTIONS}
          "${source}"
        DEPENDS "${source}" ${own_headers} ${headers} "${PROJECT_SOURCE_DIR}/scripts/clang_cuda"
        VERBATIM)
      list(APPEND sources "${object}")
    endforeach()
    set(arg_SOURCES ${sources})
  endif()
  if(arg_SHARED_LIBRARY)
    add_library(${target} MODULE ${arg_SOURCES})
  else()
    add_executable(${target} ${exclude} ${arg_SOURCES})
  endif()
  if(WARPGRADE_NVCC)
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:${arg_OPTIONS}>)
  else()
    target_include_directories(${target} SYSTEM PRIVATE "${cuda_headers}")
    target_link_libraries(${target} PRIVATE warpsim_cudart13)
    set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX SKIP_BUILD_RPATH ON)
  endif()
endfunction()

option(WARPGRADE_FMT_INSIDE "Link fmt into the programs, for packages: its soname differs \
between releases of distributions" OFF)
if(WARPGRADE_FMT_INSIDE)
  # Everything else is compiled as with the distribution's library, so that ccache has it. Hidden,
  # because a program on the emulator may have an fmt of its own.
  add_library(fmt_inside STATIC "${PROJECT_SOURCE_DIR}/cmake/fmt_inside.cpp")
  set_target_properties(fmt_inside PROPERTIES POSITION_INDEPENDENT_CODE ON
    CXX_STANDARD 20 CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_compile_definitions(fmt_inside INTERFACE FMT_SHARED)
  add_library(fmt::fmt ALIAS fmt_inside)
  add_library(fmt_in_headers INTERFACE)
  target_compile_definitions(fmt_in_headers INTERFACE FMT_HEADER_ONLY=1)
  add_library(fmt::fmt-header-only ALIAS fmt_in_headers)
else()
  find_package(fmt REQUIRED)
endif()
find_package(asmjit REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(LibArchive REQUIRED)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(LZ4 REQUIRED IMPORTED_TARGET liblz4)
pkg_check_modules(OPENBLAS IMPORTED_TARGET openblas)  # for libcublas, which is left out without it
pkg_check_modules(FFTW IMPORTED_TARGET fftw3)  # both for libcufft
pkg_check_modules(FFTWF IMPORTED_TARGET fftw3f)
pkg_check_modules(LIBELF REQUIRED IMPORTED_TARGET libelf)
pkg_check_modules(LIBDW REQUIRED IMPORTED_TARGET libdw)
pkg_check_modules(NETTLE REQUIRED IMPORTED_TARGET nettle)
# Static: its soname differs between releases of Debian.
find_path(UTF8PROC_INCLUDE utf8proc.h REQUIRED)
find_library(UTF8PROC_LIBRARY NAMES libutf8proc.a utf8proc REQUIRED)
mark_as_advanced(UTF8PROC_INCLUDE UTF8PROC_LIBRARY)
pkg_check_modules(MD4C REQUIRED IMPORTED_TARGET md4c-html md4c)
pkg_check_modules(SQLITE REQUIRED IMPORTED_TARGET sqlite3>=3.35)  # RETURNING
# Headers of the system, Beast and Asio. Boost::headers would add a definition to every file's command line.
find_package(Boost 1.74 REQUIRED)
pkg_check_modules(SECCOMP REQUIRED IMPORTED_TARGET libseccomp)

# Script libraries that reports carry inside, as the distribution packages them.
set(WARPGRADE_PAGE_SCRIPTS "")
function(add_page_script package file)
  find_file(page_script_${file} "${file}" PATHS ${ARGN} NO_DEFAULT_PATH
    NO_CMAKE_FIND_ROOT_PATH)  # text, the same for every processor
  if(NOT page_script_${file})
    message(FATAL_ERROR "${file} is missing; scripts/setup installs it (package ${package})")
  endif()
  mark_as_advanced(page_script_${file})
  list(APPEND WARPGRADE_PAGE_SCRIPTS "${page_script_${file}}")
  set(WARPGRADE_PAGE_SCRIPTS "${WARPGRADE_PAGE_SCRIPTS}" PARENT_SCOPE)
endfunction()
add_page_script(libjs-chart.js chart.min.js
  /usr/share/javascript/chart.js /usr/share/nodejs/chart.js/dist)
foreach(part IN ITEMS core clike c cpp python)
  add_page_script(node-prismjs prism-${part}.min.js /usr/share/nodejs/prismjs/components)
endforeach()

find_package(Catch2 3 REQUIRED)
include(CatchTests)

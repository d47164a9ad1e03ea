if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# The emulator's handlers are compiled once per instruction set, and the set is chosen when a program starts.
# "host": the baseline, which runs everywhere, and the best set that this machine has; "native": only that one,
# which scripts/demo builds because it is half of the work. A package for other machines wants all:
# -DWARPSIM_SIMD_LEVELS="baseline;avx2;avx512". The latter two are x86's; elsewhere the baseline is what the
# compiler makes of the plain loops (NEON, SVE).
set(best_level baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND EXISTS /proc/cpuinfo)
  file(STRINGS /proc/cpuinfo processor_flags REGEX "^flags" LIMIT_COUNT 1)
  if(processor_flags MATCHES " avx512bw" AND processor_flags MATCHES " avx512vl")
    set(best_level avx512)
  elseif(processor_flags MATCHES " avx2 ")
    set(best_level avx2)
  endif()
endif()
set(WARPSIM_SIMD_LEVELS host CACHE STRING
  "Instruction sets that the emulator's handlers are compiled for: host, native, or a list")
set(simd_levels ${WARPSIM_SIMD_LEVELS})
if(simd_levels STREQUAL "host")
  set(simd_levels baseline ${best_level})
  list(REMOVE_DUPLICATES simd_levels)
elseif(simd_levels STREQUAL "native")
  set(simd_levels ${best_level})
endif()

option(WARPGRADE_DEVELOPER "Warnings are errors" ON)
set(WARPGRADE_SANITIZE "" CACHE STRING "Sanitizers for the C++ code, e.g. address,undefined")
option(WARPGRADE_FUZZ "Build the fuzz targets for libFuzzer (clang), see fuzz/README.md" OFF)

# The host side of CUDA programs, all of them tests: without optimisation, as students compile. It is
# most of what nvcc would take. Device code is optimised by default.
set(CMAKE_CUDA_FLAGS_RELEASE "-DNDEBUG")
set(CMAKE_CUDA_FLAGS_RELWITHDEBINFO "-DNDEBUG")  # the places that tests expect have no lines

set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_EXTENSIONS OFF)
# A change inside a shared library does not link the programs that use it again; most are tests.
set(CMAKE_LINK_DEPENDS_NO_SHARED ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE}")
  set(CMAKE_CUDA_COMPILER_LAUNCHER "${CCACHE}")
endif()

add_library(warpgrade_flags INTERFACE)  # the only place that names compiler flags
target_compile_features(warpgrade_flags INTERFACE cxx_std_20)
target_include_directories(warpgrade_flags INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(warpgrade_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion>
  $<$<AND:$<BOOL:${WARPGRADE_DEVELOPER}>,$<COMPILE_LANGUAGE:CXX>>:-Werror>
  # GCC 12 warns falsely about std::string's own operator+ (GCC bug 105651).
  $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall;-lineinfo>)
# GCC collects garbage from 128 MiB on, which costs a tenth of the time of a large unit and saves a quarter of its memory.
target_compile_options(warpgrade_flags INTERFACE
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=2000000>)
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  # x86-64's baseline has no fused multiply-add. Where GCC may use one, data and modelled times would
  # differ from those of x86-64 in the last bit.
  target_compile_options(warpgrade_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
endif()

# Most of a cold build would go into optimising code that runs for milliseconds: tests are compiled
# without, command lines and reports with little. What computes (emulator, golden models,
# comparisons) links neither.
set(no_debug_build $<NOT:$<CONFIG:Debug>>)
add_library(warpgrade_unoptimized INTERFACE)
target_compile_options(warpgrade_unoptimized INTERFACE
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,${no_debug_build}>:-O0>)
add_library(warpgrade_little_optimized INTERFACE)
target_compile_options(warpgrade_little_optimized INTERFACE
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,${no_debug_build}>:-O1>)

if(WARPGRADE_FUZZ)  # coverage feedback everywhere; the main function only where a target is linked
  target_compile_options(warpgrade_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link>)
endif()
if(WARPGRADE_SANITIZE)
  # Without recovery, undefined behaviour fails the test that met it. CUDA programs stay as nvcc
  # makes them; the dev test preset preloads the sanitizer for them (CMakePresets.json).
  target_compile_options(warpgrade_flags INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${WARPGRADE_SANITIZE};-fno-sanitize-recover=all>
    $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>
    # A CUDA program may hand any int where the runtime's interface has an enum; that is looked at.
    $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=enum>
    # What they add to std::regex looks to GCC 12 like reading uninitialized variables.
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  string(REPLACE "," "$<COMMA>" sanitizers "${WARPGRADE_SANITIZE}")
  target_link_options(warpgrade_flags INTERFACE $<HOST_LINK:-fsanitize=${sanitizers}>)
endif()

# Every public header compiles alone. One that its own .cpp includes before anything else is shown to
# by that file; each of the others gets a generated file, compiled but never linked.
# Handler headers are private to the translation units that set their SIMD level; those of
# emulator/include are for clang.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
  emulator/*.h harness/*.h grader/*.h)
list(FILTER headers EXCLUDE REGEX "^emulator/isa/handlers/|^emulator/include/|/tests/|/samples/")

set(header_sources "")
foreach(header IN LISTS headers)
  string(REGEX REPLACE "\\.h$" ".cpp" own "${PROJECT_SOURCE_DIR}/${header}")
  if(EXISTS "${own}")
    file(STRINGS "${own}" first REGEX "^#include" LIMIT_COUNT 1)
    if(first STREQUAL "#include \"${header}\"")
      continue()
    endif()
  endif()
  set(source "${CMAKE_BINARY_DIR}/header_test/${header}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"@header@\"\n" @ONLY)
  list(APPEND header_sources "${source}")
endforeach()

add_library(header_test OBJECT ${header_sources})
target_link_libraries(header_test PRIVATE warpgrade_flags warpgrade_unoptimized
  fmt::fmt nlohmann_json::nlohmann_json CLI11::CLI11 tomlplusplus::tomlplusplus LibArchive::LibArchive Catch2::Catch2)
target_include_directories(header_test SYSTEM PRIVATE ${cuda_headers})

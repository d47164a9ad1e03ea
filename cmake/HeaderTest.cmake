# Every public header compiles alone: one generated file a header, compiled but never linked.
# Handler headers are private to the translation units that set their SIMD level.
file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
  emulator/*.h harness/*.h grader/*.h)
list(FILTER headers EXCLUDE REGEX "^emulator/isa/handlers/|/tests/|/samples/")

set(header_sources "")
foreach(header IN LISTS headers)
  set(source "${CMAKE_BINARY_DIR}/header_test/${header}.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT "#include \"@header@\"\n" @ONLY)
  list(APPEND header_sources "${source}")
endforeach()

add_library(header_test OBJECT ${header_sources})
target_link_libraries(header_test PRIVATE warpgrade_flags fmt::fmt nlohmann_json::nlohmann_json
  CLI11::CLI11 tomlplusplus::tomlplusplus LibArchive::LibArchive Catch2::Catch2)
target_include_directories(header_test SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})

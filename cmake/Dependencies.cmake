find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(LibArchive REQUIRED)
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(LZ4 REQUIRED IMPORTED_TARGET liblz4)
find_package(Catch2 3 REQUIRED)
include(CatchTests)

# The toolkit's headers and runtime, as the CUDA language knows them. find_package(CUDAToolkit) is not
# used: up to CMake 3.25 it fails with CUDA 13, which has no nvToolsExt any more.
set(CUDAToolkit_INCLUDE_DIRS ${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})
string(REGEX MATCH "^[0-9]+" CUDAToolkit_VERSION_MAJOR "${CMAKE_CUDA_COMPILER_VERSION}")
find_library(CUDA_cudart_LIBRARY cudart REQUIRED
  PATHS ${CMAKE_CUDA_IMPLICIT_LINK_DIRECTORIES} NO_DEFAULT_PATH)

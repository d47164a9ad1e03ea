# Which compiler builds CUDA programs: nvcc where it is found, else clang with emulator/include. Without
# nvcc the project's own sources use the headers of emulator/include, and tests that need the toolkit are
# shown as skipped. WARPGRADE_NVCC is the only place that says which: nvcc's path, or OFF, also to build
# without a toolkit that is there: -DWARPGRADE_NVCC=OFF.

# Where people have nvcc: the cache, PATH, CUDA_HOME, and the toolkit's usual place.
if(CMAKE_CUDA_COMPILER)
  set(WARPGRADE_NVCC "${CMAKE_CUDA_COMPILER}")
else()
  find_program(WARPGRADE_NVCC nvcc
    HINTS ENV CUDA_HOME ENV CUDA_PATH PATH_SUFFIXES bin
    PATHS /usr/local/cuda/bin
    DOC "nvcc, or OFF to build without the CUDA Toolkit")
endif()

if(WARPGRADE_NVCC)
  set(CMAKE_CUDA_COMPILER "${WARPGRADE_NVCC}" CACHE FILEPATH "CUDA compiler")
  # PTX is what the emulator runs; a GPU's own machine code is added by the gpu preset.
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 75-virtual CACHE STRING "Architectures of the test programs")
  endif()
  set(CMAKE_CUDA_RUNTIME_LIBRARY Shared CACHE STRING "The emulator stands in for the shared runtime")
  set(WARPGRADE_LANGUAGES CXX CUDA)
else()
  set(WARPGRADE_LANGUAGES CXX)
endif()

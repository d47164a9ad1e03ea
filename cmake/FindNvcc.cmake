# Looks where people have nvcc: the cache, PATH, CUDA_HOME, and the toolkit's usual place.
if(NOT CMAKE_CUDA_COMPILER)
  find_program(WARPGRADE_NVCC nvcc
    HINTS ENV CUDA_HOME ENV CUDA_PATH PATH_SUFFIXES bin
    PATHS /usr/local/cuda/bin)
  if(NOT WARPGRADE_NVCC)
    message(FATAL_ERROR
      "nvcc was not found in PATH, CUDA_HOME or /usr/local/cuda. Install the CUDA Toolkit "
      "(12 or 13) or pass -DCMAKE_CUDA_COMPILER=/path/to/nvcc.")
  endif()
  set(CMAKE_CUDA_COMPILER "${WARPGRADE_NVCC}" CACHE FILEPATH "CUDA compiler")
endif()
# PTX is what the emulator runs; a GPU's own machine code is added by the gpu preset.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 75-virtual CACHE STRING "Architectures of the test programs")
endif()
set(CMAKE_CUDA_RUNTIME_LIBRARY Shared CACHE STRING "The emulator stands in for the shared runtime")

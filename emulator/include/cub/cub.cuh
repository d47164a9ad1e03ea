#pragma once
#error "cub/cub.cuh is not among the headers for clang (docs/cuda-headers.md): compile with nvcc"

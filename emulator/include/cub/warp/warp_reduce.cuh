#pragma once
#error \
    "cub/warp/warp_reduce.cuh is not among the headers for clang (docs/cuda-headers.md): compile with nvcc"

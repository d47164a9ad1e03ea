#pragma once
#error \
    "cub/warp/warp_scan.cuh is not among the headers for clang (docs/cuda-headers.md): compile with nvcc"

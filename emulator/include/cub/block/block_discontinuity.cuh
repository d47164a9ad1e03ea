#pragma once
#error \
    "cub/block/block_discontinuity.cuh is not among the headers for clang (docs/cuda-headers.md): compile with nvcc"

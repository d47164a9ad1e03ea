#pragma once
#error \
    "cub/block/block_reduce.cuh is not among the headers for clang (docs/cuda-headers.md): compile with nvcc"

#pragma once
#error \
    "cub/block/block_merge_sort.cuh is not among the headers for clang (docs/cuda-headers.md): compile with nvcc"

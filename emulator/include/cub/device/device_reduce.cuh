#pragma once
#error \
    "cub/device/device_reduce.cuh is not among the headers for clang (docs/cuda-headers.md): compile with nvcc"

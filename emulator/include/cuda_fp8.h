#pragma once
#error "cuda_fp8.h is not among the headers for clang (docs/cuda-headers.md): compile with nvcc"

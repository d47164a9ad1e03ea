#pragma once

#include "../vector_types.h"

// threadIdx, blockIdx, blockDim, gridDim and warpSize. Each member reads its special register.

#define WARPGRADE_INDEX(struct_name, result, prefix)                                     \
  struct struct_name {                                                                   \
    __declspec(property(get = get_x)) unsigned int x;                                    \
    __declspec(property(get = get_y)) unsigned int y;                                    \
    __declspec(property(get = get_z)) unsigned int z;                                    \
    static WARPGRADE_MEMBER unsigned int get_x() { return prefix##x(); }                 \
    static WARPGRADE_MEMBER unsigned int get_y() { return prefix##y(); }                 \
    static WARPGRADE_MEMBER unsigned int get_z() { return prefix##z(); }                 \
    WARPGRADE_MEMBER operator uint3() const { return uint3{get_x(), get_y(), get_z()}; } \
    WARPGRADE_MEMBER operator dim3() const { return dim3(get_x(), get_y(), get_z()); }   \
    struct_name(const struct_name&) = delete;                                            \
    void operator=(const struct_name&) const = delete;                                   \
  };

WARPGRADE_INDEX(WarpgradeThreadIndex, uint3, __nvvm_read_ptx_sreg_tid_)
WARPGRADE_INDEX(WarpgradeBlockIndex, uint3, __nvvm_read_ptx_sreg_ctaid_)
WARPGRADE_INDEX(WarpgradeBlockExtent, dim3, __nvvm_read_ptx_sreg_ntid_)
WARPGRADE_INDEX(WarpgradeGridExtent, dim3, __nvvm_read_ptx_sreg_nctaid_)
#undef WARPGRADE_INDEX

extern const __device__ __attribute__((weak)) WarpgradeThreadIndex threadIdx;
extern const __device__ __attribute__((weak)) WarpgradeBlockIndex blockIdx;
extern const __device__ __attribute__((weak)) WarpgradeBlockExtent blockDim;
extern const __device__ __attribute__((weak)) WarpgradeGridExtent gridDim;
static constexpr int warpSize = 32;

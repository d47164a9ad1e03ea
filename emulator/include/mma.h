#pragma once

// Matrix multiplication by a whole warp on tensor cores (Programming Guide, "Warp Matrix
// Functions"): namespace nvcuda::wmma. Element types half (compute capability 7.0), signed and
// unsigned char (7.2), bfloat16, tf32 and double (8.0); those of 4 bits and 1 bit are not covered.

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#if defined(__CUDA__)

namespace nvcuda::wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major = 0, mem_col_major = 1 };
namespace precision {
struct tf32 {};
}  // namespace precision

namespace detail {

template <class Layout>
constexpr int kColumns = 0;
template <>
inline constexpr int kColumns<col_major> = 1;

/// How a fragment of elements T is held: x[elements] of Storage. Specialized per type and shape.
template <class Use, int m, int n, int k, class T>
struct Shape;

template <class S, int Elements>
struct Holds {
  using Storage = S;
  static constexpr int elements = Elements;
};

}  // namespace detail

template <class Use, int m, int n, int k, class T, class Layout = void>
struct fragment {
  using element_type = typename detail::Shape<Use, m, n, k, T>::Storage;
  using storage_element_type = element_type;
  static constexpr int num_elements = detail::Shape<Use, m, n, k, T>::elements;
  static constexpr int num_storage_elements = num_elements;
  element_type x[num_elements];
};

template <class Use, int m, int n, int k, class T, class Layout, class V>
WARPGRADE_DEVICE void fill_fragment(fragment<Use, m, n, k, T, Layout>& f, const V& value) {
  for (int i = 0; i < f.num_elements; ++i) f.x[i] = value;
}

/// The nearest number with tf32's 10 bits of fraction, ties away from zero.
WARPGRADE_DEVICE float __float_to_tf32(float value) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
  return __uint_as_float(bits);
#else
  return value;
#endif
}

// One kind of operands in one shape: registers, loads, multiplication. `reg` is what clang's
// builtin functions take the registers as.
#define WARPGRADE_OPERAND(use, m, n, k, type, storage, count, load)               \
  namespace detail {                                                              \
  template <>                                                                     \
  struct Shape<use, m, n, k, type> : Holds<storage, count> {};                    \
  }                                                                               \
  template <class Layout>                                                         \
  WARPGRADE_DEVICE void load_matrix_sync(fragment<use, m, n, k, type, Layout>& f, \
                                         const storage* from, unsigned stride) {  \
    load(from, stride);                                                           \
  }
#define WARPGRADE_LOAD(builtin, reg, cast)            \
  if (detail::kColumns<Layout> == 0) {                \
    builtin((reg*)f.x, (const cast*)from, stride, 0); \
  } else {                                            \
    builtin((reg*)f.x, (const cast*)from, stride, 1); \
  }
#define WARPGRADE_ACCUMULATOR(m, n, k, type, count, reg, load, store)                              \
  namespace detail {                                                                               \
  template <>                                                                                      \
  struct Shape<accumulator, m, n, k, type> : Holds<type, count> {};                                \
  }                                                                                                \
  WARPGRADE_DEVICE void load_matrix_sync(fragment<accumulator, m, n, k, type>& f,                  \
                                         const type* from, unsigned stride, layout_t layout) {     \
    if (layout == mem_row_major) {                                                                 \
      load((reg*)f.x, (const reg*)from, stride, 0);                                                \
    } else {                                                                                       \
      load((reg*)f.x, (const reg*)from, stride, 1);                                                \
    }                                                                                              \
  }                                                                                                \
  WARPGRADE_DEVICE void store_matrix_sync(type* to, const fragment<accumulator, m, n, k, type>& f, \
                                          unsigned stride, layout_t layout) {                      \
    if (layout == mem_row_major) {                                                                 \
      store((reg*)to, (reg*)f.x, stride, 0);                                                       \
    } else {                                                                                       \
      store((reg*)to, (reg*)f.x, stride, 1);                                                       \
    }                                                                                              \
  }
/// The builtin's fourth argument is the layouts: 2 for columns in a, 1 for columns in b.
#define WARPGRADE_MMA_CASE(builtin, layouts, reg_d, reg, reg_c, saturate)                         \
  if constexpr (detail::kColumns<LayoutA> * 2 + detail::kColumns<LayoutB> == layouts) {           \
    builtin((reg_d*)d.x, (const reg*)a.x, (const reg*)b.x, (const reg_c*)c.x, layouts, saturate); \
  }
#define WARPGRADE_MMA(m, n, k, in, type_d, type_c, builtin, reg_d, reg, reg_c, saturate) \
  template <class LayoutA, class LayoutB>                                                \
  WARPGRADE_DEVICE void mma_sync(fragment<accumulator, m, n, k, type_d>& d,              \
                                 const fragment<matrix_a, m, n, k, in, LayoutA>& a,      \
                                 const fragment<matrix_b, m, n, k, in, LayoutB>& b,      \
                                 const fragment<accumulator, m, n, k, type_c>& c) {      \
    WARPGRADE_MMA_CASE(builtin, 0, reg_d, reg, reg_c, saturate)                          \
    WARPGRADE_MMA_CASE(builtin, 1, reg_d, reg, reg_c, saturate)                          \
    WARPGRADE_MMA_CASE(builtin, 2, reg_d, reg, reg_c, saturate)                          \
    WARPGRADE_MMA_CASE(builtin, 3, reg_d, reg, reg_c, saturate)                          \
  }

// clang's builtins are named after the shape.
#define WARPGRADE_HALF_SHAPE(m, n, k, shape)                                                      \
  WARPGRADE_OPERAND(matrix_a, m, n, k, __half, __half, 16, WARPGRADE_HALF_A_##m)                  \
  WARPGRADE_OPERAND(matrix_b, m, n, k, __half, __half, 16, WARPGRADE_HALF_B_##m)                  \
  WARPGRADE_ACCUMULATOR(m, n, k, __half, 8, int, __hmma_##shape##_ld_c_f16,                       \
                        __hmma_##shape##_st_c_f16)                                                \
  WARPGRADE_ACCUMULATOR(m, n, k, float, 8, float, __hmma_##shape##_ld_c_f32,                      \
                        __hmma_##shape##_st_c_f32)                                                \
  WARPGRADE_MMA(m, n, k, __half, float, float, __hmma_##shape##_mma_f32f32, float, int, float, 0) \
  WARPGRADE_MMA(m, n, k, __half, __half, __half, __hmma_##shape##_mma_f16f16, int, int, int, 0)   \
  WARPGRADE_MMA(m, n, k, __half, float, __half, __hmma_##shape##_mma_f32f16, float, int, int, 0)  \
  WARPGRADE_MMA(m, n, k, __half, __half, float, __hmma_##shape##_mma_f16f32, int, int, float, 0)
#define WARPGRADE_HALF_A_16(from, stride) WARPGRADE_LOAD(__hmma_m16n16k16_ld_a, int, int)
#define WARPGRADE_HALF_B_16(from, stride) WARPGRADE_LOAD(__hmma_m16n16k16_ld_b, int, int)
#define WARPGRADE_HALF_A_32(from, stride) WARPGRADE_LOAD(__hmma_m32n8k16_ld_a, int, int)
#define WARPGRADE_HALF_B_32(from, stride) WARPGRADE_LOAD(__hmma_m32n8k16_ld_b, int, int)
#define WARPGRADE_HALF_A_8(from, stride) WARPGRADE_LOAD(__hmma_m8n32k16_ld_a, int, int)
#define WARPGRADE_HALF_B_8(from, stride) WARPGRADE_LOAD(__hmma_m8n32k16_ld_b, int, int)
WARPGRADE_HALF_SHAPE(16, 16, 16, m16n16k16)
WARPGRADE_HALF_SHAPE(32, 8, 16, m32n8k16)
WARPGRADE_HALF_SHAPE(8, 32, 16, m8n32k16)

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 720
#define WARPGRADE_S8_A(from, stride) WARPGRADE_LOAD(__imma_m16n16k16_ld_a_s8, int, int)
#define WARPGRADE_S8_B(from, stride) WARPGRADE_LOAD(__imma_m16n16k16_ld_b_s8, int, int)
#define WARPGRADE_U8_A(from, stride) WARPGRADE_LOAD(__imma_m16n16k16_ld_a_u8, int, int)
#define WARPGRADE_U8_B(from, stride) WARPGRADE_LOAD(__imma_m16n16k16_ld_b_u8, int, int)
WARPGRADE_OPERAND(matrix_a, 16, 16, 16, signed char, signed char, 8, WARPGRADE_S8_A)
WARPGRADE_OPERAND(matrix_b, 16, 16, 16, signed char, signed char, 8, WARPGRADE_S8_B)
WARPGRADE_OPERAND(matrix_a, 16, 16, 16, unsigned char, unsigned char, 8, WARPGRADE_U8_A)
WARPGRADE_OPERAND(matrix_b, 16, 16, 16, unsigned char, unsigned char, 8, WARPGRADE_U8_B)
WARPGRADE_ACCUMULATOR(16, 16, 16, int, 8, int, __imma_m16n16k16_ld_c, __imma_m16n16k16_st_c_i32)
WARPGRADE_MMA(16, 16, 16, signed char, int, int, __imma_m16n16k16_mma_s8, int, int, int, 0)
WARPGRADE_MMA(16, 16, 16, unsigned char, int, int, __imma_m16n16k16_mma_u8, int, int, int, 0)
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define WARPGRADE_BF16_A(from, stride) WARPGRADE_LOAD(__mma_bf16_m16n16k16_ld_a, int, int)
#define WARPGRADE_BF16_B(from, stride) WARPGRADE_LOAD(__mma_bf16_m16n16k16_ld_b, int, int)
WARPGRADE_OPERAND(matrix_a, 16, 16, 16, __nv_bfloat16, __nv_bfloat16, 8, WARPGRADE_BF16_A)
WARPGRADE_OPERAND(matrix_b, 16, 16, 16, __nv_bfloat16, __nv_bfloat16, 8, WARPGRADE_BF16_B)
WARPGRADE_MMA(16, 16, 16, __nv_bfloat16, float, float, __mma_bf16_m16n16k16_mma_f32, float, int,
              float, 0)
#define WARPGRADE_TF32_A(from, stride) WARPGRADE_LOAD(__mma_tf32_m16n16k8_ld_a, int, int)
#define WARPGRADE_TF32_B(from, stride) WARPGRADE_LOAD(__mma_tf32_m16n16k8_ld_b, int, int)
WARPGRADE_OPERAND(matrix_a, 16, 16, 8, precision::tf32, float, 4, WARPGRADE_TF32_A)
WARPGRADE_OPERAND(matrix_b, 16, 16, 8, precision::tf32, float, 4, WARPGRADE_TF32_B)
WARPGRADE_ACCUMULATOR(16, 16, 8, float, 8, float, __mma_tf32_m16n16k8_ld_c, __mma_m16n16k8_st_c_f32)
WARPGRADE_MMA(16, 16, 8, precision::tf32, float, float, __mma_tf32_m16n16k8_mma_f32, float, int,
              float, 0)
#define WARPGRADE_F64_A(from, stride) WARPGRADE_LOAD(__dmma_m8n8k4_ld_a, double, double)
#define WARPGRADE_F64_B(from, stride) WARPGRADE_LOAD(__dmma_m8n8k4_ld_b, double, double)
WARPGRADE_OPERAND(matrix_a, 8, 8, 4, double, double, 1, WARPGRADE_F64_A)
WARPGRADE_OPERAND(matrix_b, 8, 8, 4, double, double, 1, WARPGRADE_F64_B)
WARPGRADE_ACCUMULATOR(8, 8, 4, double, 2, double, __dmma_m8n8k4_ld_c, __dmma_m8n8k4_st_c_f64)
WARPGRADE_MMA(8, 8, 4, double, double, double, __dmma_m8n8k4_mma_f64, double, double, double, 0)
#endif

}  // namespace nvcuda::wmma

#endif

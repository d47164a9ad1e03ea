#pragma once

#include <cuda_fp16.h>

#include <cstdint>

#include "labs/tensor/sm90.h"

// The sums of a lane, %0 to %31, as sm90.h has those of wider instructions.
#define SM90_NAMES_32                                       \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, " \
  "%13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, " \
  "%24, %25, %26, %27, %28, %29, %30, %31"
#define SM90_SUMS_32(d) SM90_16(d, 0), SM90_16(d, 16)

// Of attention in half precision: the two products of a group of four warps.
namespace sm90 {

/// d += a * b, or without `add` d = a * b, 64 x 128 sums of four warps: b has k along its rows.
__device__ __forceinline__ void multiply_add(float (&d)[64], std::uint64_t a, std::uint64_t b,
                                             int add) {
  asm volatile(
      "{\n"
      ".reg .pred add;\n"
      "setp.ne.b32 add, %66, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {" SM90_NAMES_64
      "}, %64, %65, add, 1, 1, 0, 0;\n"
      "}"
      : SM90_SUMS_64(d)
      : "l"(a), "l"(b), "r"(add));
}

/// a in registers; b has n along its rows.
__device__ __forceinline__ void multiply_add(float (&d)[64], const std::uint32_t* a,
                                             std::uint64_t b, int add) {
  asm volatile(
      "{\n"
      ".reg .pred add;\n"
      "setp.ne.b32 add, %69, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {" SM90_NAMES_64
      "}, {%64, %65, %66, %67}, %68, add, 1, 1, 1;\n"
      "}"
      : SM90_SUMS_64(d)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
}

/// The same of 64 x 64 sums.
__device__ __forceinline__ void multiply_add(float (&d)[32], const std::uint32_t* a,
                                             std::uint64_t b, int add) {
  asm volatile(
      "{\n"
      ".reg .pred add;\n"
      "setp.ne.b32 add, %37, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {" SM90_NAMES_32
      "}, {%32, %33, %34, %35}, %36, add, 1, 1, 1;\n"
      "}"
      : SM90_SUMS_32(d)
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
}

}  // namespace sm90

#pragma once

#include "../vector_types.h"
#include "texture_types.h"

// Texture and surface functions of device code, for objects (Programming Guide, "Texture
// Functions", "Surface Functions"). Sparse textures are not covered.

namespace warpgrade_cuda {

/// The components of an element: `count` of Scalar, fetched as Register.
template <class T>
struct Texel;
#define WARPGRADE_TEXEL(type, scalar, fetched, n) \
  template <>                                     \
  struct Texel<type> {                            \
    using Scalar = scalar;                        \
    using Register = fetched;                     \
    static constexpr int count = n;               \
  };
#define WARPGRADE_TEXELS(scalar, vector, fetched) \
  WARPGRADE_TEXEL(scalar, scalar, fetched, 1)     \
  WARPGRADE_TEXEL(vector##1, scalar, fetched, 1)  \
  WARPGRADE_TEXEL(vector##2, scalar, fetched, 2)  \
  WARPGRADE_TEXEL(vector##4, scalar, fetched, 4)
WARPGRADE_TEXELS(signed char, char, int)
WARPGRADE_TEXEL(char, char, int, 1)
WARPGRADE_TEXELS(unsigned char, uchar, unsigned)
WARPGRADE_TEXELS(short, short, int)
WARPGRADE_TEXELS(unsigned short, ushort, unsigned)
WARPGRADE_TEXELS(int, int, int)
WARPGRADE_TEXELS(unsigned, uint, unsigned)
WARPGRADE_TEXELS(float, float, float)
#undef WARPGRADE_TEXELS
#undef WARPGRADE_TEXEL

template <class T, class R>
WARPGRADE_DEVICE T texel_from(const R (&fetched)[4]) {
  typename Texel<T>::Scalar parts[Texel<T>::count];
  for (int i = 0; i < Texel<T>::count; ++i) parts[i] = (typename Texel<T>::Scalar)fetched[i];
  T value;
  static_assert(sizeof parts == sizeof value, "");
  __builtin_memcpy(&value, parts, sizeof value);
  return value;
}

template <class A, class B>
inline constexpr bool kSame = false;
template <class A>
inline constexpr bool kSame<A, A> = true;

}  // namespace warpgrade_cuda

/// `instruction` up to its types, `place` its coordinates from %5 on, and asm's inputs for them.
#define WARPGRADE_FETCH_AS(instruction, type, letter, coordinates, place, ...)          \
  asm volatile(instruction ".v4." type coordinates " {%0, %1, %2, %3}, [%4, " place ";" \
               : "=" letter(r[0]), "=" letter(r[1]), "=" letter(r[2]), "=" letter(r[3]) \
               : "l"(texture), __VA_ARGS__)
#define WARPGRADE_FETCH(instruction, coordinates, place, ...)                     \
  using Register = typename warpgrade_cuda::Texel<T>::Register;                   \
  Register r[4];                                                                  \
  if constexpr (warpgrade_cuda::kSame<Register, float>) {                         \
    WARPGRADE_FETCH_AS(instruction, "f32", "f", coordinates, place, __VA_ARGS__); \
  } else if constexpr (warpgrade_cuda::kSame<Register, int>) {                    \
    WARPGRADE_FETCH_AS(instruction, "s32", "r", coordinates, place, __VA_ARGS__); \
  } else {                                                                        \
    WARPGRADE_FETCH_AS(instruction, "u32", "r", coordinates, place, __VA_ARGS__); \
  }                                                                               \
  return warpgrade_cuda::texel_from<T>(r);

template <class T>
WARPGRADE_DEVICE T tex1Dfetch(cudaTextureObject_t texture, int x) {
  WARPGRADE_FETCH("tex.1d", ".s32", "{%5}]", "r"(x))
}
template <class T>
WARPGRADE_DEVICE T tex1D(cudaTextureObject_t texture, float x) {
  WARPGRADE_FETCH("tex.1d", ".f32", "{%5}]", "f"(x))
}
template <class T>
WARPGRADE_DEVICE T tex2D(cudaTextureObject_t texture, float x, float y) {
  WARPGRADE_FETCH("tex.2d", ".f32", "{%5, %6}]", "f"(x), "f"(y))
}
template <class T>
WARPGRADE_DEVICE T tex3D(cudaTextureObject_t texture, float x, float y, float z) {
  WARPGRADE_FETCH("tex.3d", ".f32", "{%5, %6, %7, %7}]", "f"(x), "f"(y), "f"(z))
}
template <class T>
WARPGRADE_DEVICE T tex1DLayered(cudaTextureObject_t texture, float x, int layer) {
  WARPGRADE_FETCH("tex.a1d", ".f32", "{%5, %6}]", "r"(layer), "f"(x))
}
template <class T>
WARPGRADE_DEVICE T tex2DLayered(cudaTextureObject_t texture, float x, float y, int layer) {
  WARPGRADE_FETCH("tex.a2d", ".f32", "{%5, %6, %7, %7}]", "r"(layer), "f"(x), "f"(y))
}
template <class T>
WARPGRADE_DEVICE T tex1DLod(cudaTextureObject_t texture, float x, float level) {
  WARPGRADE_FETCH("tex.level.1d", ".f32", "{%5}], %6", "f"(x), "f"(level))
}
template <class T>
WARPGRADE_DEVICE T tex2DLod(cudaTextureObject_t texture, float x, float y, float level) {
  WARPGRADE_FETCH("tex.level.2d", ".f32", "{%5, %6}], %7", "f"(x), "f"(y), "f"(level))
}
template <class T>
WARPGRADE_DEVICE T tex3DLod(cudaTextureObject_t texture, float x, float y, float z, float level) {
  WARPGRADE_FETCH("tex.level.3d", ".f32", "{%5, %6, %7, %7}], %8", "f"(x), "f"(y), "f"(z),
                  "f"(level))
}
template <class T>
WARPGRADE_DEVICE T tex1DLayeredLod(cudaTextureObject_t texture, float x, int layer, float level) {
  WARPGRADE_FETCH("tex.level.a1d", ".f32", "{%5, %6}], %7", "r"(layer), "f"(x), "f"(level))
}
template <class T>
WARPGRADE_DEVICE T tex2DLayeredLod(cudaTextureObject_t texture, float x, float y, int layer,
                                   float level) {
  WARPGRADE_FETCH("tex.level.a2d", ".f32", "{%5, %6, %7, %7}], %8", "r"(layer), "f"(x), "f"(y),
                  "f"(level))
}
template <class T>
WARPGRADE_DEVICE T texCubemap(cudaTextureObject_t texture, float x, float y, float z) {
  WARPGRADE_FETCH("tex.cube", ".f32", "{%5, %6, %7, %7}]", "f"(x), "f"(y), "f"(z))
}
template <class T>
WARPGRADE_DEVICE T texCubemapLayered(cudaTextureObject_t texture, float x, float y, float z,
                                     int layer) {
  WARPGRADE_FETCH("tex.acube", ".f32", "{%5, %6, %7, %8}]", "r"(layer), "f"(x), "f"(y), "f"(z))
}
template <class T>
WARPGRADE_DEVICE T texCubemapLod(cudaTextureObject_t texture, float x, float y, float z,
                                 float level) {
  WARPGRADE_FETCH("tex.level.cube", ".f32", "{%5, %6, %7, %7}], %8", "f"(x), "f"(y), "f"(z),
                  "f"(level))
}
template <class T>
WARPGRADE_DEVICE T texCubemapLayeredLod(cudaTextureObject_t texture, float x, float y, float z,
                                        int layer, float level) {
  WARPGRADE_FETCH("tex.level.acube", ".f32", "{%5, %6, %7, %8}], %9", "r"(layer), "f"(x), "f"(y),
                  "f"(z), "f"(level))
}
template <class T>
WARPGRADE_DEVICE T tex1DGrad(cudaTextureObject_t texture, float x, float dx, float dy) {
  WARPGRADE_FETCH("tex.grad.1d", ".f32", "{%5}], {%6}, {%7}", "f"(x), "f"(dx), "f"(dy))
}
template <class T>
WARPGRADE_DEVICE T tex3DGrad(cudaTextureObject_t texture, float x, float y, float z, float4 dx,
                             float4 dy) {
  WARPGRADE_FETCH("tex.grad.3d", ".f32",
                  "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}", "f"(x), "f"(y),
                  "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z))
}
template <class T>
WARPGRADE_DEVICE T tex1DLayeredGrad(cudaTextureObject_t texture, float x, int layer, float dx,
                                    float dy) {
  WARPGRADE_FETCH("tex.grad.a1d", ".f32", "{%5, %6}], {%7}, {%8}", "r"(layer), "f"(x), "f"(dx),
                  "f"(dy))
}
template <class T>
WARPGRADE_DEVICE T tex2DLayeredGrad(cudaTextureObject_t texture, float x, float y, int layer,
                                    float2 dx, float2 dy) {
  WARPGRADE_FETCH("tex.grad.a2d", ".f32", "{%5, %6, %7, %7}], {%8, %9}, {%10, %11}", "r"(layer),
                  "f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y))
}
template <class T>
WARPGRADE_DEVICE T texCubemapGrad(cudaTextureObject_t texture, float x, float y, float z, float4 dx,
                                  float4 dy) {
  WARPGRADE_FETCH("tex.grad.cube", ".f32",
                  "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}", "f"(x), "f"(y),
                  "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z))
}
template <class T>
WARPGRADE_DEVICE T texCubemapLayeredGrad(cudaTextureObject_t texture, float x, float y, float z,
                                         int layer, float4 dx, float4 dy) {
  WARPGRADE_FETCH("tex.grad.acube", ".f32",
                  "{%5, %6, %7, %8}], {%9, %10, %11, %11}, {%12, %13, %14, %14}", "r"(layer),
                  "f"(x), "f"(y), "f"(z), "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y),
                  "f"(dy.z))
}
template <class T>
WARPGRADE_DEVICE T tex2DGrad(cudaTextureObject_t texture, float x, float y, float2 dx, float2 dy) {
  WARPGRADE_FETCH("tex.grad.2d", ".f32", "{%5, %6}], {%7, %8}, {%9, %10}", "f"(x), "f"(y),
                  "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y))
}
template <class T>
WARPGRADE_DEVICE T tex2Dgather(cudaTextureObject_t texture, float x, float y, int component = 0) {
  switch (component) {
    case 1: {
      WARPGRADE_FETCH("tld4.g.2d", ".f32", "{%5, %6}]", "f"(x), "f"(y))
    }
    case 2: {
      WARPGRADE_FETCH("tld4.b.2d", ".f32", "{%5, %6}]", "f"(x), "f"(y))
    }
    case 3: {
      WARPGRADE_FETCH("tld4.a.2d", ".f32", "{%5, %6}]", "f"(x), "f"(y))
    }
    default: {
      WARPGRADE_FETCH("tld4.r.2d", ".f32", "{%5, %6}]", "f"(x), "f"(y))
    }
  }
}
// The form that stores through a pointer.
template <class T>
WARPGRADE_DEVICE void tex2D(T* value, cudaTextureObject_t texture, float x, float y) {
  *value = tex2D<T>(texture, x, y);
}
#undef WARPGRADE_FETCH
#undef WARPGRADE_FETCH_AS

namespace warpgrade_cuda {

/// Surfaces move bits: unsigned integers of the element's size, as asm's operands.
template <int Bytes>
struct SurfaceWord;
template <>
struct SurfaceWord<1> {
  using Register = unsigned short;
  using Bits = unsigned char;
};
template <>
struct SurfaceWord<2> {
  using Register = unsigned short;
  using Bits = unsigned short;
};
template <>
struct SurfaceWord<4> {
  using Register = unsigned;
  using Bits = unsigned;
};

}  // namespace warpgrade_cuda

#define WARPGRADE_SURFACE_READ(n, vector, list, size, letter, geometry, mode, place, ...)      \
  if constexpr (Texel::count == n && sizeof(typename Texel::Scalar) * 8 == size) {             \
    asm volatile("suld.b." geometry vector ".b" #size "." mode " {" list "}, [%4, " place "];" \
                 : "=" letter(r[0]), "=" letter(r[1]), "=" letter(r[2]), "=" letter(r[3])      \
                 : "l"(surface), __VA_ARGS__);                                                 \
  }
#define WARPGRADE_SURFACE_WRITE(n, vector, list, size, letter, geometry, mode, place, ...) \
  if constexpr (Texel::count == n && sizeof(typename Texel::Scalar) * 8 == size) {         \
    asm volatile("sust.b." geometry vector ".b" #size "." mode " [%4, " place "], {" list  \
                 "};" ::letter(r[0]),                                                      \
                 letter(r[1]), letter(r[2]), letter(r[3]), "l"(surface), __VA_ARGS__       \
                 : "memory");                                                              \
  }
#define WARPGRADE_SURFACE_SIZES(what, size, letter, geometry, mode, place, ...)              \
  WARPGRADE_SURFACE_##what(1, "", "%0", size, letter, geometry, mode, place, __VA_ARGS__)    \
      WARPGRADE_SURFACE_##what(2, ".v2", "%0, %1", size, letter, geometry, mode, place,      \
                               __VA_ARGS__)                                                  \
          WARPGRADE_SURFACE_##what(4, ".v4", "%0, %1, %2, %3", size, letter, geometry, mode, \
                                   place, __VA_ARGS__)
#define WARPGRADE_SURFACE_MODE(what, geometry, mode, place, ...)             \
  WARPGRADE_SURFACE_SIZES(what, 8, "h", geometry, mode, place, __VA_ARGS__)  \
  WARPGRADE_SURFACE_SIZES(what, 16, "h", geometry, mode, place, __VA_ARGS__) \
  WARPGRADE_SURFACE_SIZES(what, 32, "r", geometry, mode, place, __VA_ARGS__)
#define WARPGRADE_SURFACE_ANY(what, geometry, place, ...)               \
  if (boundary == cudaBoundaryModeTrap) {                               \
    WARPGRADE_SURFACE_MODE(what, geometry, "trap", place, __VA_ARGS__)  \
  } else if (boundary == cudaBoundaryModeClamp) {                       \
    WARPGRADE_SURFACE_MODE(what, geometry, "clamp", place, __VA_ARGS__) \
  } else {                                                              \
    WARPGRADE_SURFACE_MODE(what, geometry, "zero", place, __VA_ARGS__)  \
  }
/// The functions of one geometry: parameters in parentheses, then the instruction's coordinates.
#define WARPGRADE_UNPACK(...) __VA_ARGS__
#define WARPGRADE_SURFACE(name, parameters, geometry, place, ...)                              \
  template <class T>                                                                           \
  WARPGRADE_DEVICE T name##read(cudaSurfaceObject_t surface, WARPGRADE_UNPACK parameters,      \
                                cudaSurfaceBoundaryMode boundary = cudaBoundaryModeTrap) {     \
    using Texel = warpgrade_cuda::Texel<T>;                                                    \
    using Word = warpgrade_cuda::SurfaceWord<sizeof(typename Texel::Scalar)>;                  \
    typename Word::Register r[4] = {};                                                         \
    WARPGRADE_SURFACE_ANY(READ, geometry, place, __VA_ARGS__)                                  \
    typename Word::Bits bits[4] = {(typename Word::Bits)r[0], (typename Word::Bits)r[1],       \
                                   (typename Word::Bits)r[2], (typename Word::Bits)r[3]};      \
    T value;                                                                                   \
    __builtin_memcpy(&value, bits, sizeof value);                                              \
    return value;                                                                              \
  }                                                                                            \
  template <class T, class... Place>                                                           \
  WARPGRADE_DEVICE void name##read(T* value, cudaSurfaceObject_t surface, Place... at) {       \
    *value = name##read<T>(surface, at...);                                                    \
  }                                                                                            \
  template <class T>                                                                           \
  WARPGRADE_DEVICE void name##write(T value, cudaSurfaceObject_t surface,                      \
                                    WARPGRADE_UNPACK parameters,                               \
                                    cudaSurfaceBoundaryMode boundary = cudaBoundaryModeTrap) { \
    using Texel = warpgrade_cuda::Texel<T>;                                                    \
    using Word = warpgrade_cuda::SurfaceWord<sizeof(typename Texel::Scalar)>;                  \
    typename Word::Bits bits[4] = {};                                                          \
    __builtin_memcpy(bits, &value, sizeof value);                                              \
    const typename Word::Register r[4] = {bits[0], bits[1], bits[2], bits[3]};                 \
    WARPGRADE_SURFACE_ANY(WRITE, geometry, place, __VA_ARGS__)                                 \
  }
// x is in bytes.
WARPGRADE_SURFACE(surf1D, (int x), "1d", "{%5}", "r"(x))
WARPGRADE_SURFACE(surf2D, (int x, int y), "2d", "{%5, %6}", "r"(x), "r"(y))
WARPGRADE_SURFACE(surf3D, (int x, int y, int z), "3d", "{%5, %6, %7, %7}", "r"(x), "r"(y), "r"(z))
WARPGRADE_SURFACE(surf1DLayered, (int x, int layer), "a1d", "{%5, %6}", "r"(layer), "r"(x))
WARPGRADE_SURFACE(surf2DLayered, (int x, int y, int layer), "a2d", "{%5, %6, %7, %7}", "r"(layer),
                  "r"(x), "r"(y))
// A face is a layer; of layered cubes, `face` counts those of all layers before.
WARPGRADE_SURFACE(surfCubemap, (int x, int y, int face), "a2d", "{%5, %6, %7, %7}", "r"(face),
                  "r"(x), "r"(y))
WARPGRADE_SURFACE(surfCubemapLayered, (int x, int y, int face), "a2d", "{%5, %6, %7, %7}",
                  "r"(face), "r"(x), "r"(y))
#undef WARPGRADE_SURFACE
#undef WARPGRADE_UNPACK
#undef WARPGRADE_SURFACE_ANY
#undef WARPGRADE_SURFACE_MODE
#undef WARPGRADE_SURFACE_SIZES
#undef WARPGRADE_SURFACE_WRITE
#undef WARPGRADE_SURFACE_READ

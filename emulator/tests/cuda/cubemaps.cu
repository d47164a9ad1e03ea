#include <array>
#include <cmath>

#include "emulator/tests/support/program.h"

// Cubemaps: faces and places against the programming guide's table, layers, surfaces on faces, and
// shapes that are none.

namespace {

using testing::Buffer;

cudaTextureDesc description(cudaTextureFilterMode filter) {
  cudaTextureDesc result = {};
  for (auto& mode : result.addressMode) mode = cudaAddressModeClamp;
  result.filterMode = filter;
  result.readMode = cudaReadModeElementType;
  result.normalizedCoords = 1;
  return result;
}

/// Cubes of `width` by `width` texels, and a texture over them. By default a texel has its number.
struct Cubes {
  cudaArray_t array = nullptr;
  cudaTextureObject_t texture = 0;
  int width = 0;

  Cubes(int texels, int layers, cudaTextureFilterMode filter, unsigned flags,
        const std::vector<float>& values = {}, bool seamless = false)
      : width(texels) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    const auto n = std::size_t(texels);
    const auto faces = std::size_t(6 * layers);
    CUDA_CHECK(
        cudaMalloc3DArray(&array, &format, make_cudaExtent(n, n, faces), cudaArrayCubemap | flags));
    std::vector<float> numbers(n * n * faces);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = float(i);
    if (!values.empty()) numbers = values;
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(numbers.data(), n * sizeof(float), n, n);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(n, n, faces);
    copy.kind = cudaMemcpyHostToDevice;
    CUDA_CHECK(cudaMemcpy3D(&copy));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc how = description(filter);
    how.seamlessCubemap = seamless ? 1 : 0;
    CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
  }
  ~Cubes() {
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
  }
  Cubes(const Cubes&) = delete;
  Cubes& operator=(const Cubes&) = delete;
};

/// The direction to a place of a face, whose coordinates are -1..1: the guide's table backwards.
float3 direction(int face, float s, float t, float m) {
  switch (face) {
    case 0:
      return make_float3(m, -t * m, -s * m);
    case 1:
      return make_float3(-m, -t * m, s * m);
    case 2:
      return make_float3(s * m, m, t * m);
    case 3:
      return make_float3(s * m, -m, -t * m);
    case 4:
      return make_float3(s * m, -t * m, m);
    default:
      return make_float3(-s * m, -t * m, -m);
  }
}

__global__ void fetch(cudaTextureObject_t cube, const float3* at, float* out, int n) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i] = texCubemap<float>(cube, at[i].x, at[i].y, at[i].z);
}

std::vector<float> fetched(const Cubes& cubes, const std::vector<float3>& places) {
  const Buffer<float3> at(places);
  Buffer<float> out(places.size());
  fetch<<<(int(places.size()) + 63) / 64, 64>>>(cubes.texture, at.get(), out.get(),
                                                int(places.size()));
  FINISH_LAUNCH();
  return out.download();
}

/// The centre of a texel, -1..1.
float centre(int texel, int width) {
  return 2 * (float(texel) + 0.5f) / float(width) - 1;
}

/// Directions of any length lead to each texel of each face.
void every_texel() {
  for (const auto filter : {cudaFilterModePoint, cudaFilterModeLinear}) {
    const Cubes cubes(8, 1, filter, 0);
    std::vector<float3> places;
    std::vector<float> want;
    for (int face = 0; face < 6; ++face) {
      for (int y = 0; y < 8; ++y) {
        for (int x = 0; x < 8; ++x) {
          places.push_back(direction(face, centre(x, 8), centre(y, 8), x % 2 == 0 ? 1.0f : 4.0f));
          want.push_back(float((face * 8 + y) * 8 + x));
        }
      }
    }
    testing::expect_close(fetched(cubes, places), want, 0.26);
  }
}

/// Halfway between two texels of a face.
void between_texels() {
  const Cubes cubes(4, 1, cudaFilterModeLinear, 0);
  std::vector<float3> places;
  std::vector<float> want;
  for (int face = 0; face < 6; ++face) {
    places.push_back(direction(face, 0, centre(1, 4), 2));
    want.push_back(float(face * 16 + 4) + 1.5f);
    places.push_back(direction(face, centre(2, 4), -0.5f, 1));
    want.push_back(float(face * 16 + 2) + 2.0f);
  }
  testing::expect_close(fetched(cubes, places), want, 0.05);
}

/// Something that differs between the points of a cube's surface.
float value_at(float3 p) {
  return p.x + 2 * p.y + 4 * p.z;
}

/// A filter at an edge takes the texels on both sides of it, and at a corner those of three faces.
void seamless_edges() {
  constexpr int kWidth = 4;
  std::vector<float> values;
  for (int face = 0; face < 6; ++face) {
    for (int y = 0; y < kWidth; ++y) {
      for (int x = 0; x < kWidth; ++x) {
        values.push_back(value_at(direction(face, centre(x, kWidth), centre(y, kWidth), 1)));
      }
    }
  }
  const Cubes cubes(kWidth, 1, cudaFilterModeLinear, 0, values, true);
  constexpr float kNear = 1 - 1.0f / kWidth;  // of the texels at an edge
  std::vector<float3> places;
  std::vector<float> want;
  for (const float a : {-1.0f, 1.0f}) {
    for (const float b : {-1.0f, 1.0f}) {
      for (int i = 0; i < kWidth; ++i) {
        const float c = centre(i, kWidth);
        const auto edge = [&](float3 at, float3 one, float3 other) {
          places.push_back(at);
          want.push_back((value_at(one) + value_at(other)) / 2);
        };
        edge(make_float3(a, b, c), make_float3(a * kNear, b, c), make_float3(a, b * kNear, c));
        edge(make_float3(a, c, b), make_float3(a * kNear, c, b), make_float3(a, c, b * kNear));
        edge(make_float3(c, a, b), make_float3(c, a * kNear, b), make_float3(c, a, b * kNear));
      }
      for (const float c : {-1.0f, 1.0f}) {
        places.push_back(make_float3(a, b, c));
        const float3 parts[] = {make_float3(a, b * kNear, c * kNear),
                                make_float3(a * kNear, b, c * kNear),
                                make_float3(a * kNear, b * kNear, c)};
        want.push_back((value_at(parts[0]) + value_at(parts[1]) + value_at(parts[2])) / 3);
      }
    }
  }
  // Cards round weights to multiples of 1/256.
  testing::expect_close(fetched(cubes, places), want, 0.06);
}

__global__ void fetch_layers(cudaTextureObject_t cube, float* out) {
  const int layer = int(threadIdx.x);
  out[layer] = texCubemapLayered<float>(cube, -1, 0.25f, 0.25f, layer);
  out[layer + 2] = texCubemapLayeredLod<float>(cube, -1, 0.25f, 0.25f, layer, 0);
  const float4 none = make_float4(0, 0, 0, 0);
  out[layer + 4] = texCubemapLayeredGrad<float>(cube, -1, 0.25f, 0.25f, layer, none, none);
}

/// Six faces after six faces.
void layers() {
  const Cubes cubes(2, 2, cudaFilterModePoint, cudaArrayLayered);
  Buffer<float> out(6);
  fetch_layers<<<1, 2>>>(cubes.texture, out.get());
  FINISH_LAUNCH();
  // Face 1 of each: s = 0.25 is the second column, t = -0.25 the first row.
  testing::expect_equal(out.download(), std::vector<float>{5, 29, 5, 29, 5, 29});
}

__global__ void fetch_levels(cudaTextureObject_t cube, float* out) {
  const float4 none = make_float4(0, 0, 0, 0);
  out[0] = texCubemapLod<float>(cube, 0.25f, 1, 0.25f, 0);
  out[1] = texCubemapGrad<float>(cube, 0.25f, 1, 0.25f, none, none);
}

void levels() {
  const Cubes cubes(2, 1, cudaFilterModePoint, 0);
  Buffer<float> out(2);
  fetch_levels<<<1, 1>>>(cubes.texture, out.get());
  FINISH_LAUNCH();
  testing::expect_equal(out.download(), std::vector<float>{11, 11});
}

__global__ void fill_faces(cudaSurfaceObject_t faces, int width) {
  const int x = int(threadIdx.x) % width;
  const int y = int(threadIdx.x) / width;
  const int face = int(blockIdx.x);
  const float old = surfCubemapread<float>(faces, x * int(sizeof(float)), y, face);
  surfCubemapwrite(old + 1000, faces, x * int(sizeof(float)), y, face);
}
__global__ void fill_layered(cudaSurfaceObject_t faces) {
  const int face = int(threadIdx.x);
  const float old = surfCubemapLayeredread<float>(faces, 4, 1, face);
  surfCubemapLayeredwrite(-old, faces, 4, 1, face);
}

std::vector<float> download(const Cubes& cubes, int faces) {
  const auto n = std::size_t(cubes.width);
  std::vector<float> all(n * n * std::size_t(faces));
  cudaMemcpy3DParms copy = {};
  copy.srcArray = cubes.array;
  copy.dstPtr = make_cudaPitchedPtr(all.data(), n * sizeof(float), n, n);
  copy.extent = make_cudaExtent(n, n, std::size_t(faces));
  copy.kind = cudaMemcpyDeviceToHost;
  CUDA_CHECK(cudaMemcpy3D(&copy));
  return all;
}

void surfaces() {
  for (const int cubes_count : {1, 2}) {
    const unsigned layered = cubes_count > 1 ? cudaArrayLayered : 0u;
    const Cubes cubes(2, cubes_count, cudaFilterModePoint, cudaArraySurfaceLoadStore | layered);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = cubes.array;
    cudaSurfaceObject_t surface = 0;
    CUDA_CHECK(cudaCreateSurfaceObject(&surface, &resource));
    std::vector<float> want(std::size_t(4 * 6 * cubes_count));
    for (std::size_t i = 0; i < want.size(); ++i) {
      const float number = float(i);
      want[i] = layered == 0 ? number + 1000 : i % 4 == 3 ? -number : number;
    }
    if (layered == 0) {
      fill_faces<<<6, 4>>>(surface, 2);
    } else {
      fill_layered<<<1, 12>>>(surface);
    }
    FINISH_LAUNCH();
    testing::expect_equal(download(cubes, 6 * cubes_count), want);
    CUDA_CHECK(cudaDestroySurfaceObject(surface));
  }
}

/// A cubemap has six square faces, a layered one six for each layer.
void shapes() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  struct Shape {
    std::size_t width, height, depth;
    unsigned flags;
    bool fits;
  };
  for (const Shape& shape :
       {Shape{4, 4, 6, 0, true}, Shape{4, 5, 6, 0, false}, Shape{4, 4, 5, 0, false},
        Shape{4, 4, 12, 0, false}, Shape{4, 4, 12, cudaArrayLayered, true},
        Shape{4, 4, 8, cudaArrayLayered, false}}) {
    cudaArray_t array = nullptr;
    EXPECT_ERROR(
        cudaMalloc3DArray(&array, &format, make_cudaExtent(shape.width, shape.height, shape.depth),
                          cudaArrayCubemap | shape.flags),
        shape.fits ? cudaSuccess : cudaErrorInvalidValue);
    if (shape.fits) CUDA_CHECK(cudaFreeArray(array));
  }
  (void)cudaGetLastError();
}

void run() {
  every_texel();
  between_texels();
  seamless_edges();
  layers();
  levels();
  surfaces();
  shapes();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}

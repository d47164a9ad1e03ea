#include <cmath>

#include "emulator/tests/support/program.h"

// Textures through texture objects: what is fetched against a model written from the programming
// guide's formulas, on linear memory, pitched memory and arrays.

namespace {

using testing::Buffer;

/// An array with its contents and a texture over it, freed together.
struct Texture {
  cudaArray_t array = nullptr;
  cudaTextureObject_t object = 0;

  template <class T>
  Texture(const std::vector<T>& texels, cudaExtent extent, const cudaTextureDesc& description,
          unsigned flags = 0) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<T>();
    CUDA_CHECK(cudaMalloc3DArray(&array, &format, extent, flags));
    const std::size_t rows = extent.height == 0 ? 1 : extent.height;
    const std::size_t slices = extent.depth == 0 ? 1 : extent.depth;
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(const_cast<T*>(texels.data()), extent.width * sizeof(T),
                                      extent.width, rows);
    copy.dstArray = array;
    copy.extent = make_cudaExtent(extent.width, rows, slices);
    copy.kind = cudaMemcpyHostToDevice;
    CUDA_CHECK(cudaMemcpy3D(&copy));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    CUDA_CHECK(cudaCreateTextureObject(&object, &resource, &description, nullptr));
  }
  ~Texture() {
    cudaDestroyTextureObject(object);
    cudaFreeArray(array);
  }
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;
};

cudaTextureDesc description(cudaTextureAddressMode outside, cudaTextureFilterMode filter,
                            bool normalized, cudaTextureReadMode read = cudaReadModeElementType) {
  cudaTextureDesc result = {};
  // A card reads a row as a plane of height one at y = 0: a border above it would take half.
  for (auto& mode : result.addressMode) mode = cudaAddressModeClamp;
  result.addressMode[0] = outside;
  result.filterMode = filter;
  result.readMode = read;
  result.normalizedCoords = normalized ? 1 : 0;
  return result;
}

// -- one row ------------------------------------------------------------------------------------

__global__ void fetch_row(cudaTextureObject_t texture, const float* x, float* out, int n) {
  const int i = int(threadIdx.x);
  if (i < n) out[i] = tex1D<float>(texture, x[i]);
}

/// The guide's one-dimensional formulas; exact for places that are multiples of 1/256.
double model_row(const std::vector<float>& t, double x, cudaTextureAddressMode outside, bool linear,
                 bool normalized) {
  const long n = long(t.size());
  if (normalized) {
    if (outside == cudaAddressModeWrap) x -= std::floor(x);
    x *= double(n);
  }
  const auto texel = [&](long i) -> double {
    if (i >= 0 && i < n) return t[std::size_t(i)];
    if (outside == cudaAddressModeBorder) return 0;
    if (outside == cudaAddressModeWrap && normalized) return t[std::size_t(((i % n) + n) % n)];
    if (outside == cudaAddressModeMirror && normalized) {
      const long j = ((i % (2 * n)) + 2 * n) % (2 * n);  // texels mirrored one by one
      return t[std::size_t(j < n ? j : 2 * n - 1 - j)];
    }
    return t[std::size_t(i < 0 ? 0 : n - 1)];
  };
  if (!linear) return texel(long(std::floor(x)));
  const double before = std::floor(x - 0.5);
  const double share = x - 0.5 - before;
  return (1 - share) * texel(long(before)) + share * texel(long(before) + 1);
}

void one_row() {
  const std::vector<float> texels = {2, 4, 8, 16, -32, 64, 1, 5};
  std::vector<float> places;
  for (int i = -96; i < 160; i += 4) places.push_back(float(i) / 16);
  Buffer<float> out(places.size());
  for (const auto outside :
       {cudaAddressModeWrap, cudaAddressModeClamp, cudaAddressModeMirror, cudaAddressModeBorder}) {
    for (const bool linear : {false, true}) {
      for (const bool normalized : {false, true}) {
        std::vector<float> x = places;
        if (normalized) {
          for (float& place : x) place /= 8;
        }
        const Texture texture(
            texels, make_cudaExtent(8, 0, 0),
            description(outside, linear ? cudaFilterModeLinear : cudaFilterModePoint, normalized));
        const Buffer<float> in(x);
        fetch_row<<<1, 64>>>(texture.object, in.get(), out.get(), int(x.size()));
        FINISH_LAUNCH();
        std::vector<double> want;
        for (const float place : x) {
          want.push_back(model_row(texels, place, outside, linear, normalized));
        }
        testing::expect_close(out.download(), want, 1e-4);
      }
    }
  }
}

/// Between multiples of 1/256 the weights are rounded: off by at most half a step.
void fraction_of_eight_bits() {
  const std::vector<float> texels = {0, 1};
  const Texture texture(texels, make_cudaExtent(2, 0, 0),
                        description(cudaAddressModeClamp, cudaFilterModeLinear, false));
  std::vector<float> x;
  std::vector<float> want;
  for (int i = 0; i < 64; ++i) {
    want.push_back(float(i) / 64 + float(i) / 10007);
    x.push_back(0.5f + want.back());
  }
  const Buffer<float> in(x);
  Buffer<float> out(x.size());
  fetch_row<<<1, 64>>>(texture.object, in.get(), out.get(), 64);
  FINISH_LAUNCH();
  const std::vector<float> got = out.download();
  testing::expect_close(got, want, 1.0 / 256);
  for (const float value : got) EXPECT(value * 256 == std::floor(value * 256));
}

// -- two and three dimensions, layers -----------------------------------------------------------

__global__ void fetch_plane(cudaTextureObject_t texture, float* out, float step_x, float step_y) {
  out[threadIdx.y * blockDim.x + threadIdx.x] = tex2D<float>(
      texture, (float(threadIdx.x) + 0.5f) * step_x, (float(threadIdx.y) + 0.5f) * step_y);
}

__global__ void fetch_box(cudaTextureObject_t texture, float* out, float shift) {
  const unsigned i = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  out[i] = tex3D<float>(texture, float(threadIdx.x) + shift, float(threadIdx.y) + shift,
                        float(threadIdx.z) + shift);
}

__global__ void fetch_layers(cudaTextureObject_t rows, cudaTextureObject_t planes, float* out) {
  const int x = int(threadIdx.x), y = int(threadIdx.y), layer = int(threadIdx.z);
  float* at = out + ((layer * 3 + y) * 4 + x) * 2;
  at[0] = tex1DLayered<float>(rows, float(x) + 0.5f, layer);
  at[1] = tex2DLayered<float>(planes, float(x) + 0.5f, float(y) + 0.5f, layer);
}

/// Of a texture without smaller levels, whichever level is chosen by number or by gradients.
__global__ void fetch_by_level(cudaTextureObject_t rows, cudaTextureObject_t planes,
                               cudaTextureObject_t box, cudaTextureObject_t row, float* out) {
  const int layer = 1;
  const float2 slope = make_float2(0.1f, 0.1f);
  const float4 slopes = make_float4(0.1f, 0.1f, 0.1f, 0);
  out[0] = tex1DLayeredLod<float>(rows, 2.5f, layer, 0);
  out[1] = tex1DLayeredGrad<float>(rows, 2.5f, layer, 0.1f, 0.1f);
  out[2] = tex2DLayeredLod<float>(planes, 2.5f, 1.5f, layer, 0);
  out[3] = tex2DLayeredGrad<float>(planes, 2.5f, 1.5f, layer, slope, slope);
  out[4] = tex3DLod<float>(box, 1.5f, 2.5f, 0.5f, 0);
  out[5] = tex3DGrad<float>(box, 1.5f, 2.5f, 0.5f, slopes, slopes);
  out[6] = tex1DGrad<float>(row, 2.5f, 0.1f, 0.1f);
}

void planes_and_boxes() {
  // Places between texels of a linear function have exactly its values.
  const auto value = [](double x, double y, double z) { return float(3 * x - 7 * y + 11 * z); };
  std::vector<float> box;
  for (int z = 0; z < 3; ++z) {
    for (int y = 0; y < 4; ++y) {
      for (int x = 0; x < 5; ++x) box.push_back(value(x, y, z));
    }
  }
  const auto linear = description(cudaAddressModeClamp, cudaFilterModeLinear, false);
  const Texture texture(box, make_cudaExtent(5, 4, 3), linear);
  Buffer<float> out(4 * 3 * 2);
  fetch_box<<<1, dim3(4, 3, 2)>>>(texture.object, out.get(), 0.75f);
  FINISH_LAUNCH();
  std::vector<float> want;
  for (int z = 0; z < 2; ++z) {
    for (int y = 0; y < 3; ++y) {
      for (int x = 0; x < 4; ++x) want.push_back(value(x + 0.25, y + 0.25, z + 0.25));
    }
  }
  testing::expect_close(out.download(), want, 1e-3);

  const std::vector<float> plane(box.begin(), box.begin() + 20);
  const Texture picture(plane, make_cudaExtent(5, 4, 0),
                        description(cudaAddressModeClamp, cudaFilterModePoint, true));
  Buffer<float> grid(10 * 8);
  fetch_plane<<<1, dim3(10, 8)>>>(picture.object, grid.get(), 0.1f, 0.125f);
  FINISH_LAUNCH();
  want.clear();
  for (int y = 0; y < 8; ++y) {
    for (int x = 0; x < 10; ++x) want.push_back(value(x / 2, y / 2, 0));
  }
  testing::expect_equal(grid.download(), want);

  const Texture rows(std::vector<float>{0, 1, 2, 3, 10, 11, 12, 13}, make_cudaExtent(4, 0, 2),
                     linear, cudaArrayLayered);
  std::vector<float> layers;
  for (int i = 0; i < 24; ++i) layers.push_back(float(i * i));
  const Texture planes(layers, make_cudaExtent(4, 3, 2), linear, cudaArrayLayered);
  Buffer<float> both(48);
  fetch_layers<<<1, dim3(4, 3, 2)>>>(rows.object, planes.object, both.get());
  FINISH_LAUNCH();
  want.clear();
  for (int i = 0; i < 24; ++i) {
    want.push_back(float(i % 4 + 10 * (i / 12)));
    want.push_back(layers[std::size_t(i)]);
  }
  testing::expect_equal(both.download(), want);

  const Texture row(std::vector<float>{0, 1, 2, 3}, make_cudaExtent(4, 0, 0), linear);
  const Texture cells(layers, make_cudaExtent(4, 3, 2), linear);
  Buffer<float> levels(7);
  fetch_by_level<<<1, 1>>>(rows.object, planes.object, cells.object, row.object, levels.get());
  FINISH_LAUNCH();
  const float in_layer = layers[18];
  const float in_box = layers[9];
  testing::expect_equal(levels.download(),
                        std::vector<float>{12, 12, in_layer, in_layer, in_box, in_box, 2});
}

// -- formats ------------------------------------------------------------------------------------

__global__ void fetch_formats(cudaTextureObject_t bytes, cudaTextureObject_t shares,
                              cudaTextureObject_t shorts, uchar4* out, float4* normal,
                              short2* two) {
  const int x = int(threadIdx.x);
  out[x] = tex2D<uchar4>(bytes, float(x), 0);
  normal[x] = tex2D<float4>(shares, float(x), 0);
  two[x] = tex1D<short2>(shorts, float(x));
}

void formats() {
  std::vector<uchar4> colours;
  std::vector<short2> pairs;
  for (int i = 0; i < 16; ++i) {
    const auto byte = [&](int k) { return static_cast<unsigned char>((i * 37 + k * 91) % 256); };
    colours.push_back(make_uchar4(byte(0), byte(1), byte(2), byte(3)));
    pairs.push_back(make_short2(short(i * 4000 - 32000), short(-i)));
  }
  const auto point = description(cudaAddressModeClamp, cudaFilterModePoint, false);
  const Texture bytes(colours, make_cudaExtent(16, 1, 0), point);
  const Texture shares(
      colours, make_cudaExtent(16, 1, 0),
      description(cudaAddressModeClamp, cudaFilterModePoint, false, cudaReadModeNormalizedFloat));
  const Texture shorts(pairs, make_cudaExtent(16, 0, 0), point);
  Buffer<uchar4> out(16);
  Buffer<float4> normal(16);
  Buffer<short2> two(16);
  fetch_formats<<<1, 16>>>(bytes.object, shares.object, shorts.object, out.get(), normal.get(),
                           two.get());
  FINISH_LAUNCH();
  const auto got = out.download();
  const auto as_float = normal.download();
  const auto got_pairs = two.download();
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT(got[i].x == colours[i].x && got[i].y == colours[i].y);
    EXPECT(got[i].z == colours[i].z && got[i].w == colours[i].w);
    EXPECT(std::fabs(as_float[i].x - float(colours[i].x) / 255) < 1e-6);
    EXPECT(std::fabs(as_float[i].w - float(colours[i].w) / 255) < 1e-6);
    EXPECT(got_pairs[i].x == pairs[i].x && got_pairs[i].y == pairs[i].y);
  }
}

// -- linear and pitched memory, gather, levels --------------------------------------------------

__global__ void fetch_linear(cudaTextureObject_t texture, int* out) {
  const int i = int(threadIdx.x);
  out[i] = tex1Dfetch<int>(texture, i - 4);
}

__global__ void gather(cudaTextureObject_t texture, float4* out) {
  out[threadIdx.x] = tex2Dgather<float4>(texture, 1.0f + float(threadIdx.x), 1.0f, 0);
}

__global__ void fetch_levels(cudaTextureObject_t texture, float* out) {
  const float2 slope = make_float2(0.1f, 0.1f);
  out[0] = tex2DLod<float>(texture, 1.5f, 0.5f, 0);
  out[1] = tex2DGrad<float>(texture, 1.5f, 1.5f, slope, slope);
}

void memory_without_array() {
  std::vector<int> values(16);
  for (int i = 0; i < 16; ++i) values[std::size_t(i)] = 1000 + i;
  const Buffer<int> memory(values);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = const_cast<int*>(memory.get());
  resource.res.linear.desc = cudaCreateChannelDesc<int>();
  resource.res.linear.sizeInBytes = 16 * sizeof(int);
  cudaTextureObject_t texture = 0;
  const auto point = description(cudaAddressModeClamp, cudaFilterModePoint, false);
  CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &point, nullptr));
  Buffer<int> out(24);
  fetch_linear<<<1, 24>>>(texture, out.get());
  FINISH_LAUNCH();
  std::vector<int> want(24, 0);  // outside of linear memory is zero
  for (int i = 0; i < 16; ++i) want[std::size_t(i) + 4] = 1000 + i;
  testing::expect_equal(out.download(), want);
  CUDA_CHECK(cudaDestroyTextureObject(texture));

  // A picture of 5 x 3 in rows with uninitialized padding.
  float* rows = nullptr;
  std::size_t pitch = 0;
  CUDA_CHECK(cudaMallocPitch(&rows, &pitch, 5 * sizeof(float), 3));
  std::vector<float> picture;
  for (int i = 0; i < 15; ++i) picture.push_back(float(i));
  CUDA_CHECK(cudaMemcpy2D(rows, pitch, picture.data(), 20, 20, 3, cudaMemcpyHostToDevice));
  resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {rows, cudaCreateChannelDesc<float>(), 5, 3, pitch};
  const auto linear = description(cudaAddressModeClamp, cudaFilterModeLinear, false);
  CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &linear, nullptr));
  Buffer<float> plane(10 * 6);
  fetch_plane<<<1, dim3(10, 6)>>>(texture, plane.get(), 0.5f, 0.5f);
  FINISH_LAUNCH();
  std::vector<float> expected;
  const auto between = [](int i, int size) {
    const double place = (i + 0.5) * 0.5 - 0.5;
    return place < 0 ? 0 : place > size - 1 ? size - 1 : place;
  };
  for (int y = 0; y < 6; ++y) {
    for (int x = 0; x < 10; ++x) expected.push_back(float(between(x, 5) + 5 * between(y, 3)));
  }
  testing::expect_close(plane.download(), expected, 1e-5);

  Buffer<float> levels(2);
  fetch_levels<<<1, 1>>>(texture, levels.get());
  FINISH_LAUNCH();
  testing::expect_close(levels.download(), std::vector<float>{1, 6}, 1e-6);
  CUDA_CHECK(cudaDestroyTextureObject(texture));
  CUDA_CHECK(cudaFree(rows));

  const Texture corners(picture, make_cudaExtent(5, 3, 0),
                        description(cudaAddressModeClamp, cudaFilterModePoint, false),
                        cudaArrayTextureGather);
  Buffer<float4> fours(4);
  gather<<<1, 4>>>(corners.object, fours.get());
  FINISH_LAUNCH();
  const auto got = fours.download();
  for (int i = 0; i < 4; ++i) {
    const float4 four = got[std::size_t(i)];
    EXPECT(four.x == float(i + 5) && four.y == float(i + 6));
    EXPECT(four.z == float(i + 1) && four.w == float(i));
  }
}

// -- what the host is told ----------------------------------------------------------------------

void descriptions() {
  auto wanted = description(cudaAddressModeMirror, cudaFilterModePoint, true);
  const Texture texture(std::vector<int>(6), make_cudaExtent(3, 2, 0), wanted);
  cudaTextureDesc got = {};
  CUDA_CHECK(cudaGetTextureObjectTextureDesc(&got, texture.object));
  EXPECT(got.addressMode[0] == cudaAddressModeMirror && got.normalizedCoords == 1);
  cudaResourceDesc resource = {};
  CUDA_CHECK(cudaGetTextureObjectResourceDesc(&resource, texture.object));
  EXPECT(resource.resType == cudaResourceTypeArray && resource.res.array.array == texture.array);
  cudaChannelFormatDesc format = {};
  cudaExtent extent = {};
  unsigned flags = 1;
  CUDA_CHECK(cudaArrayGetInfo(&format, &extent, &flags, texture.array));
  EXPECT(format.x == 32 && format.y == 0 && format.f == cudaChannelFormatKindSigned);
  EXPECT(extent.width == 3 && extent.height == 2 && extent.depth == 0 && flags == 0);
}

void run() {
  one_row();
  fraction_of_eight_bits();
  planes_and_boxes();
  formats();
  memory_without_array();
  descriptions();
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}

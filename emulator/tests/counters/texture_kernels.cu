// Fetches from textures of linear memory and of an array.

#include <cstdio>
#include <vector>

namespace {

__global__ void fetch_row(cudaTextureObject_t in, float* out) {
  const auto i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = tex1Dfetch<float>(in, i);
}

__global__ void fetch_stride(cudaTextureObject_t in, float* out) {
  const auto i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  out[i] = tex1Dfetch<float>(in, i % 128 * 8);
}

/// Between four texels each.
__global__ void filter(cudaTextureObject_t in, float* out) {
  const auto x = static_cast<float>(threadIdx.x);
  const auto y = static_cast<float>(blockIdx.x);
  out[blockIdx.x * blockDim.x + threadIdx.x] = tex2D<float>(in, x + 1, y + 1);
}

bool check(cudaError_t error) {
  if (error != cudaSuccess) std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  return error == cudaSuccess;
}

bool run() {
  constexpr size_t kFloats = 1024;
  float *in = nullptr, *out = nullptr;
  bool good = check(cudaMalloc(&in, kFloats * 4)) && check(cudaMalloc(&out, kFloats * 4)) &&
              check(cudaMemset(in, 0, kFloats * 4));
  cudaResourceDesc memory = {};
  memory.resType = cudaResourceTypeLinear;
  memory.res.linear.devPtr = in;
  memory.res.linear.desc = cudaCreateChannelDesc<float>();
  memory.res.linear.sizeInBytes = kFloats * 4;
  cudaTextureDesc plain = {};
  cudaTextureObject_t row = 0;
  good = good && check(cudaCreateTextureObject(&row, &memory, &plain, nullptr));
  fetch_row<<<8, 128>>>(row, out);
  fetch_stride<<<1, 128>>>(row, out);

  cudaArray_t array = nullptr;
  const std::vector<float> zeros(64 * 16);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  good = good && check(cudaMallocArray(&array, &format, 64, 16)) &&
         check(cudaMemcpy2DToArray(array, 0, 0, zeros.data(), 64 * 4, 64 * 4, 16,
                                   cudaMemcpyHostToDevice));
  cudaResourceDesc image = {};
  image.resType = cudaResourceTypeArray;
  image.res.array.array = array;
  cudaTextureDesc smooth = {};
  smooth.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t picture = 0;
  good = good && check(cudaCreateTextureObject(&picture, &image, &smooth, nullptr));
  filter<<<1, 32>>>(picture, out);
  good = good && check(cudaDeviceSynchronize());
  return good && check(cudaDestroyTextureObject(row)) && check(cudaDestroyTextureObject(picture)) &&
         check(cudaFreeArray(array)) && check(cudaFree(in)) && check(cudaFree(out));
}

}  // namespace

int main() {
  return run() ? 0 : 1;
}

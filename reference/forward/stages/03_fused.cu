// Three kernels: what a step computes is used at once, not stored for the next kernel.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t status = (call);                                                     \
    if (status != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (false)

struct Sizes {
  int batch, channels, height, width, maps1, mask1, maps2, mask2, hidden, classes;

  int height1() const { return (height - mask1 + 2) / 2; }  // after pooling
  int width1() const { return (width - mask1 + 2) / 2; }
  int height2() const { return (height1() - mask2 + 2) / 2; }
  int width2() const { return (width1() - mask2 + 2) / 2; }
  int pixels() const { return channels * height * width; }  // of one image
  int results1() const { return maps1 * height1() * width1(); }
  int features() const { return maps2 * height2() * width2(); }
};

static Sizes read_sizes(int argc, char** argv) {
  constexpr int kSizes = 10;
  int size[kSizes] = {};
  bool good = argc == kSizes + 1;
  for (int i = 0; good && i < kSizes; ++i) {
    size[i] = std::atoi(argv[i + 1]);
    good = size[i] >= (i > 0);  // only the batch may be 0
  }
  const Sizes s = {size[0], size[1], size[2], size[3], size[4],
                   size[5], size[6], size[7], size[8], size[9]};
  if (!good || s.mask1 > std::min(s.height, s.width) ||
      s.mask2 > std::min(s.height1(), s.width1())) {
    std::printf(
        "usage: forward BATCH CHANNELS HEIGHT WIDTH MAPS1 MASK1 MAPS2 MASK2 HIDDEN CLASSES\n"
        "Masks have to fit into the images that they are applied to.\n");
    std::exit(2);
  }
  return s;
}

static void read_floats(const char* name, float* to, size_t count) {
  std::FILE* file = std::fopen(name, "rb");
  if (file == nullptr || std::fread(to, sizeof(float), count, file) != count) {
    std::fprintf(stderr, "%s: cannot read %zu floats\n", name, count);
    std::exit(1);
  }
  std::fclose(file);
}

static void write_results(const float* probabilities, int batch, int classes) {
  std::FILE* binary = std::fopen("probabilities.bin", "wb");
  std::FILE* text = std::fopen("classes.txt", "w");
  if (binary == nullptr || text == nullptr) {
    std::fprintf(stderr, "cannot write the results\n");
    std::exit(1);
  }
  for (int b = 0; b < batch; ++b) {
    const float* row = probabilities + static_cast<size_t>(b) * classes;
    std::fwrite(row, sizeof(float), classes, binary);
    std::fprintf(text, "%d\n", static_cast<int>(std::max_element(row, row + classes) - row));
  }
  std::fclose(binary);
  std::fclose(text);
}

constexpr int kThreads = 256;
constexpr int kWarps = kThreads / 32;
constexpr int kWidest = 1024;  // most hidden values, and most classes

static int blocks_for(int elements) {
  return (elements + kThreads - 1) / kThreads;
}

// One thread per window of 2 x 2 values, which may be cut off at the edge: all of their products
// are added up to one sum, so that no value before pooling is stored.
__global__ void layer(const float* in, const float* weights, const float* bias, float* out,
                      int count, int channels, int height, int width, int maps, int mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int map_height = height - mask + 1;
  const int map_width = width - mask + 1;
  const int out_height = (map_height + 1) / 2;
  const int out_width = (map_width + 1) / 2;
  const int left = i % out_width * 2;
  const int top = i / out_width % out_height * 2;
  const int map = i / (out_width * out_height) % maps;
  const int image = i / (out_width * out_height * maps);
  const int right = min(left + 2, map_width);
  const int bottom = min(top + 2, map_height);
  float sum = 0;
  for (int r = top; r < bottom; ++r) {
    for (int c = left; c < right; ++c) {
      for (int k = 0; k < channels; ++k) {
        const float* pixels = in + ((image * channels + k) * height + r) * width + c;
        const float* weight = weights + (map * channels + k) * mask * mask;
        for (int p = 0; p < mask; ++p) {
          for (int q = 0; q < mask; ++q) sum += weight[p * mask + q] * pixels[p * width + q];
        }
      }
    }
  }
  const float mean = sum / ((right - left) * (bottom - top));
  out[i] = 1 / (1 + expf(-(mean + bias[map])));
}

__device__ float sum_of_warp(float x) {
  for (int d = 16; d > 0; d /= 2) x += __shfl_xor_sync(~0u, x, d);
  return x;
}

__device__ float largest_of_warp(float x) {
  for (int d = 16; d > 0; d /= 2) x = fmaxf(x, __shfl_xor_sync(~0u, x, d));
  return x;
}

// One block per image: both fully connected layers and the softmax. A warp computes a sum, its
// lanes have neighbouring products.
__global__ void __launch_bounds__(kThreads)
    classify(const float* features, const float* full1, const float* full1_bias, const float* full2,
             const float* full2_bias, float* out, int inputs, int hidden, int classes) {
  __shared__ float hidden_values[kWidest];
  __shared__ float values[kWidest];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const float* in = features + blockIdx.x * inputs;
  for (int row = warp; row < hidden; row += kWarps) {
    float sum = 0;
    for (int k = lane; k < inputs; k += 32) sum += full1[row * inputs + k] * in[k];
    sum = sum_of_warp(sum);
    if (lane == 0) hidden_values[row] = fmaxf(sum + full1_bias[row], 0);
  }
  __syncthreads();
  for (int row = warp; row < classes; row += kWarps) {
    float sum = 0;
    for (int k = lane; k < hidden; k += 32) sum += full2[row * hidden + k] * hidden_values[k];
    sum = sum_of_warp(sum);
    if (lane == 0) values[row] = sum + full2_bias[row];
  }
  __syncthreads();
  if (warp > 0) return;
  float largest = -INFINITY;
  for (int c = lane; c < classes; c += 32) largest = fmaxf(largest, values[c]);
  largest = largest_of_warp(largest);
  float sum = 0;
  for (int c = lane; c < classes; c += 32) sum += values[c] = expf(values[c] - largest);
  sum = sum_of_warp(sum);
  for (int c = lane; c < classes; c += 32) out[blockIdx.x * classes + c] = values[c] / sum;
}

// Reads a file and copies it to memory of the device, which the caller frees.
static float* weights_on_device(const char* name, size_t count) {
  std::vector<float> host(count);
  read_floats(name, host.data(), count);
  float* device;
  CHECK(cudaMalloc(&device, count * sizeof(float)));
  CHECK(cudaMemcpy(device, host.data(), count * sizeof(float), cudaMemcpyHostToDevice));
  return device;
}

static float* room_for(size_t count) {
  float* device;
  CHECK(cudaMalloc(&device, count * sizeof(float)));
  return device;
}

static void forward(const Sizes& s, const float* images, float* probabilities) {
  float* conv1 = weights_on_device("conv1.bin", s.maps1 * s.channels * s.mask1 * s.mask1);
  float* conv1_bias = weights_on_device("conv1_bias.bin", s.maps1);
  float* conv2 = weights_on_device("conv2.bin", s.maps2 * s.maps1 * s.mask2 * s.mask2);
  float* conv2_bias = weights_on_device("conv2_bias.bin", s.maps2);
  float* full1 = weights_on_device("full1.bin", s.hidden * s.features());
  float* full1_bias = weights_on_device("full1_bias.bin", s.hidden);
  float* full2 = weights_on_device("full2.bin", s.classes * s.hidden);
  float* full2_bias = weights_on_device("full2_bias.bin", s.classes);
  const size_t pixels = static_cast<size_t>(s.batch) * s.pixels();
  float* in = room_for(pixels);
  float* results1 = room_for(s.batch * s.results1());
  float* results2 = room_for(s.batch * s.features());
  float* out = room_for(s.batch * s.classes);

  CHECK(cudaMemcpy(in, images, pixels * sizeof(float), cudaMemcpyHostToDevice));
  const int count1 = s.batch * s.results1();
  const int count2 = s.batch * s.features();
  layer<<<blocks_for(count1), kThreads>>>(in, conv1, conv1_bias, results1, count1, s.channels,
                                          s.height, s.width, s.maps1, s.mask1);
  layer<<<blocks_for(count2), kThreads>>>(results1, conv2, conv2_bias, results2, count2, s.maps1,
                                          s.height1(), s.width1(), s.maps2, s.mask2);
  classify<<<s.batch, kThreads>>>(results2, full1, full1_bias, full2, full2_bias, out, s.features(),
                                  s.hidden, s.classes);
  CHECK(cudaGetLastError());
  CHECK(
      cudaMemcpy(probabilities, out, s.batch * s.classes * sizeof(float), cudaMemcpyDeviceToHost));
  for (float* array : {conv1, conv1_bias, conv2, conv2_bias, full1, full1_bias, full2, full2_bias,
                       in, results1, results2, out}) {
    CHECK(cudaFree(array));
  }
}

int main(int argc, char** argv) {
  const Sizes s = read_sizes(argc, argv);
  std::vector<float> images(static_cast<size_t>(s.batch) * s.pixels());
  std::vector<float> probabilities(static_cast<size_t>(s.batch) * s.classes);
  read_floats("images.bin", images.data(), images.size());
  if (s.batch > 0) forward(s, images.data(), probabilities.data());
  write_results(probabilities.data(), s.batch, s.classes);
}

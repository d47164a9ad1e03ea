// verdict: fails-concept
// pitfall: P72
// caught-by: concept results-only
// The results of each layer are copied to the host, and back for the next one.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

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

constexpr int kTile = 8;  // windows along a side of a block
constexpr int kMaps = 4;  // of a thread
constexpr int kThreads = 1024;  // of a block of the fully connected layers
constexpr int kWarps = kThreads / 32;
constexpr int kImages = 4;  // of such a block
constexpr int kWidest = 1024;  // most hidden values, and most classes

// Side of the tile of pixels that a block's windows need.
__host__ __device__ constexpr int side_of_tile(int mask) {
  return 2 * kTile + mask - 1;
}

// One block per tile of windows and four maps, one thread per window: the four values of it, for
// four maps. Pixels and weights of one channel at a time are in shared memory.
__global__ void __launch_bounds__(kTile* kTile)
    layer(const float* in, const float* weights, const float* bias, float* out, int channels,
          int height, int width, int maps, int mask) {
  extern __shared__ float4 shared[];
  float* tile_weights = reinterpret_cast<float*>(shared);  // four maps side by side
  float* tile = tile_weights + kMaps * mask * mask;
  const int area = mask * mask;
  const int side = side_of_tile(mask);
  const int map_height = height - mask + 1;
  const int map_width = width - mask + 1;
  const int out_height = (map_height + 1) / 2;
  const int out_width = (map_width + 1) / 2;
  const int across = (out_width + kTile - 1) / kTile;
  const int down = (out_height + kTile - 1) / kTile;
  const int image = blockIdx.x / (across * down);
  const int first_row = blockIdx.x / across % down * kTile;  // of the windows
  const int first_column = blockIdx.x % across * kTile;
  const int first_map = blockIdx.y * kMaps;
  const int tid = threadIdx.x;
  const int ty = tid / kTile;
  const int tx = tid % kTile;

  float sums[2][2][kMaps] = {};  // row and column in the window
  for (int k = 0; k < channels; ++k) {
    const float* pixels = in + (image * channels + k) * height * width;
    for (int i = tid; i < side * side; i += kTile * kTile) {
      const int row = 2 * first_row + i / side;
      const int column = 2 * first_column + i % side;
      tile[i] = row < height && column < width ? pixels[row * width + column] : 0;
    }
    for (int i = tid; i < kMaps * area; i += kTile * kTile) {
      const int map = first_map + i % kMaps;
      tile_weights[i] = map < maps ? weights[(map * channels + k) * area + i / kMaps] : 0;
    }
    __syncthreads();
    for (int p = 0; p < mask; ++p) {
      const float* row = tile + (2 * ty + p) * side + 2 * tx;
      float left[2] = {row[0], row[side]};
      for (int q = 0; q < mask; ++q) {
        const float4 packed = shared[p * mask + q];
        const float weight[kMaps] = {packed.x, packed.y, packed.z, packed.w};
#pragma unroll
        for (int r = 0; r < 2; ++r) {
          const float right = row[r * side + q + 1];
#pragma unroll
          for (int m = 0; m < kMaps; ++m) {
            sums[r][0][m] += weight[m] * left[r];
            sums[r][1][m] += weight[m] * right;
          }
          left[r] = right;
        }
      }
    }
    __syncthreads();
  }

  const int row = first_row + ty;
  const int column = first_column + tx;
  if (row >= out_height || column >= out_width) return;
  // A window that is cut off at the edge has fewer values.
  const bool two_rows = 2 * row + 1 < map_height;
  const bool two_columns = 2 * column + 1 < map_width;
#pragma unroll
  for (int m = 0; m < kMaps; ++m) {
    const int map = first_map + m;
    if (map >= maps) return;
    float sum = sums[0][0][m];
    if (two_columns) sum += sums[0][1][m];
    if (two_rows) sum += sums[1][0][m];
    if (two_rows && two_columns) sum += sums[1][1][m];
    const float mean = sum / ((two_rows ? 2 : 1) * (two_columns ? 2 : 1));
    out[((image * maps + map) * out_height + row) * out_width + column] =
        1 / (1 + expf(-(mean + bias[map])));
  }
}

__device__ float sum_of_warp(float x) {
  for (int d = 16; d > 0; d /= 2) x += __shfl_xor_sync(~0u, x, d);
  return x;
}

__device__ float largest_of_warp(float x) {
  for (int d = 16; d > 0; d /= 2) x = fmaxf(x, __shfl_xor_sync(~0u, x, d));
  return x;
}

// One block per four images: both fully connected layers and the softmax. A warp computes the sums
// of a row for all four, so that a weight is loaded once for them.
__global__ void __launch_bounds__(kThreads)
    classify(const float* features, const float* full1, const float* full1_bias, const float* full2,
             const float* full2_bias, float* out, int images, int inputs, int hidden, int classes) {
  __shared__ float hidden_values[kImages][kWidest];
  __shared__ float values[kImages][kWidest];
  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int first = blockIdx.x * kImages;
  const float* in[kImages];
  for (int i = 0; i < kImages; ++i) in[i] = features + min(first + i, images - 1) * inputs;
  for (int row = warp; row < hidden; row += kWarps) {
    float sums[kImages] = {};
    for (int k = lane; k < inputs; k += 32) {
      const float weight = full1[row * inputs + k];
#pragma unroll
      for (int i = 0; i < kImages; ++i) sums[i] += weight * in[i][k];
    }
#pragma unroll
    for (int i = 0; i < kImages; ++i) {
      const float sum = sum_of_warp(sums[i]);
      if (lane == 0) hidden_values[i][row] = fmaxf(sum + full1_bias[row], 0);
    }
  }
  __syncthreads();
  for (int row = warp; row < classes; row += kWarps) {
    float sums[kImages] = {};
    for (int k = lane; k < hidden; k += 32) {
      const float weight = full2[row * hidden + k];
#pragma unroll
      for (int i = 0; i < kImages; ++i) sums[i] += weight * hidden_values[i][k];
    }
#pragma unroll
    for (int i = 0; i < kImages; ++i) {
      const float sum = sum_of_warp(sums[i]);
      if (lane == 0) values[i][row] = sum + full2_bias[row];
    }
  }
  __syncthreads();
  if (warp >= kImages || first + warp >= images) return;
  float* mine = values[warp];  // one warp per image
  float largest = -INFINITY;
  for (int c = lane; c < classes; c += 32) largest = fmaxf(largest, mine[c]);
  largest = largest_of_warp(largest);
  float sum = 0;
  for (int c = lane; c < classes; c += 32) sum += mine[c] = expf(mine[c] - largest);
  sum = sum_of_warp(sum);
  for (int c = lane; c < classes; c += 32) out[(first + warp) * classes + c] = mine[c] / sum;
}

static void run_layer(const float* in, const float* weights, const float* bias, float* out,
                      int images, int channels, int height, int width, int maps, int mask) {
  const int across = ((width - mask + 2) / 2 + kTile - 1) / kTile;
  const int down = ((height - mask + 2) / 2 + kTile - 1) / kTile;
  const int side = side_of_tile(mask);
  const size_t shared_bytes = (kMaps * mask * mask + side * side) * sizeof(float);
  const dim3 grid(images * across * down, (maps + kMaps - 1) / kMaps);
  layer<<<grid, kTile * kTile, shared_bytes>>>(in, weights, bias, out, channels, height, width,
                                               maps, mask);
  CHECK(cudaGetLastError());
}

// Where the arrays of weights begin, one after the other, in the order of their files.
struct Weights {
  float *conv1, *conv1_bias, *conv2, *conv2_bias, *full1, *full1_bias, *full2, *full2_bias;
  size_t count;

  Weights(const Sizes& s, float* begin) {
    conv1 = begin;
    conv1_bias = conv1 + s.maps1 * s.channels * s.mask1 * s.mask1;
    conv2 = conv1_bias + s.maps1;
    conv2_bias = conv2 + s.maps2 * s.maps1 * s.mask2 * s.mask2;
    full1 = conv2_bias + s.maps2;
    full1_bias = full1 + s.hidden * s.features();
    full2 = full1_bias + s.hidden;
    full2_bias = full2 + s.classes * s.hidden;
    count = full2_bias + s.classes - begin;
  }

  void read(const Sizes& s) const {
    read_floats("conv1.bin", conv1, conv1_bias - conv1);
    read_floats("conv1_bias.bin", conv1_bias, s.maps1);
    read_floats("conv2.bin", conv2, conv2_bias - conv2);
    read_floats("conv2_bias.bin", conv2_bias, s.maps2);
    read_floats("full1.bin", full1, full1_bias - full1);
    read_floats("full1_bias.bin", full1_bias, s.hidden);
    read_floats("full2.bin", full2, full2_bias - full2);
    read_floats("full2_bias.bin", full2_bias, s.classes);
  }
};

static size_t count_weights(const Sizes& s) {
  const size_t conv1 = s.maps1 * s.channels * s.mask1 * s.mask1 + s.maps1;
  const size_t conv2 = s.maps2 * s.maps1 * s.mask2 * s.mask2 + s.maps2;
  return conv1 + conv2 + s.hidden * s.features() + s.hidden + s.classes * s.hidden + s.classes;
}

static float* room_for(size_t count) {
  float* device;
  CHECK(cudaMalloc(&device, count * sizeof(float)));
  return device;
}

static float* pinned_room_for(size_t count) {
  float* host;
  CHECK(cudaMallocHost(&host, count * sizeof(float)));
  return host;
}

static void forward(const Sizes& s) {
  const size_t pixels = static_cast<size_t>(s.batch) * s.pixels();
  const size_t results = static_cast<size_t>(s.batch) * s.classes;
  const Weights host(s, pinned_room_for(count_weights(s)));
  float* images = pinned_room_for(pixels);
  float* probabilities = pinned_room_for(results);
  host.read(s);
  read_floats("images.bin", images, pixels);

  const Weights w(s, room_for(count_weights(s)));
  float* in = room_for(pixels);
  float* results1 = room_for(s.batch * s.results1());
  float* results2 = room_for(s.batch * s.features());
  float* out = room_for(results);

  // The host submits all of this without waiting.
  CHECK(cudaMemcpyAsync(in, images, pixels * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyAsync(w.conv1, host.conv1, w.count * sizeof(float), cudaMemcpyHostToDevice));
  run_layer(in, w.conv1, w.conv1_bias, results1, s.batch, s.channels, s.height, s.width, s.maps1,
            s.mask1);
  const size_t bytes1 = s.batch * s.results1() * sizeof(float);
  float* between = pinned_room_for(s.batch * s.results1());
  CHECK(cudaMemcpy(between, results1, bytes1, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(results1, between, bytes1, cudaMemcpyHostToDevice));
  run_layer(results1, w.conv2, w.conv2_bias, results2, s.batch, s.maps1, s.height1(), s.width1(),
            s.maps2, s.mask2);
  classify<<<(s.batch + kImages - 1) / kImages, kThreads>>>(results2, w.full1, w.full1_bias,
                                                            w.full2, w.full2_bias, out, s.batch,
                                                            s.features(), s.hidden, s.classes);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpyAsync(probabilities, out, results * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaDeviceSynchronize());
  write_results(probabilities, s.batch, s.classes);

  for (float* array : {w.conv1, in, results1, results2, out}) CHECK(cudaFree(array));
  for (float* array : {host.conv1, images, probabilities, between}) CHECK(cudaFreeHost(array));
}

int main(int argc, char** argv) {
  const Sizes s = read_sizes(argc, argv);
  if (s.batch == 0) {
    write_results(nullptr, 0, s.classes);
  } else {
    forward(s);
  }
}

// verdict: fails-correctness
// pitfall: P15
// caught-by: case "no images"
// With 0 images everything is launched, on grids of no blocks.
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

static int blocks_for(int elements) {
  return (elements + kThreads - 1) / kThreads;
}

// One thread per value of a map, before pooling.
__global__ void convolve(const float* in, const float* weights, float* values, int count,
                         int channels, int height, int width, int maps, int mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int map_height = height - mask + 1;
  const int map_width = width - mask + 1;
  const int column = i % map_width;
  const int row = i / map_width % map_height;
  const int map = i / (map_width * map_height) % maps;
  const int image = i / (map_width * map_height * maps);
  float sum = 0;
  for (int k = 0; k < channels; ++k) {
    for (int p = 0; p < mask; ++p) {
      for (int q = 0; q < mask; ++q) {
        sum += weights[((map * channels + k) * mask + p) * mask + q] *
               in[((image * channels + k) * height + row + p) * width + column + q];
      }
    }
  }
  values[i] = sum;
}

// One thread per window of 2 x 2 values, which may be cut off at the edge.
__global__ void pool(const float* values, const float* bias, float* out, int count, int maps,
                     int map_height, int map_width) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int out_height = (map_height + 1) / 2;
  const int out_width = (map_width + 1) / 2;
  const int left = i % out_width * 2;
  const int top = i / out_width % out_height * 2;
  const int map = i / (out_width * out_height);  // of all images
  const int right = min(left + 2, map_width);
  const int bottom = min(top + 2, map_height);
  float sum = 0;
  for (int r = top; r < bottom; ++r) {
    for (int c = left; c < right; ++c) sum += values[(map * map_height + r) * map_width + c];
  }
  const float mean = sum / ((right - left) * (bottom - top));
  out[i] = 1 / (1 + expf(-(mean + bias[map % maps])));
}

// One thread per result of a fully connected layer.
__global__ void connect(const float* in, const float* weights, const float* bias, float* out,
                        int count, int inputs, int outputs, bool relu) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int image = i / outputs;
  const int row = i % outputs;
  float sum = bias[row];
  for (int k = 0; k < inputs; ++k) sum += weights[row * inputs + k] * in[image * inputs + k];
  out[i] = relu ? fmaxf(sum, 0) : sum;
}

// One thread per image.
__global__ void softmax(float* values, int images, int classes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= images) return;
  float* row = values + i * classes;
  float largest = row[0];
  for (int c = 1; c < classes; ++c) largest = fmaxf(largest, row[c]);
  float sum = 0;
  for (int c = 0; c < classes; ++c) sum += row[c] = expf(row[c] - largest);
  for (int c = 0; c < classes; ++c) row[c] /= sum;
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
  const int map_height1 = s.height - s.mask1 + 1;
  const int map_width1 = s.width - s.mask1 + 1;
  const int map_height2 = s.height1() - s.mask2 + 1;
  const int map_width2 = s.width1() - s.mask2 + 1;
  float* conv1 = weights_on_device("conv1.bin", s.maps1 * s.channels * s.mask1 * s.mask1);
  float* conv1_bias = weights_on_device("conv1_bias.bin", s.maps1);
  float* conv2 = weights_on_device("conv2.bin", s.maps2 * s.maps1 * s.mask2 * s.mask2);
  float* conv2_bias = weights_on_device("conv2_bias.bin", s.maps2);
  float* full1 = weights_on_device("full1.bin", s.hidden * s.features());
  float* full1_bias = weights_on_device("full1_bias.bin", s.hidden);
  float* full2 = weights_on_device("full2.bin", s.classes * s.hidden);
  float* full2_bias = weights_on_device("full2_bias.bin", s.classes);

  const int count1 = s.maps1 * map_height1 * map_width1;  // of one image
  const int count2 = s.maps2 * map_height2 * map_width2;
  float* in = room_for(static_cast<size_t>(s.batch) * s.pixels());
  float* values1 = room_for(s.batch * count1);
  float* results1 = room_for(s.batch * s.results1());
  float* values2 = room_for(s.batch * count2);
  float* results2 = room_for(s.batch * s.features());
  float* hidden = room_for(s.batch * s.hidden);
  float* out = room_for(s.batch * s.classes);
  const size_t image_bytes = static_cast<size_t>(s.batch) * s.pixels() * sizeof(float);
  CHECK(cudaMemcpy(in, images, image_bytes, cudaMemcpyHostToDevice));
  convolve<<<blocks_for(s.batch * count1), kThreads>>>(
      in, conv1, values1, s.batch * count1, s.channels, s.height, s.width, s.maps1, s.mask1);
  pool<<<blocks_for(s.batch * s.results1()), kThreads>>>(
      values1, conv1_bias, results1, s.batch * s.results1(), s.maps1, map_height1, map_width1);
  convolve<<<blocks_for(s.batch * count2), kThreads>>>(results1, conv2, values2, s.batch * count2,
                                                       s.maps1, s.height1(), s.width1(), s.maps2,
                                                       s.mask2);
  pool<<<blocks_for(s.batch * s.features()), kThreads>>>(
      values2, conv2_bias, results2, s.batch * s.features(), s.maps2, map_height2, map_width2);
  connect<<<blocks_for(s.batch * s.hidden), kThreads>>>(
      results2, full1, full1_bias, hidden, s.batch * s.hidden, s.features(), s.hidden, true);
  connect<<<blocks_for(s.batch * s.classes), kThreads>>>(
      hidden, full2, full2_bias, out, s.batch * s.classes, s.hidden, s.classes, false);
  softmax<<<blocks_for(s.batch), kThreads>>>(out, s.batch, s.classes);
  CHECK(cudaGetLastError());
  CHECK(
      cudaMemcpy(probabilities, out, s.batch * s.classes * sizeof(float), cudaMemcpyDeviceToHost));

  for (float* array : {conv1, conv1_bias, conv2, conv2_bias, full1, full1_bias, full2, full2_bias,
                       in, values1, results1, values2, results2, hidden, out}) {
    CHECK(cudaFree(array));
  }
}

int main(int argc, char** argv) {
  const Sizes s = read_sizes(argc, argv);
  std::vector<float> images(static_cast<size_t>(s.batch) * s.pixels());
  std::vector<float> probabilities(static_cast<size_t>(s.batch) * s.classes);
  read_floats("images.bin", images.data(), images.size());
  forward(s, images.data(), probabilities.data());
  write_results(probabilities.data(), s.batch, s.classes);
}

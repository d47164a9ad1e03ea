// The forward pass of a network, as a program: see README.md for the files and the formulas.
#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                        \
  do {                                                                     \
    cudaError_t error_ = (call);                                           \
    if (error_ != cudaSuccess) {                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_)); \
      std::exit(1);                                                        \
    }                                                                      \
  } while (0)

struct Sizes {
  int batch, channels, height, width, maps1, mask1, maps2, mask2, hidden, classes;
};

static void usage() {
  std::printf("usage: forward BATCH CHANNELS HEIGHT WIDTH MAPS1 MASK1 MAPS2 MASK2 HIDDEN CLASSES\n");
  std::exit(2);
}

static Sizes read_sizes(int argc, char** argv) {
  if (argc != 11) usage();
  int size[10] = {};
  for (int i = 0; i < 10; ++i) {
    char* end = nullptr;
    size[i] = static_cast<int>(std::strtol(argv[i + 1], &end, 10));
    if (end == argv[i + 1] || *end != 0) usage();
    if (size[i] < (i == 0 ? 0 : 1)) usage();
  }
  Sizes s = {size[0], size[1], size[2], size[3], size[4], size[5], size[6], size[7], size[8], size[9]};
  if (s.mask1 > s.height || s.mask1 > s.width) usage();
  int h1 = (s.height - s.mask1 + 2) / 2, w1 = (s.width - s.mask1 + 2) / 2;
  if (s.mask2 > h1 || s.mask2 > w1) usage();
  return s;
}

// Reads `count` floats of a file and copies them to the device.
static float* load(const char* name, size_t count) {
  std::vector<float> host(count);
  std::FILE* file = std::fopen(name, "rb");
  if (file == nullptr || std::fread(host.data(), sizeof(float), count, file) != count) {
    std::fprintf(stderr, "%s: cannot read %zu floats\n", name, count);
    std::exit(1);
  }
  std::fclose(file);
  float* device;
  CHECK(cudaMalloc(&device, count * sizeof(float)));
  CHECK(cudaMemcpy(device, host.data(), count * sizeof(float), cudaMemcpyHostToDevice));
  return device;
}

static void write_results(const float* probabilities, int batch, int classes) {
  std::FILE* binary = std::fopen("probabilities.bin", "wb");
  std::FILE* text = std::fopen("classes.txt", "w");
  if (binary == nullptr || text == nullptr) {
    std::fprintf(stderr, "cannot write the results\n");
    std::exit(1);
  }
  std::fwrite(probabilities, sizeof(float), static_cast<size_t>(batch) * classes, binary);
  for (int b = 0; b < batch; ++b) {
    int best = 0;
    for (int c = 1; c < classes; ++c)
      if (probabilities[b * classes + c] > probabilities[b * classes + best]) best = c;
    std::fprintf(text, "%d\n", best);
  }
  std::fclose(binary);
  std::fclose(text);
}

// One thread per result after pooling.
__global__ void conv_layer(const float* in, const float* weights, const float* bias, float* out,
                           int batch, int channels, int height, int width, int maps, int mask) {
  const int H = height - mask + 1, W = width - mask + 1;
  const int oh = (H + 1) / 2, ow = (W + 1) / 2;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= batch * maps * oh * ow) return;
  const int c = i % ow, r = i / ow % oh, m = i / (ow * oh) % maps, b = i / (ow * oh * maps);
  float sum = 0;
  int count = 0;
  for (int y = 2 * r; y < min(2 * r + 2, H); ++y)
    for (int x = 2 * c; x < min(2 * c + 2, W); ++x) {
      ++count;
      for (int k = 0; k < channels; ++k)
        for (int p = 0; p < mask; ++p)
          for (int q = 0; q < mask; ++q)
            sum += weights[((m * channels + k) * mask + p) * mask + q] *
                   in[((b * channels + k) * height + y + p) * width + x + q];
    }
  out[i] = 1 / (1 + expf(-(sum / count + bias[m])));
}

__global__ void full_layer(const float* in, const float* weights, const float* bias, float* out,
                           int batch, int inputs, int outputs, bool relu) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= batch * outputs) return;
  const int b = i / outputs, j = i % outputs;
  float sum = bias[j];
  for (int l = 0; l < inputs; ++l) sum += weights[l * outputs + j] * in[b * inputs + l];
  if (relu) sum = fmaxf(sum, 0.0f);
  out[i] = sum;
}

__global__ void softmax(float* values, int batch, int classes) {
  const int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= batch) return;
  float* z = values + b * classes;
  float largest = z[0];
  for (int c = 1; c < classes; ++c) largest = fmaxf(largest, z[c]);
  float sum = 0;
  for (int c = 0; c < classes; ++c) {
    z[c] = expf(z[c] - largest);
    sum += z[c];
  }
  for (int c = 0; c < classes; ++c) z[c] /= sum;
}

static int blocks_for(int count) { return (count + 127) / 128; }

int main(int argc, char** argv) {
  const Sizes s = read_sizes(argc, argv);
  std::vector<float> probabilities(static_cast<size_t>(s.batch) * s.classes);
  if (s.batch > 0) {
    const int h1 = (s.height - s.mask1 + 2) / 2, w1 = (s.width - s.mask1 + 2) / 2;
    const int h2 = (h1 - s.mask2 + 2) / 2, w2 = (w1 - s.mask2 + 2) / 2;
    const int flat = s.maps2 * h2 * w2;

    float* images = load("images.bin", (size_t)s.batch * s.channels * s.height * s.width);
    float* conv1 = load("conv1.bin", (size_t)s.maps1 * s.channels * s.mask1 * s.mask1);
    float* conv1_bias = load("conv1_bias.bin", s.maps1);
    float* conv2 = load("conv2.bin", (size_t)s.maps2 * s.maps1 * s.mask2 * s.mask2);
    float* conv2_bias = load("conv2_bias.bin", s.maps2);
    float* full1 = load("full1.bin", (size_t)s.hidden * flat);
    float* full1_bias = load("full1_bias.bin", s.hidden);
    float* full2 = load("full2.bin", (size_t)s.classes * s.hidden);
    float* full2_bias = load("full2_bias.bin", s.classes);

    float *first, *second, *hidden, *last;
    CHECK(cudaMalloc(&first, sizeof(float) * s.batch * s.maps1 * h1 * w1));
    CHECK(cudaMalloc(&second, sizeof(float) * s.batch * flat));
    CHECK(cudaMalloc(&hidden, sizeof(float) * s.batch * s.hidden));
    CHECK(cudaMalloc(&last, sizeof(float) * s.batch * s.classes));

    conv_layer<<<blocks_for(s.batch * s.maps1 * h1 * w1), 128>>>(
        images, conv1, conv1_bias, first, s.batch, s.channels, s.height, s.width, s.maps1, s.mask1);
    CHECK(cudaGetLastError());
    conv_layer<<<blocks_for(s.batch * flat), 128>>>(first, conv2, conv2_bias, second, s.batch,
                                                    s.maps1, h1, w1, s.maps2, s.mask2);
    CHECK(cudaGetLastError());
    full_layer<<<blocks_for(s.batch * s.hidden), 128>>>(second, full1, full1_bias, hidden, s.batch,
                                                        flat, s.hidden, true);
    CHECK(cudaGetLastError());
    full_layer<<<blocks_for(s.batch * s.classes), 128>>>(hidden, full2, full2_bias, last, s.batch,
                                                         s.hidden, s.classes, false);
    CHECK(cudaGetLastError());
    softmax<<<blocks_for(s.batch), 128>>>(last, s.batch, s.classes);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(probabilities.data(), last, probabilities.size() * sizeof(float),
                     cudaMemcpyDeviceToHost));

    float* all[] = {images, conv1, conv1_bias, conv2,  conv2_bias, full1, full1_bias,
                    full2,  full2_bias, first, second, hidden,     last};
    for (float* p : all) CHECK(cudaFree(p));
  }
  write_results(probabilities.data(), s.batch, s.classes);
}

// forward BATCH CHANNELS HEIGHT WIDTH MAPS1 MASK1 MAPS2 MASK2 HIDDEN CLASSES
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                        \
  do {                                                                                     \
    const cudaError_t error_ = (call);                                                     \
    if (error_ != cudaSuccess) {                                                           \
      std::fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(error_));         \
      std::exit(1);                                                                        \
    }                                                                                      \
  } while (0)

struct Sizes {
  int batch, channels, height, width, maps1, mask1, maps2, mask2, hidden, classes;
  int h1, w1, h2, w2;  // of a map after the first and after the second layer
};

static int pooled(int extent, int mask) { return (extent - mask + 2) / 2; }

static void usage() {
  std::printf("usage: forward BATCH CHANNELS HEIGHT WIDTH MAPS1 MASK1 MAPS2 MASK2 HIDDEN CLASSES\n");
  std::exit(2);
}

static Sizes read_sizes(int argc, char** argv) {
  if (argc != 11) usage();
  int s[10];
  for (int i = 0; i < 10; ++i) {
    s[i] = std::atoi(argv[i + 1]);
    if (s[i] < (i == 0 ? 0 : 1)) usage();
  }
  Sizes z{s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9], 0, 0, 0, 0};
  if (z.mask1 > z.height || z.mask1 > z.width) usage();
  z.h1 = pooled(z.height, z.mask1);
  z.w1 = pooled(z.width, z.mask1);
  if (z.mask2 > z.h1 || z.mask2 > z.w1) usage();
  z.h2 = pooled(z.h1, z.mask2);
  z.w2 = pooled(z.w1, z.mask2);
  return z;
}

// Reads a file of floats and puts it into device memory.
static float* load(const char* name, size_t count) {
  std::vector<float> host(count);
  std::FILE* file = std::fopen(name, "rb");
  if (file == nullptr || std::fread(host.data(), sizeof(float), count, file) != count) {
    std::fprintf(stderr, "%s: cannot read %zu floats\n", name, count);
    std::exit(1);
  }
  std::fclose(file);
  float* device = nullptr;
  CHECK(cudaMalloc(&device, count * sizeof(float)));
  CHECK(cudaMemcpy(device, host.data(), count * sizeof(float), cudaMemcpyHostToDevice));
  return device;
}

__global__ void conv_layer(const float* in, const float* weights, const float* bias, float* out,
                           int total, int channels, int height, int width, int maps, int mask) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= total) return;
  const int H = height - mask + 1, W = width - mask + 1;
  const int h = (H + 1) / 2, w = (W + 1) / 2;
  const int j = id % w, i = id / w % h, map = id / (w * h) % maps, image = id / (w * h * maps);
  float sum = 0;
  int values = 0;
  for (int r = 2 * i; r < 2 * i + 2 && r < H; ++r) {
    for (int c = 2 * j; c < 2 * j + 2 && c < W; ++c) {
      ++values;
      for (int k = 0; k < channels; ++k)
        for (int p = 0; p < mask; ++p)
          for (int q = 0; q < mask; ++q)
            sum += weights[((map * channels + k) * mask + p) * mask + q] *
                   in[((image * channels + k) * height + r + p) * width + c + q];
    }
  }
  out[id] = 1.0f / (1.0f + expf(-(sum / values + bias[map])));
}

__global__ void full_layer(const float* in, const float* weights, const float* bias, float* out,
                           int batch, int inputs, int outputs, bool relu) {
  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= batch * outputs) return;
  const int j = id % outputs, image = id / outputs;
  float sum = bias[j];
  for (int i = 0; i < inputs; ++i) sum += weights[i * outputs + j] * in[image * inputs + i];
  out[id] = relu ? fmaxf(sum, 0.0f) : sum;
}

__global__ void softmax(const float* z, float* p, int batch, int classes) {
  const int image = blockIdx.x * blockDim.x + threadIdx.x;
  if (image >= batch) return;
  z += image * classes;
  p += image * classes;
  float largest = z[0];
  for (int c = 1; c < classes; ++c) largest = fmaxf(largest, z[c]);
  float sum = 0;
  for (int c = 0; c < classes; ++c) sum += expf(z[c] - largest);
  for (int c = 0; c < classes; ++c) p[c] = expf(z[c] - largest) / sum;
}

static void write_results(const std::vector<float>& p, int batch, int classes) {
  std::FILE* binary = std::fopen("probabilities.bin", "wb");
  std::FILE* text = std::fopen("classes.txt", "w");
  if (binary == nullptr || text == nullptr) {
    std::fprintf(stderr, "cannot write\n");
    std::exit(1);
  }
  std::fwrite(p.data(), sizeof(float), p.size(), binary);
  for (int b = 0; b < batch; ++b) {
    int best = 0;
    for (int c = 1; c < classes; ++c)
      if (p[(size_t)b * classes + c] > p[(size_t)b * classes + best]) best = c;
    std::fprintf(text, "%d\n", best);
  }
  std::fclose(binary);
  std::fclose(text);
}

int main(int argc, char** argv) {
  const Sizes s = read_sizes(argc, argv);
  std::vector<float> p((size_t)s.batch * s.classes);

  if (s.batch > 0) {
    const size_t n1 = (size_t)s.batch * s.maps1 * s.h1 * s.w1;
    const size_t n2 = (size_t)s.batch * s.maps2 * s.h2 * s.w2;
    const int inputs = s.maps2 * s.h2 * s.w2;
    const size_t nh = (size_t)s.batch * s.hidden, nz = (size_t)s.batch * s.classes;

    float* images = load("images.bin", (size_t)s.batch * s.channels * s.height * s.width);
    float* weights[8] = {
        load("conv1.bin", (size_t)s.maps1 * s.channels * s.mask1 * s.mask1),
        load("conv1_bias.bin", s.maps1),
        load("conv2.bin", (size_t)s.maps2 * s.maps1 * s.mask2 * s.mask2),
        load("conv2_bias.bin", s.maps2),
        load("full1.bin", (size_t)s.hidden * inputs),
        load("full1_bias.bin", s.hidden),
        load("full2.bin", (size_t)s.classes * s.hidden),
        load("full2_bias.bin", s.classes),
    };
    float *x1, *x2, *h, *z, *result;
    CHECK(cudaMalloc(&x1, n1 * sizeof(float)));
    CHECK(cudaMalloc(&x2, n2 * sizeof(float)));
    CHECK(cudaMalloc(&h, nh * sizeof(float)));
    CHECK(cudaMalloc(&z, nz * sizeof(float)));
    CHECK(cudaMalloc(&result, nz * sizeof(float)));

    conv_layer<<<(n1 + 255) / 256, 256>>>(images, weights[0], weights[1], x1, n1, s.channels,
                                          s.height, s.width, s.maps1, s.mask1);
    CHECK(cudaGetLastError());
    conv_layer<<<(n2 + 255) / 256, 256>>>(x1, weights[2], weights[3], x2, n2, s.maps1, s.h1, s.w1,
                                          s.maps2, s.mask2);
    CHECK(cudaGetLastError());
    full_layer<<<(nh + 255) / 256, 256>>>(x2, weights[4], weights[5], h, s.batch, inputs, s.hidden,
                                          true);
    CHECK(cudaGetLastError());
    full_layer<<<(nz + 255) / 256, 256>>>(h, weights[6], weights[7], z, s.batch, s.hidden,
                                          s.classes, false);
    CHECK(cudaGetLastError());
    softmax<<<(s.batch + 63) / 64, 64>>>(z, result, s.batch, s.classes);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(p.data(), result, nz * sizeof(float), cudaMemcpyDeviceToHost));

    for (float* w : weights) CHECK(cudaFree(w));
    for (float* d : {images, x1, x2, h, z, result}) CHECK(cudaFree(d));
  }
  write_results(p, s.batch, s.classes);
}

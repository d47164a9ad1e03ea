#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CHECK(call)                                                             \
  do {                                                                          \
    cudaError_t status_ = (call);                                               \
    if (status_ != cudaSuccess) {                                               \
      std::fprintf(stderr, "line %d: %s\n", __LINE__, cudaGetErrorString(status_)); \
      std::exit(1);                                                             \
    }                                                                           \
  } while (0)

static void usage() {
  std::printf("usage: forward BATCH CHANNELS HEIGHT WIDTH MAPS1 MASK1 MAPS2 MASK2 HIDDEN CLASSES\n");
  std::exit(2);
}

// A tensor in device memory, read from a file.
class Tensor {
 public:
  explicit Tensor(size_t count) : count_(count) { CHECK(cudaMalloc(&data_, count * sizeof(float))); }
  Tensor(const char* file, size_t count) : Tensor(count) {
    std::vector<float> host(count);
    std::FILE* f = std::fopen(file, "rb");
    if (f == nullptr || std::fread(host.data(), sizeof(float), count, f) != count) {
      std::fprintf(stderr, "cannot read %s\n", file);
      std::exit(1);
    }
    std::fclose(f);
    CHECK(cudaMemcpy(data_, host.data(), count * sizeof(float), cudaMemcpyHostToDevice));
  }
  ~Tensor() { cudaFree(data_); }
  Tensor(const Tensor&) = delete;
  float* get() const { return data_; }
  size_t count() const { return count_; }

 private:
  float* data_ = nullptr;
  size_t count_;
};

__global__ void conv_layer(const float* in, const float* weights, const float* bias, float* out, int batch,
                           int channels, int height, int width, int maps, int mask) {
  const int mh = height - mask + 1, mw = width - mask + 1;
  const int oh = (mh + 1) / 2, ow = (mw + 1) / 2;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= batch * maps * oh * ow) return;
  const int column = i % ow, row = i / ow % oh, map = i / (ow * oh) % maps, image = i / (ow * oh * maps);
  float total = 0;
  int cells = 0;
  for (int r = 2 * row; r < 2 * row + 2 && r < mh; ++r) {
    for (int c = 2 * column; c < 2 * column + 2 && c < mw; ++c) {
      for (int k = 0; k < channels; ++k) {
        for (int p = 0; p < mask; ++p) {
          for (int q = 0; q < mask; ++q) {
            total += weights[((map * channels + k) * mask + p) * mask + q] *
                     in[((image * channels + k) * height + r + p) * width + c + q];
          }
        }
      }
      ++cells;
    }
  }
  out[i] = 1 / (1 + expf(-(total / cells + bias[map])));
}

// used for both fully connected layers
__global__ void full_layer(const float* in, const float* weights, const float* bias, float* out, int batch, int inputs,
                           int outputs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= batch * outputs) return;
  const int j = i % outputs, image = i / outputs;
  float sum = bias[j];
  for (int k = 0; k < inputs; ++k) sum += weights[j * inputs + k] * in[image * inputs + k];
  out[i] = fmaxf(sum, 0.0f);
}

__global__ void softmax(float* z, int batch, int classes) {
  const int image = blockIdx.x * blockDim.x + threadIdx.x;
  if (image >= batch) return;
  float* row = z + image * classes;
  float largest = row[0];
  for (int c = 1; c < classes; ++c) largest = fmaxf(largest, row[c]);
  float sum = 0;
  for (int c = 0; c < classes; ++c) sum += expf(row[c] - largest);
  for (int c = 0; c < classes; ++c) row[c] = expf(row[c] - largest) / sum;
}

static int blocks_for(int threads) { return (threads + 127) / 128; }

int main(int argc, char** argv) {
  if (argc != 11) usage();
  int s[10];
  for (int i = 0; i < 10; ++i) {
    s[i] = std::atoi(argv[i + 1]);
    if (s[i] < (i == 0 ? 0 : 1)) usage();
  }
  const int batch = s[0], channels = s[1], height = s[2], width = s[3], maps1 = s[4], mask1 = s[5];
  const int maps2 = s[6], mask2 = s[7], hidden = s[8], classes = s[9];
  if (mask1 > height || mask1 > width) usage();
  const int h1 = (height - mask1 + 2) / 2, w1 = (width - mask1 + 2) / 2;
  if (mask2 > h1 || mask2 > w1) usage();
  const int h2 = (h1 - mask2 + 2) / 2, w2 = (w1 - mask2 + 2) / 2;
  const int features = maps2 * h2 * w2;

  std::vector<float> probabilities(static_cast<size_t>(batch) * classes);
  if (batch > 0) {
    Tensor images("images.bin", static_cast<size_t>(batch) * channels * height * width);
    Tensor conv1("conv1.bin", maps1 * channels * mask1 * mask1), conv1_bias("conv1_bias.bin", maps1);
    Tensor conv2("conv2.bin", maps2 * maps1 * mask2 * mask2), conv2_bias("conv2_bias.bin", maps2);
    Tensor full1("full1.bin", static_cast<size_t>(hidden) * features), full1_bias("full1_bias.bin", hidden);
    Tensor full2("full2.bin", static_cast<size_t>(classes) * hidden), full2_bias("full2_bias.bin", classes);
    Tensor x1(static_cast<size_t>(batch) * maps1 * h1 * w1), x2(static_cast<size_t>(batch) * features);
    Tensor h(static_cast<size_t>(batch) * hidden), z(probabilities.size());

    conv_layer<<<blocks_for(batch * maps1 * h1 * w1), 128>>>(images.get(), conv1.get(), conv1_bias.get(), x1.get(),
                                                             batch, channels, height, width, maps1, mask1);
    CHECK(cudaGetLastError());
    conv_layer<<<blocks_for(batch * features), 128>>>(x1.get(), conv2.get(), conv2_bias.get(), x2.get(), batch, maps1,
                                                      h1, w1, maps2, mask2);
    CHECK(cudaGetLastError());
    full_layer<<<blocks_for(batch * hidden), 128>>>(x2.get(), full1.get(), full1_bias.get(), h.get(), batch, features,
                                                    hidden);
    CHECK(cudaGetLastError());
    full_layer<<<blocks_for(batch * classes), 128>>>(h.get(), full2.get(), full2_bias.get(), z.get(), batch, hidden,
                                                     classes);
    CHECK(cudaGetLastError());
    softmax<<<blocks_for(batch), 128>>>(z.get(), batch, classes);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(probabilities.data(), z.get(), probabilities.size() * sizeof(float), cudaMemcpyDeviceToHost));
  }

  std::FILE* binary = std::fopen("probabilities.bin", "wb");
  std::FILE* text = std::fopen("classes.txt", "w");
  if (binary == nullptr || text == nullptr) return 1;
  std::fwrite(probabilities.data(), sizeof(float), probabilities.size(), binary);
  for (int b = 0; b < batch; ++b) {
    const float* p = &probabilities[static_cast<size_t>(b) * classes];
    int best = 0;
    for (int c = 1; c < classes; ++c) {
      if (p[c] > p[best]) best = c;
    }
    std::fprintf(text, "%d\n", best);
  }
  std::fclose(binary);
  std::fclose(text);
  return 0;
}

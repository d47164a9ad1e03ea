// A small network, forwards. Pinned memory, one copy for all weights, four kernels.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

void fail(const std::string& what) {
  std::fprintf(stderr, "forward: %s\n", what.c_str());
  std::exit(1);
}

void check(cudaError_t e) {
  if (e != cudaSuccess) fail(cudaGetErrorString(e));
}

void usage() {
  std::puts("usage: forward BATCH CHANNELS HEIGHT WIDTH MAPS1 MASK1 MAPS2 MASK2 HIDDEN CLASSES");
  std::exit(2);
}

constexpr int kThreads = 128;
int blocks_for(size_t n) { return static_cast<int>((n + kThreads - 1) / kThreads); }

// A convolutional layer's sizes.
struct Conv {
  int channels, height, width, maps, mask;
  __host__ __device__ int h() const { return (height - mask + 2) / 2; }
  __host__ __device__ int w() const { return (width - mask + 2) / 2; }
  size_t weights() const { return static_cast<size_t>(maps) * channels * mask * mask; }
  size_t inputs() const { return static_cast<size_t>(channels) * height * width; }
  size_t outputs() const { return static_cast<size_t>(maps) * h() * w(); }
};

__global__ void convolve(Conv l, const float* in, const float* weights, const float* bias,
                         float* out, size_t total) {
  const size_t id = static_cast<size_t>(blockIdx.x) * kThreads + threadIdx.x;
  if (id >= total) return;
  const int j = id % l.w(), i = id / l.w() % l.h(), map = id / l.w() / l.h() % l.maps;
  const size_t image = id / l.w() / l.h() / l.maps;
  const int rows = min(2, l.height - l.mask + 1 - 2 * i);
  const int columns = min(2, l.width - l.mask + 1 - 2 * j);
  float sum = 0;
  for (int k = 0; k < l.channels; ++k) {
    const float* x = in + (image * l.channels + k) * l.height * l.width;
    const float* m = weights + (static_cast<size_t>(map) * l.channels + k) * l.mask * l.mask;
    for (int p = 0; p < l.mask; ++p)
      for (int q = 0; q < l.mask; ++q)
        for (int r = 0; r < rows; ++r)
          for (int c = 0; c < columns; ++c)
            sum += m[p * l.mask + q] * x[(2 * i + r + p) * l.width + 2 * j + c + q];
  }
  const float mean = sum / (rows * columns);
  out[id] = 1.0f / (1.0f + expf(-(mean + bias[map])));
}

__global__ void hidden_layer(const float* x, const float* weights, const float* bias, float* h,
                             int inputs, int hidden, int batch) {
  const int id = blockIdx.x * kThreads + threadIdx.x;
  if (id >= batch * hidden) return;
  const float* w = weights + static_cast<size_t>(id % hidden) * inputs;
  const float* from = x + static_cast<size_t>(id / hidden) * inputs;
  float sum = bias[id % hidden];
  for (int i = 0; i < inputs; ++i) sum += w[i] * from[i];
  h[id] = fmaxf(0.0f, sum);
}

// One block per image: the values of the classes stay in shared memory.
__global__ void classify(const float* h, const float* weights, const float* bias, float* p,
                         int hidden, int classes) {
  extern __shared__ float z[];
  h += static_cast<size_t>(blockIdx.x) * hidden;
  for (int c = threadIdx.x; c < classes; c += blockDim.x) {
    float sum = bias[c];
    for (int j = 0; j < hidden; ++j) sum += weights[static_cast<size_t>(c) * hidden + j] * h[j];
    z[c] = sum;
  }
  __syncthreads();
  float largest = z[0], sum = 0;
  for (int c = 1; c < classes; ++c) largest = fmaxf(largest, z[c]);
  for (int c = 0; c < classes; ++c) sum += expf(z[c] - largest);
  for (int c = threadIdx.x; c < classes; c += blockDim.x)
    p[static_cast<size_t>(blockIdx.x) * classes + c] = expf(z[c] - largest) / sum;
}

void read(const char* name, float* to, size_t count) {
  std::FILE* f = std::fopen(name, "rb");
  if (f == nullptr || std::fread(to, sizeof(float), count, f) != count) fail(name);
  std::fclose(f);
}

void write(const float* p, int batch, int classes) {
  std::FILE* binary = std::fopen("probabilities.bin", "wb");
  std::FILE* text = std::fopen("classes.txt", "w");
  if (binary == nullptr || text == nullptr) fail("cannot write");
  if (batch > 0) std::fwrite(p, sizeof(float), static_cast<size_t>(batch) * classes, binary);
  for (int b = 0; b < batch; ++b, p += classes) {
    int best = 0;
    for (int c = 1; c < classes; ++c) best = p[c] > p[best] ? c : best;
    std::fprintf(text, "%d\n", best);
  }
  std::fclose(binary);
  std::fclose(text);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 11) usage();
  int s[10];
  for (int i = 0; i < 10; ++i) {
    s[i] = std::atoi(argv[i + 1]);
    if (s[i] < (i == 0 ? 0 : 1)) usage();
  }
  const int batch = s[0], hidden = s[8], classes = s[9];
  const Conv one{s[1], s[2], s[3], s[4], s[5]};
  if (one.mask > one.height || one.mask > one.width) usage();
  const Conv two{one.maps, one.h(), one.w(), s[6], s[7]};
  if (two.mask > two.height || two.mask > two.width) usage();

  if (batch == 0) {
    write(nullptr, 0, classes);
    return 0;
  }

  const int inputs = static_cast<int>(two.outputs());
  const char* const names[8] = {"conv1.bin", "conv1_bias.bin", "conv2.bin", "conv2_bias.bin",
                                "full1.bin", "full1_bias.bin", "full2.bin", "full2_bias.bin"};
  const size_t counts[8] = {one.weights(), static_cast<size_t>(one.maps),
                            two.weights(), static_cast<size_t>(two.maps),
                            static_cast<size_t>(hidden) * inputs, static_cast<size_t>(hidden),
                            static_cast<size_t>(classes) * hidden, static_cast<size_t>(classes)};
  size_t starts[9] = {};
  for (int i = 0; i < 8; ++i) starts[i + 1] = starts[i] + counts[i];
  const size_t pixels = batch * one.inputs();
  const size_t to_copy = starts[8] + pixels;

  // All weights and the images in one pinned piece of memory, copied at once.
  float *host, *results;
  check(cudaMallocHost(&host, to_copy * sizeof(float)));
  check(cudaMallocHost(&results, sizeof(float) * batch * classes));
  for (int i = 0; i < 8; ++i) read(names[i], host + starts[i], counts[i]);
  read("images.bin", host + starts[8], pixels);

  float *device, *x1, *x2, *h, *p;
  check(cudaMalloc(&device, to_copy * sizeof(float)));
  check(cudaMalloc(&x1, batch * one.outputs() * sizeof(float)));
  check(cudaMalloc(&x2, batch * two.outputs() * sizeof(float)));
  check(cudaMalloc(&h, sizeof(float) * batch * hidden));
  check(cudaMalloc(&p, sizeof(float) * batch * classes));

  cudaStream_t stream;
  check(cudaStreamCreate(&stream));
  check(cudaMemcpyAsync(device, host, to_copy * sizeof(float), cudaMemcpyHostToDevice, stream));

  const float* w[8];
  for (int i = 0; i < 8; ++i) w[i] = device + starts[i];
  const size_t n1 = batch * one.outputs(), n2 = batch * two.outputs();
  convolve<<<blocks_for(n1), kThreads, 0, stream>>>(one, device + starts[8], w[0], w[1], x1, n1);
  check(cudaGetLastError());
  convolve<<<blocks_for(n2), kThreads, 0, stream>>>(two, x1, w[2], w[3], x2, n2);
  check(cudaGetLastError());
  hidden_layer<<<blocks_for(static_cast<size_t>(batch) * hidden), kThreads, 0, stream>>>(
      x2, w[4], w[5], h, inputs, hidden, batch);
  check(cudaGetLastError());
  classify<<<batch, 64, classes * sizeof(float), stream>>>(h, w[6], w[7], p, hidden, classes);
  check(cudaGetLastError());
  check(cudaMemcpyAsync(results, p, sizeof(float) * batch * classes, cudaMemcpyDeviceToHost,
                        stream));

  write(results, batch, classes);

  check(cudaStreamDestroy(stream));
  check(cudaFreeHost(host));
  check(cudaFreeHost(results));
  for (float* d : {device, x1, x2, h, p}) check(cudaFree(d));
}

#include "emulator/tests/support/program.h"

// Histograms: atomics on global memory, one private copy a block in shared memory, and threads that
// count runs of equal values before they touch memory. Uniform and contended data.

namespace {

constexpr int kBins = 64;

__global__ void global_atomics(const int* in, int n, unsigned* bins) {
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += int(gridDim.x * blockDim.x)) {
    atomicAdd(&bins[in[i]], 1u);
  }
}

__global__ void privatised(const int* in, int n, unsigned* bins) {
  __shared__ unsigned own[kBins];
  for (int bin = int(threadIdx.x); bin < kBins; bin += int(blockDim.x)) own[bin] = 0;
  __syncthreads();
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += int(gridDim.x * blockDim.x)) {
    atomicAdd(&own[in[i]], 1u);
  }
  __syncthreads();
  for (int bin = int(threadIdx.x); bin < kBins; bin += int(blockDim.x)) {
    if (own[bin] > 0) atomicAdd(&bins[bin], own[bin]);
  }
}

__global__ void aggregated(const int* in, int n, unsigned* bins) {
  __shared__ unsigned own[kBins];
  for (int bin = int(threadIdx.x); bin < kBins; bin += int(blockDim.x)) own[bin] = 0;
  __syncthreads();
  const int share = (n + int(gridDim.x * blockDim.x) - 1) / int(gridDim.x * blockDim.x);
  const int first = int(blockIdx.x * blockDim.x + threadIdx.x) * share;
  unsigned run = 0;
  int current = -1;
  for (int i = first; i < first + share && i < n; ++i) {
    if (in[i] != current) {
      if (run > 0) atomicAdd(&own[current], run);
      current = in[i];
      run = 0;
    }
    ++run;
  }
  if (run > 0) atomicAdd(&own[current], run);
  __syncthreads();
  for (int bin = int(threadIdx.x); bin < kBins; bin += int(blockDim.x)) {
    if (own[bin] > 0) atomicAdd(&bins[bin], own[bin]);
  }
}

/// Text: 26 letters in groups of four, bytes that are not letters ignored.
__global__ void letters(const char* text, int n, unsigned* groups) {
  __shared__ unsigned own[7];
  if (threadIdx.x < 7) own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += int(gridDim.x * blockDim.x)) {
    const int letter = text[i] - 'a';
    if (letter >= 0 && letter < 26) atomicAdd(&own[letter / 4], 1u);
  }
  __syncthreads();
  if (threadIdx.x < 7) atomicAdd(&groups[threadIdx.x], own[threadIdx.x]);
}

void count(const std::vector<int>& values) {
  std::vector<unsigned> want(kBins);
  for (const int value : values) ++want[std::size_t(value)];
  const testing::Buffer<int> in(values);
  testing::Buffer<unsigned> bins(kBins);
  for (const auto kernel : {global_atomics, privatised, aggregated}) {
    bins.fill_bytes(0);
    kernel<<<7, 128>>>(in.get(), int(values.size()), bins.get());
    FINISH_LAUNCH();
    testing::expect_equal(bins.download(), want);
  }
}

void run() {
  count({17});
  count(testing::random_integers(31, kBins));
  count(testing::random_integers(50000, kBins));
  count(std::vector<int>(20000, 42));  // every thread wants one bin
  count(testing::random_integers(20000, 2));  // two bins
  std::vector<int> runs;
  for (int i = 0; i < 30000; ++i) runs.push_back(i / 100 % kBins);
  count(runs);

  const std::string text = "programming massively parallel processors, 4th edition; {warp}";
  std::vector<char> bytes;
  for (int i = 0; i < 100; ++i) bytes.insert(bytes.end(), text.begin(), text.end());
  std::vector<unsigned> want(7);
  for (const char c : bytes) {
    if (c >= 'a' && c <= 'z') ++want[std::size_t(c - 'a') / 4];
  }
  const testing::Buffer<char> in(bytes);
  testing::Buffer<unsigned> groups(7);
  groups.fill_bytes(0);
  letters<<<4, 64>>>(in.get(), int(bytes.size()), groups.get());
  FINISH_LAUNCH();
  testing::expect_equal(groups.download(), want);
}

}  // namespace

int main(int argc, char** argv) {
  return testing::run_program(argc, argv, run);
}

// verdict: fails-safety
// pitfall: none
// caught-by: finding unwritten-global-read
// The histogram is never set to zero.
#include <wb.h>

#define LEVELS 256

__global__ void to_levels(const float* input, unsigned char* levels, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) levels[i] = (unsigned char)(255.0f * input[i] + 0.5f);
}

__global__ void count_grey(const unsigned char* levels, unsigned int* histogram, int pixels) {
  __shared__ unsigned int counts[LEVELS];
  if (threadIdx.x < LEVELS) counts[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pixels) {
    const int r = levels[3 * i], g = levels[3 * i + 1], b = levels[3 * i + 2];
    atomicAdd(&counts[(21 * r + 71 * g + 8 * b) / 100], 1u);
  }
  __syncthreads();
  if (threadIdx.x < LEVELS) atomicAdd(&histogram[threadIdx.x], counts[threadIdx.x]);
}

// One block: the distribution, and with it the new level of each.
__global__ void make_table(const unsigned int* histogram, unsigned char* table, int pixels) {
  __shared__ unsigned int sums[LEVELS];
  const int i = threadIdx.x;
  sums[i] = histogram[i];
  __syncthreads();
  for (int step = 1; step < LEVELS; step *= 2) {
    const unsigned int left = i >= step ? sums[i - step] : 0;
    __syncthreads();
    sums[i] += left;
    __syncthreads();
  }
  int first = 0;
  while (histogram[first] == 0) ++first;
  const unsigned int least = sums[first];
  const unsigned int range = pixels - least;
  // All pixels of one level: nothing to spread.
  table[i] = range == 0 ? i : sums[i] <= least ? 0 : 255u * (sums[i] - least) / range;
}

__global__ void apply(const unsigned char* levels, const unsigned char* table, float* output,
                      int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) output[i] = table[levels[i]] / 255.0f;
}

int main(int argc, char** argv) {
  wbArg_t args = wbArg_read(argc, argv);
  wbTime_start(Generic, "Importing data and creating memory on host");
  wbImage_t inputImage = wbImport(wbArg_getInputFile(args, 0));
  const int width = wbImage_getWidth(inputImage);
  const int height = wbImage_getHeight(inputImage);
  const int channels = wbImage_getChannels(inputImage);
  wbImage_t outputImage = wbImage_new(width, height, channels);
  wbTime_stop(Generic, "Importing data and creating memory on host");

  const int pixels = width * height;
  const int count = pixels * channels;
  float *input, *output;
  unsigned char *levels, *table;
  unsigned int* histogram;
  cudaMalloc(&input, count * sizeof(float));
  cudaMalloc(&output, count * sizeof(float));
  cudaMalloc(&levels, count);
  cudaMalloc(&table, LEVELS);
  cudaMalloc(&histogram, LEVELS * sizeof(unsigned int));
  cudaMemcpy(input, wbImage_getData(inputImage), count * sizeof(float), cudaMemcpyHostToDevice);

  wbTime_start(Compute, "Doing the computation on the GPU");
  to_levels<<<(count + 255) / 256, 256>>>(input, levels, count);
  count_grey<<<(pixels + 255) / 256, 256>>>(levels, histogram, pixels);
  make_table<<<1, LEVELS>>>(histogram, table, pixels);
  apply<<<(count + 255) / 256, 256>>>(levels, table, output, count);
  wbTime_stop(Compute, "Doing the computation on the GPU");

  cudaMemcpy(wbImage_getData(outputImage), output, count * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(input);
  cudaFree(output);
  cudaFree(levels);
  cudaFree(table);
  cudaFree(histogram);
  wbSolution(args, outputImage);
  wbImage_delete(inputImage);
  wbImage_delete(outputImage);
  return 0;
}

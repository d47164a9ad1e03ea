// A fake submission with its glue: an argument selects its mistake. The worker's tests run it under
// the machine's CUDA runtime.

#include <cuda.h>
#include <cuda_runtime.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace {

// In the order of worker_test.cpp.
enum Mode {
  kRight,
  kWritesInput,
  kWritesPastHostBuffer,
  kReadsPastHostBuffer,
  kLeavesError,
  kLeaks,
  kExits,
  kWritesNothing,
  kAllocates,
  kResets,
  kRemembers,
  kComesFirst,
  kOpens,
  kDescribes
};

bool g_came_first = false;

// Before main, as early as a submission's code can run after the grader has removed priorities.
__attribute__((constructor)) void look_early(int, char** argv) {
  g_came_first = access(argv[1], F_OK) == 0;
}

__global__ void twice(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}

__global__ void overwrite(float* x, int i) {
  x[i] = 0.5f;
}

// Has the driver describe x, in boxes of four elements.
bool can_describe(const float* x, int n) {
  CUtensorMap map = {};
  const cuuint64_t extent[] = {static_cast<cuuint64_t>(n)};
  const cuuint64_t no_pitch[] = {0};
  const cuuint32_t box[] = {4}, step[] = {1};
  return cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 1, const_cast<float*>(x),
                                extent, no_pitch, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

// x: device, y: device, z: host, whose elements become 7.
void probe(const float* x, float* y, int* z, int n, int mode) {
  if (mode == kExits) std::exit(0);
  if (mode == kWritesNothing) return;
  twice<<<(n + 31) / 32, 32>>>(x, y, n);
  for (int i = 0; i < n; ++i) z[i] = 7;
  if (mode == kWritesInput) overwrite<<<1, 1>>>(const_cast<float*>(x), 5);
  if (mode == kWritesPastHostBuffer) *(reinterpret_cast<volatile char*>(z + n) + 2) = 1;
  if (mode == kReadsPastHostBuffer) (void)*static_cast<volatile int*>(z + n);
  if (mode == kLeavesError) twice<<<0, 32>>>(x, y, n);
  if (mode == kLeaks) {
    void* lost = nullptr;
    cudaMalloc(&lost, 1 << 20);
  }
  if (mode == kComesFirst && g_came_first) z[0] = 8;
  if (mode == kOpens && open("/dev/null", O_RDONLY) >= 0) z[0] = 8;
  if (mode == kDescribes && !can_describe(x, n)) z[0] = 8;
  static int first = n;  // like memory for so many elements
  if (mode == kRemembers && first < n) z[first] = 8;
  if (mode == kResets) cudaDeviceReset();
  if (mode == kAllocates) {
    void* scratch = nullptr;
    cudaMalloc(&scratch, 1 << 20);
    // Its address and contents.
    std::memcpy(z, &scratch, sizeof(scratch));
    cudaMemcpy(z + 2, scratch, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemset(scratch, 1, 1 << 20);
    cudaFree(scratch);
    z[3] = cudaFree(scratch);
  }
}

template <class T>
T argument(void* const* arguments, int index) {
  T value;
  std::memcpy(&value, arguments[index], sizeof(T));
  return value;
}

}  // namespace

extern "C" {
#ifndef __CUDA_ARCH__  // clang would make a constant of the device of it, too
extern const unsigned warpgrade_parameter_count;
const unsigned warpgrade_parameter_count = 5;
#endif

void warpgrade_call(void* const* arguments) {
  probe(argument<const float*>(arguments, 0), argument<float*>(arguments, 1),
        argument<int*>(arguments, 2), argument<int>(arguments, 3), argument<int>(arguments, 4));
}
}

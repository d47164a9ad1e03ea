#include <cuda_runtime.h>
#include <cufft.h>
#include <cufftXt.h>

#include <cstdio>
#include <cstring>
#include <vector>

#include "emulator/libraries/tests/device_array.h"

// Programs that call cuFFT with one mistake each, and the nearest ones without it, selected by
// name.

namespace {

struct Plan {
  cufftHandle handle = CUFFT_PLAN_NULL;
  Plan(int size, cufftType type, int batch = 1) { cufftPlan1d(&handle, size, type, batch); }
  ~Plan() { cufftDestroy(handle); }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
};

using Complex = std::vector<cufftComplex>;

int finish() {
  std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}

/// A batch of 10 transforms of 100 numbers. @param elements  of the result
int batch(std::size_t elements) {
  const Plan plan(100, CUFFT_C2C, 10);
  const DeviceArray<cufftComplex> from(Complex(1000)), to(elements);
  cufftExecC2C(plan.handle, from.get(), to.get(), CUFFT_FORWARD);
  return finish();
}

/// In place, the 100 real numbers become 51 complex ones.
int real_in_place(std::size_t reals) {
  const Plan plan(100, CUFFT_R2C);
  const DeviceArray<float> data(std::vector<float>(reals, 1.0F));
  cufftExecR2C(plan.handle, data.get(), reinterpret_cast<cufftComplex*>(data.get()));
  return finish();
}

/// Every second number of an array, of which the others are uninitialized, or all of them.
int uninitialized(bool every_second) {
  cufftHandle plan = CUFFT_PLAN_NULL;
  int size = 8, embed = 8;
  cufftPlanMany(&plan, 1, &size, &embed, every_second ? 2 : 1, 16, &embed, 1, 8, CUFFT_C2C, 1);
  const DeviceArray<cufftComplex> from(16), to(8);
  const Complex ones(8, cufftComplex{1, 0});
  cudaMemcpy2D(from.get(), 16, ones.data(), 8, 8, 8, cudaMemcpyHostToDevice);
  cufftExecC2C(plan, from.get(), to.get(), CUFFT_FORWARD);
  cufftDestroy(plan);
  return finish();
}

/// The spectrum is read by a copy in another stream.
int streams(bool ordered) {
  const Plan plan(64, CUFFT_C2C);
  cudaStream_t first = nullptr, second = nullptr;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  const DeviceArray<cufftComplex> from(Complex(64)), to(64), copy(64);
  cudaDeviceSynchronize();
  cufftSetStream(plan.handle, first);
  cufftExecC2C(plan.handle, from.get(), to.get(), CUFFT_FORWARD);
  if (ordered) cudaStreamSynchronize(first);
  cudaMemcpyAsync(copy.get(), to.get(), 64 * sizeof(cufftComplex), cudaMemcpyDeviceToDevice,
                  second);
  cudaDeviceSynchronize();
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  return 0;
}

/// Two plans in two streams. @param shared  they work in the same memory
int work_areas(bool shared) {
  const DeviceArray<cufftComplex> data(Complex(128)), area(128);
  cudaDeviceSynchronize();
  cudaStream_t streams[2] = {};
  cufftHandle plans[2] = {};
  for (int i = 0; i < 2; ++i) {
    std::size_t bytes = 0;
    cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking);
    cufftCreate(&plans[i]);
    cufftSetAutoAllocation(plans[i], 0);
    cufftMakePlan1d(plans[i], 64, CUFFT_C2C, 1, &bytes);
    cufftSetWorkArea(plans[i], area.get() + (shared ? 0 : i * 64));
    cufftSetStream(plans[i], streams[i]);
    cufftExecC2C(plans[i], data.get() + i * 64, data.get() + i * 64, CUFFT_FORWARD);
  }
  cudaDeviceSynchronize();
  for (int i = 0; i < 2; ++i) {
    cufftDestroy(plans[i]);
    cudaStreamDestroy(streams[i]);
  }
  return 0;
}

int other_type(cufftType type) {
  const Plan plan(16, type);
  const DeviceArray<cufftDoubleComplex> data(std::vector<cufftDoubleComplex>(16));
  std::printf("%d\n",
              static_cast<int>(cufftExecZ2Z(plan.handle, data.get(), data.get(), CUFFT_FORWARD)));
  return 0;
}

int missing() {
  cufftHandle plan = CUFFT_PLAN_NULL;
  cufftCreate(&plan);
  std::printf("%d\n", static_cast<int>(cufftXtClearCallback(plan, CUFFT_CB_LD_COMPLEX)));
  return 0;
}

int run(const char* name) {
  const auto is = [&](const char* known) { return std::strcmp(name, known) == 0; };
  if (is("fits")) return batch(1000);
  if (is("outside")) return batch(999);
  if (is("padded")) return real_in_place(102);
  if (is("not_padded")) return real_in_place(100);
  if (is("every_second")) return uninitialized(true);
  if (is("all")) return uninitialized(false);
  if (is("stream_race")) return streams(false);
  if (is("stream_order")) return streams(true);
  if (is("shared_area")) return work_areas(true);
  if (is("own_areas")) return work_areas(false);
  if (is("other_type")) return other_type(CUFFT_C2C);
  if (is("same_type")) return other_type(CUFFT_Z2Z);
  if (is("missing")) return missing();
  return 2;
}

}  // namespace

int main(int count, char** names) {
  return count == 2 ? run(names[1]) : 2;
}

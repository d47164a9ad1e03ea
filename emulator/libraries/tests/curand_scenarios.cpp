#include <cuda_runtime.h>
#include <curand.h>

#include <cstdio>
#include <cstring>

#include "emulator/libraries/tests/device_array.h"

// Programs that call cuRAND with one mistake each, and the nearest ones without it, selected by
// name.

namespace {

struct Curand {
  curandGenerator_t generator = nullptr;
  Curand() { curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT); }
  ~Curand() { curandDestroyGenerator(generator); }
  Curand(const Curand&) = delete;
  Curand& operator=(const Curand&) = delete;
};

/// @param elements  of the array, into which 100 numbers go
int fill(std::size_t elements) {
  const Curand curand;
  const DeviceArray<float> array(elements);
  const curandStatus_t status = curandGenerateUniform(curand.generator, array.get(), 100);
  std::printf("%d, then %s\n", static_cast<int>(status), cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}

int odd(std::size_t count) {
  const Curand curand;
  const DeviceArray<float> array(count);
  std::printf("%d\n",
              static_cast<int>(curandGenerateNormal(curand.generator, array.get(), count, 0, 1)));
  return 0;
}

int host_pointer() {
  const Curand curand;
  float here[4] = {};
  curandGenerateUniform(curand.generator, here, 4);
  cudaDeviceSynchronize();
  return 0;
}

/// The numbers are read by a copy in another stream.
int streams(bool ordered) {
  const Curand curand;
  cudaStream_t first = nullptr, second = nullptr;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  const DeviceArray<float> from(100), to(100);
  curandSetStream(curand.generator, first);
  curandGenerateUniform(curand.generator, from.get(), 100);
  if (ordered) cudaStreamSynchronize(first);
  cudaMemcpyAsync(to.get(), from.get(), 400, cudaMemcpyDeviceToDevice, second);
  cudaDeviceSynchronize();
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  return 0;
}

int missing_type() {
  curandGenerator_t generator = nullptr;
  std::printf("%d\n",
              static_cast<int>(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_MTGP32)));
  return 0;
}

int missing_function() {
  const Curand curand;
  const DeviceArray<unsigned int> array(4);
  std::printf("%d\n",
              static_cast<int>(curandGeneratePoisson(curand.generator, array.get(), 4, 10)));
  return 0;
}

int destroyed() {
  curandGenerator_t generator = nullptr;
  curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
  curandDestroyGenerator(generator);
  curandSetPseudoRandomGeneratorSeed(generator, 1);
  return 0;
}

int run(const char* name) {
  const auto is = [&](const char* known) { return std::strcmp(name, known) == 0; };
  if (is("fits")) return fill(100);
  if (is("outside")) return fill(99);
  if (is("odd")) return odd(3);
  if (is("even")) return odd(4);
  if (is("host_pointer")) return host_pointer();
  if (is("stream_race")) return streams(false);
  if (is("stream_order")) return streams(true);
  if (is("missing_type")) return missing_type();
  if (is("missing_function")) return missing_function();
  if (is("destroyed")) return destroyed();
  return 2;
}

}  // namespace

int main(int count, char** names) {
  return count == 2 ? run(names[1]) : 2;
}

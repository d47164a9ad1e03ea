#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

#include "emulator/libraries/tests/device_array.h"

// Programs that call cuBLAS with one mistake each, and the nearest ones without it, selected by
// name.

namespace {

using Array = DeviceArray<float>;

struct Cublas {
  cublasHandle_t handle = nullptr;
  Cublas() { cublasCreate(&handle); }
  ~Cublas() { cublasDestroy(handle); }
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;
};

const float kOne = 1;
const float kZero = 0;

/// C (4 x 3) = A (4 x 5) B (5 x 3)
cublasStatus_t multiply(cublasHandle_t handle, const float* a, int lda, const float* b, float* c) {
  return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 3, 5, &kOne, a, lda, b, 5, &kZero, c, 4);
}

std::vector<float> ones(std::size_t count) {
  return std::vector<float>(count, 1);
}

/// @param elements  of A, which has 4 x 5
int product(std::size_t elements, int lda) {
  const Cublas cublas;
  const Array a(ones(elements)), b(ones(15)), c(12);
  const cublasStatus_t status = multiply(cublas.handle, a.get(), lda, b.get(), c.get());
  std::printf("%s, then %s\n", cublasGetStatusName(status),
              cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}

int uninitialized(bool written) {
  const Cublas cublas;
  const Array a(20), b(ones(15)), c(12);
  if (written) cudaMemset(a.get(), 0, 20 * sizeof(float));
  multiply(cublas.handle, a.get(), 4, b.get(), c.get());
  return 0;
}

/// The upper triangle is not read.
int triangle(cublasFillMode_t part) {
  const Cublas cublas;
  const Array a(16), x(ones(4));
  const std::vector<float> column = ones(4);
  for (int i = 0; i < 4; ++i) {
    cudaMemcpy(a.get() + 4 * i + i, column.data(), (4 - i) * sizeof(float), cudaMemcpyHostToDevice);
  }
  cublasStrsv(cublas.handle, part, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 4, a.get(), 4, x.get(), 1);
  return 0;
}

/// The corner of a band that lies outside the matrix is uninitialized, or an element inside.
int band(bool all_inside) {
  const Cublas cublas;
  const Array a(6), x(ones(3));
  const std::vector<float> values = ones(6);
  cudaMemcpy(a.get(), values.data(), (all_inside ? 5 : 4) * sizeof(float), cudaMemcpyHostToDevice);
  cublasStbmv(cublas.handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, 3, 1,
              a.get(), 2, x.get(), 1);
  return 0;
}

/// Of a packed triangle with a unit diagonal that is uninitialized.
int packed(cublasDiagType_t diagonal) {
  const Cublas cublas;
  const Array a(3), x(ones(2));
  cudaMemset(a.get() + 1, 0, sizeof(float));
  cublasStpmv(cublas.handle, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, diagonal, 2, a.get(), x.get(), 1);
  return 0;
}

int freed(bool before) {
  const Cublas cublas;
  float* x = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&x), 400);
  cudaMemset(x, 0, 400);
  if (before) cudaFree(x);
  cublasSscal(cublas.handle, 100, &kOne, x, 1);
  if (!before) cudaFree(x);
  return 0;
}

int misaligned(int bytes) {
  const Cublas cublas;
  const Array x(ones(101));
  char* const at = reinterpret_cast<char*>(x.get()) + bytes;
  cublasSscal(cublas.handle, 100, &kOne, reinterpret_cast<float*>(at), 1);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}

int host_pointer() {
  const Cublas cublas;
  std::vector<float> x = ones(100);
  const Array y(ones(100));
  cublasSaxpy(cublas.handle, 100, &kOne, x.data(), 1, y.get(), 1);
  return 0;
}

int pinned_pointer() {
  const Cublas cublas;
  float* x = nullptr;
  cudaMallocHost(reinterpret_cast<void**>(&x), 400);
  for (int i = 0; i < 100; ++i) x[i] = 1;
  const Array y(ones(100));
  cublasSaxpy(cublas.handle, 100, &kOne, x, 1, y.get(), 1);
  cudaDeviceSynchronize();
  cudaFreeHost(x);
  return 0;
}

/// Two streams: one scales x, the other reads it.
int streams(bool ordered) {
  const Cublas cublas;
  const Array x(ones(100)), y(ones(100));
  cudaStream_t first = nullptr, second = nullptr;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEvent_t scaled = nullptr;
  cudaEventCreate(&scaled);
  cublasSetStream(cublas.handle, first);
  cublasSscal(cublas.handle, 100, &kOne, x.get(), 1);
  cudaEventRecord(scaled, first);
  if (ordered) cudaStreamWaitEvent(second, scaled, 0);
  cublasSetStream(cublas.handle, second);
  cublasSaxpy(cublas.handle, 100, &kOne, x.get(), 1, y.get(), 1);
  cudaDeviceSynchronize();
  cudaEventDestroy(scaled);
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  return 0;
}

/// The same with a call whose matrices overlap: A is the first column of C.
int overlapping(bool ordered) {
  const Cublas cublas;
  const Array c(ones(9));
  cudaStream_t second = nullptr;
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaDeviceSynchronize();
  cublasSger(cublas.handle, 3, 3, &kOne, c.get(), 1, c.get(), 1, c.get(), 3);
  if (ordered) cudaDeviceSynchronize();
  cublasSetStream(cublas.handle, second);
  cublasSscal(cublas.handle, 1, &kOne, c.get() + 8, 1);
  cudaDeviceSynchronize();
  cudaStreamDestroy(second);
  return 0;
}

/// The call does not wait for its work: managed memory is read before it is done, or after.
int managed(bool waits) {
  const Cublas cublas;
  float* x = nullptr;
  cudaMallocManaged(reinterpret_cast<void**>(&x), 400);
  for (int i = 0; i < 100; ++i) x[i] = 2;
  cublasSscal(cublas.handle, 100, &kOne, x, 1);
  if (waits) cudaDeviceSynchronize();
  std::printf("%g\n", x[99]);
  cudaDeviceSynchronize();
  cudaFree(x);
  return 0;
}

int missing() {
  const Cublas cublas;
  const Array a(ones(16));
  float* matrix = a.get();
  const DeviceArray<float*> matrices(std::vector<float*>{matrix});
  const DeviceArray<int> info(1);
  const cublasStatus_t status =
      cublasSgetrfBatched(cublas.handle, 4, matrices.get(), 4, nullptr, info.get(), 1);
  std::printf("%s\n", cublasGetStatusName(status));
  return 0;
}

/// With two devices: the vector is the other one's.
int other_device(bool peers) {
  const Cublas cublas;
  cudaSetDevice(1);
  float* x = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&x), 400);
  cudaMemset(x, 0, 400);
  cudaDeviceSynchronize();
  cudaSetDevice(0);
  if (peers) cudaDeviceEnablePeerAccess(1, 0);
  cublasSscal(cublas.handle, 100, &kOne, x, 1);
  cudaFree(x);
  return 0;
}

/// C in double with sums in float.
int types() {
  const Cublas cublas;
  const Array a(ones(1));
  const DeviceArray<double> c(1);
  const cublasStatus_t status = cublasGemmEx(
      cublas.handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &kOne, a.get(), CUDA_R_32F, 1, a.get(),
      CUDA_R_32F, 1, &kZero, c.get(), CUDA_R_64F, 1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  std::printf("%s\n", cublasGetStatusName(status));
  return 0;
}

int no_handle() {
  const Array x(ones(100));
  const cublasStatus_t status = cublasSscal(nullptr, 100, &kOne, x.get(), 1);
  std::printf("%s\n", cublasGetStatusName(status));
  return 0;
}

int batch(bool all_inside) {
  const Cublas cublas;
  const Array a(ones(4)), b(ones(4)), c(8), small(ones(3));
  const DeviceArray<float*> as(std::vector<float*>{a.get(), all_inside ? a.get() : small.get()});
  const DeviceArray<float*> bs(std::vector<float*>{b.get(), b.get()});
  const DeviceArray<float*> cs(std::vector<float*>{c.get(), c.get() + 4});
  cublasSgemmBatched(cublas.handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &kOne, as.get(), 2, bs.get(),
                     2, &kZero, cs.get(), 2, 2);
  return 0;
}

int set_matrix(bool fits) {
  const Cublas cublas;
  const std::vector<float> host = ones(20);
  const Array a(fits ? 20 : 19);
  cublasSetMatrix(4, 5, sizeof(float), host.data(), 4, a.get(), 4);
  return 0;
}

int run(const char* name) {
  const auto is = [&](const char* known) { return std::strcmp(name, known) == 0; };
  if (is("product")) return product(20, 4);
  if (is("small_lda")) return product(20, 3);
  if (is("large_lda")) return product(20, 5);
  if (is("large_lda_fits")) return product(24, 5);
  if (is("uninitialized")) return uninitialized(false);
  if (is("initialized")) return uninitialized(true);
  if (is("upper_triangle")) return triangle(CUBLAS_FILL_MODE_UPPER);
  if (is("lower_triangle")) return triangle(CUBLAS_FILL_MODE_LOWER);
  if (is("band_uninitialized")) return band(false);
  if (is("band_initialized")) return band(true);
  if (is("packed_diagonal")) return packed(CUBLAS_DIAG_NON_UNIT);
  if (is("packed_unit_diagonal")) return packed(CUBLAS_DIAG_UNIT);
  if (is("freed_before")) return freed(true);
  if (is("freed_after")) return freed(false);
  if (is("misaligned")) return misaligned(2);
  if (is("aligned")) return misaligned(4);
  if (is("host_pointer")) return host_pointer();
  if (is("pinned_pointer")) return pinned_pointer();
  if (is("stream_race")) return streams(false);
  if (is("stream_order")) return streams(true);
  if (is("overlap_race")) return overlapping(false);
  if (is("overlap_order")) return overlapping(true);
  if (is("managed_early")) return managed(false);
  if (is("managed_late")) return managed(true);
  if (is("missing")) return missing();
  if (is("other_device")) return other_device(false);
  if (is("peer")) return other_device(true);
  if (is("types")) return types();
  if (is("no_handle")) return no_handle();
  if (is("batch_outside")) return batch(false);
  if (is("batch_inside")) return batch(true);
  if (is("set_outside")) return set_matrix(false);
  if (is("set_inside")) return set_matrix(true);
  return 2;
}

}  // namespace

int main(int count, char** names) {
  return count == 2 ? run(names[1]) : 2;
}

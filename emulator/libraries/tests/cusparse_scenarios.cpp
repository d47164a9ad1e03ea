#include <cuda_runtime.h>
#include <cusparse.h>

#include <cstdio>
#include <cstring>
#include <vector>

#include "emulator/libraries/tests/device_array.h"

// Programs that call cuSPARSE with one mistake each, and the nearest ones without it, selected by
// name.

namespace {

using Floats = DeviceArray<float>;
using Ints = DeviceArray<int>;

constexpr auto kPlain = CUSPARSE_OPERATION_NON_TRANSPOSE;
const float kOne = 1;
const float kZero = 0;

struct Cusparse {
  cusparseHandle_t handle = nullptr;
  Cusparse() { cusparseCreate(&handle); }
  ~Cusparse() { cusparseDestroy(handle); }
  Cusparse(const Cusparse&) = delete;
  Cusparse& operator=(const Cusparse&) = delete;
};

std::vector<float> ones(std::size_t count) {
  return std::vector<float>(count, 1);
}

cusparseSpMatDescr_t csr(int rows, int columns, int entries, const Ints& offsets,
                         const Ints& indices, const Floats& values,
                         cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO) {
  cusparseSpMatDescr_t matrix = nullptr;
  cusparseCreateCsr(&matrix, rows, columns, entries, offsets.get(), indices.get(), values.get(),
                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, base, CUDA_R_32F);
  return matrix;
}

cusparseDnVecDescr_t vector(const Floats& values, int size) {
  cusparseDnVecDescr_t made = nullptr;
  cusparseCreateDnVec(&made, size, values.get(), CUDA_R_32F);
  return made;
}

cusparseStatus_t spmv(cusparseHandle_t handle, cusparseSpMatDescr_t a, cusparseDnVecDescr_t x,
                      cusparseDnVecDescr_t y, void* buffer) {
  return cusparseSpMV(handle, kPlain, &kOne, a, x, &kZero, y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT,
                      buffer);
}

/// What a product is made of: 3 x 4, 5 entries.
struct Product {
  std::vector<int> offsets = {0, 2, 3, 5};
  std::vector<int> indices = {0, 2, 1, 0, 3};
  std::size_t values = 5;  // in memory
  std::size_t x = 4;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
  bool written = true;
  bool has_buffer = true;
  int size_of_x = 4;  // of its descriptor

  int run() const {
    const Cusparse cusparse;
    const Ints on_offsets(offsets), on_indices(indices);
    const Floats on_values(ones(values)), on_x(x), y(3);
    if (written) cudaMemset(on_x.get(), 0, x * sizeof(float));
    const DeviceArray<char> buffer(64);
    const cusparseStatus_t status =
        spmv(cusparse.handle, csr(3, 4, 5, on_offsets, on_indices, on_values, base),
             vector(on_x, size_of_x), vector(y, 3), has_buffer ? buffer.get() : nullptr);
    std::printf("%s, then %s\n", cusparseGetErrorName(status),
                cudaGetErrorName(cudaDeviceSynchronize()));
    return 0;
  }
};

int coo(int row, int entries) {
  const Cusparse cusparse;
  const Ints rows(std::vector<int>{0, row}), columns(std::vector<int>{1, 0});
  const Floats values(ones(2)), x(ones(2)), y(2);
  cusparseSpMatDescr_t matrix = nullptr;
  cusparseCreateCoo(&matrix, 2, 2, entries, rows.get(), columns.get(), values.get(),
                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  const DeviceArray<char> buffer(1024);
  spmv(cusparse.handle, matrix, vector(x, 2), vector(y, 2), buffer.get());
  return 0;
}

int leading(int ld) {
  const Floats values(ones(12));
  cusparseDnMatDescr_t matrix = nullptr;
  const cusparseStatus_t status =
      cusparseCreateDnMat(&matrix, 4, 3, ld, values.get(), CUDA_R_32F, CUSPARSE_ORDER_COL);
  std::printf("%s\n", cusparseGetErrorName(status));
  return 0;
}

/// op(A) B with B of 4 x 3 elements and a leading dimension.
int product_with(int ld, cusparseOrder_t order) {
  const Cusparse cusparse;
  const Ints offsets(std::vector<int>{0, 1}), indices(std::vector<int>{3});
  const Floats values(ones(1)), b(ones(12)), c(3);
  cusparseDnMatDescr_t on_b = nullptr, on_c = nullptr;
  cusparseCreateDnMat(&on_b, 4, 3, ld, b.get(), CUDA_R_32F, order);
  cusparseCreateDnMat(&on_c, 1, 3, 1, c.get(), CUDA_R_32F, CUSPARSE_ORDER_COL);
  cusparseSpMM(cusparse.handle, kPlain, kPlain, &kOne, csr(1, 4, 1, offsets, indices, values), on_b,
               &kZero, on_c, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, nullptr);
  return 0;
}

/// A triangle of 2 x 2; @param columns  of its three entries
int solve(const std::vector<int>& columns, bool analysed, bool frees) {
  const Cusparse cusparse;
  const Ints offsets(std::vector<int>{0, 1, 3}), indices(columns);
  const Floats values(ones(3)), x(ones(2)), y(2);
  const auto a = csr(2, 2, 3, offsets, indices, values);
  const auto on_x = vector(x, 2), on_y = vector(y, 2);
  cusparseSpSVDescr_t descriptor = nullptr;
  cusparseSpSV_createDescr(&descriptor);
  std::size_t bytes = 0;
  cusparseSpSV_bufferSize(cusparse.handle, kPlain, &kOne, a, on_x, on_y, CUDA_R_32F,
                          CUSPARSE_SPSV_ALG_DEFAULT, descriptor, &bytes);
  void* buffer = nullptr;
  cudaMalloc(&buffer, bytes);
  if (analysed) {
    cusparseSpSV_analysis(cusparse.handle, kPlain, &kOne, a, on_x, on_y, CUDA_R_32F,
                          CUSPARSE_SPSV_ALG_DEFAULT, descriptor, buffer);
  }
  if (frees) cudaFree(buffer);
  const cusparseStatus_t status =
      cusparseSpSV_solve(cusparse.handle, kPlain, &kOne, a, on_x, on_y, CUDA_R_32F,
                         CUSPARSE_SPSV_ALG_DEFAULT, descriptor);
  std::printf("%s\n", cusparseGetErrorName(status));
  if (!frees) cudaFree(buffer);
  return 0;
}

int coo_to_csr(const std::vector<int>& sorted) {
  const Cusparse cusparse;
  const Ints rows(sorted), offsets(4);
  cusparseXcoo2csr(cusparse.handle, rows.get(), 3, 3, offsets.get(), CUSPARSE_INDEX_BASE_ZERO);
  return 0;
}

/// One stream writes y, the other reads it.
int streams(bool ordered) {
  const Cusparse cusparse;
  const Ints offsets(std::vector<int>{0, 1, 2}), indices(std::vector<int>{0, 1});
  const Floats values(ones(2)), x(ones(2)), y(2), z(2);
  const auto a = csr(2, 2, 2, offsets, indices, values);
  const DeviceArray<char> first_buffer(64), second_buffer(64);
  cudaStream_t first = nullptr, second = nullptr;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaDeviceSynchronize();
  cusparseSetStream(cusparse.handle, first);
  spmv(cusparse.handle, a, vector(x, 2), vector(y, 2), first_buffer.get());
  if (ordered) cudaStreamSynchronize(first);
  cusparseSetStream(cusparse.handle, second);
  spmv(cusparse.handle, a, vector(y, 2), vector(z, 2), second_buffer.get());
  cudaDeviceSynchronize();
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  return 0;
}

/// Two streams work in one buffer, or in one each.
int buffers(bool shared) {
  const Cusparse cusparse;
  const Ints offsets(std::vector<int>{0, 1, 2}), indices(std::vector<int>{0, 1});
  const Floats values(ones(2)), x(ones(2)), y(2), z(2);
  const auto a = csr(2, 2, 2, offsets, indices, values);
  const DeviceArray<char> first_buffer(64), second_buffer(64);
  cudaStream_t second = nullptr;
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaDeviceSynchronize();
  spmv(cusparse.handle, a, vector(x, 2), vector(y, 2), first_buffer.get());
  cusparseSetStream(cusparse.handle, second);
  spmv(cusparse.handle, a, vector(x, 2), vector(z, 2),
       (shared ? first_buffer : second_buffer).get());
  cudaDeviceSynchronize();
  cudaStreamDestroy(second);
  return 0;
}

/// Elements 0 and 2 of a vector are gathered. @param written  element that is initialized, with 0
int gather(int written) {
  const Cusparse cusparse;
  const Ints indices(std::vector<int>{0, 2});
  const Floats values(2), y(4);
  cudaMemset(y.get(), 0, sizeof(float));
  cudaMemset(y.get() + written, 0, sizeof(float));
  cusparseSpVecDescr_t x = nullptr;
  cusparseCreateSpVec(&x, 4, 2, indices.get(), values.get(), CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseGather(cusparse.handle, vector(y, 4), x);
  return 0;
}

/// The dense matrix gets another element between the analysis and the conversion.
int changed(bool changes) {
  const Cusparse cusparse;
  const Floats dense(std::vector<float>{1, 0, 0, 1});
  const Ints offsets(3), indices(4);
  const Floats values(4);
  cusparseDnMatDescr_t a = nullptr;
  cusparseCreateDnMat(&a, 2, 2, 2, dense.get(), CUDA_R_32F, CUSPARSE_ORDER_COL);
  const auto b = csr(2, 2, 0, offsets, indices, values);
  std::size_t bytes = 0;
  cusparseDenseToSparse_bufferSize(cusparse.handle, a, b, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                   &bytes);
  const DeviceArray<char> buffer(bytes);
  cusparseDenseToSparse_analysis(cusparse.handle, a, b, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                 buffer.get());
  if (changes) cudaMemset(dense.get() + 1, 1, sizeof(float));
  cusparseDenseToSparse_convert(cusparse.handle, a, b, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                buffer.get());
  return 0;
}

int destroyed(bool before) {
  const Cusparse cusparse;
  const Ints offsets(std::vector<int>{0, 1}), indices(std::vector<int>{0});
  const Floats values(ones(1)), x(ones(1)), y(1);
  const auto a = csr(1, 1, 1, offsets, indices, values);
  const DeviceArray<char> buffer(64);
  if (before) cusparseDestroySpMat(a);
  spmv(cusparse.handle, a, vector(x, 1), vector(y, 1), buffer.get());
  if (!before) cusparseDestroySpMat(a);
  return 0;
}

/// Values in float with sums in double.
int types() {
  const Cusparse cusparse;
  const Ints offsets(std::vector<int>{0, 1}), indices(std::vector<int>{0});
  const Floats values(ones(1)), x(ones(1)), y(1);
  const double one = 1, zero = 0;
  const cusparseStatus_t status = cusparseSpMV(
      cusparse.handle, kPlain, &one, csr(1, 1, 1, offsets, indices, values), vector(x, 1), &zero,
      vector(y, 1), CUDA_R_64F, CUSPARSE_SPMV_ALG_DEFAULT, x.get());
  std::printf("%s\n", cusparseGetErrorName(status));
  return 0;
}

/// The factors are in device memory, and the pointer mode says so, or that of the host.
int factors(cusparsePointerMode_t mode) {
  const Cusparse cusparse;
  cusparseSetPointerMode(cusparse.handle, mode);
  const Ints offsets(std::vector<int>{0, 1}), indices(std::vector<int>{0});
  const Floats values(ones(1)), x(ones(1)), y(ones(1));
  const DeviceArray<char> buffer(64);
  cusparseSpMV(cusparse.handle, kPlain, x.get(), csr(1, 1, 1, offsets, indices, values),
               vector(x, 1), x.get(), vector(y, 1), CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT,
               buffer.get());
  return 0;
}

int conjugated(cusparseOperation_t operation) {
  const Cusparse cusparse;
  const Ints offsets(std::vector<int>{0, 1}), indices(std::vector<int>{0});
  const Floats values(ones(1)), x(ones(1)), y(1);
  const DeviceArray<char> buffer(64);
  const cusparseStatus_t status = cusparseSpMV(
      cusparse.handle, operation, &kOne, csr(1, 1, 1, offsets, indices, values), vector(x, 1),
      &kZero, vector(y, 1), CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer.get());
  std::printf("%s\n", cusparseGetErrorName(status));
  return 0;
}

/// A tridiagonal solve.
int missing() {
  const Cusparse cusparse;
  const Floats d(ones(4));
  std::size_t bytes = 0;
  const cusparseStatus_t status = cusparseSgtsv2_bufferSizeExt(
      cusparse.handle, 4, 1, d.get(), d.get(), d.get(), d.get(), 4, &bytes);
  std::printf("%s\n", cusparseGetErrorName(status));
  return 0;
}

int run(const char* name) {
  const auto is = [&](const char* known) { return std::strcmp(name, known) == 0; };
  if (is("product")) return Product{}.run();
  if (is("offset_decreases")) return Product{.offsets = {0, 3, 2, 5}}.run();
  if (is("offset_equal")) return Product{.offsets = {0, 3, 3, 5}}.run();
  if (is("offset_exceeds")) return Product{.offsets = {0, 2, 3, 6}}.run();
  if (is("offset_negative")) return Product{.offsets = {-1, 2, 3, 5}}.run();
  if (is("column_outside")) return Product{.indices = {0, 2, 4, 0, 3}}.run();
  if (is("column_negative")) return Product{.indices = {0, 2, 1, -1, 3}}.run();
  if (is("base_one")) return Product{.base = CUSPARSE_INDEX_BASE_ONE}.run();
  if (is("base_one_fits")) {
    return Product{
        .offsets = {1, 3, 4, 6}, .indices = {1, 3, 2, 1, 4}, .base = CUSPARSE_INDEX_BASE_ONE}
        .run();
  }
  if (is("short_values")) return Product{.values = 4}.run();
  if (is("short_x")) return Product{.x = 3}.run();
  if (is("uninitialized")) return Product{.written = false}.run();
  if (is("no_buffer")) return Product{.has_buffer = false}.run();
  if (is("size_mismatch")) return Product{.size_of_x = 3}.run();
  if (is("coo_row_outside")) return coo(2, 2);
  if (is("coo_row_inside")) return coo(1, 2);
  if (is("small_ld")) return leading(3);
  if (is("equal_ld")) return leading(4);
  if (is("b_outside")) return product_with(5, CUSPARSE_ORDER_COL);
  if (is("b_inside")) return product_with(4, CUSPARSE_ORDER_COL);
  if (is("b_by_rows_outside")) return product_with(4, CUSPARSE_ORDER_ROW);
  if (is("b_by_rows_inside")) return product_with(3, CUSPARSE_ORDER_ROW);
  if (is("solve")) return solve({0, 0, 1}, true, false);
  if (is("solve_unanalysed")) return solve({0, 0, 1}, false, false);
  if (is("solve_freed")) return solve({0, 0, 1}, true, true);
  if (is("solve_no_diagonal")) return solve({0, 0, 0}, true, false);
  if (is("coo2csr_unsorted")) return coo_to_csr({0, 2, 1});
  if (is("coo2csr_sorted")) return coo_to_csr({0, 2, 2});
  if (is("stream_race")) return streams(false);
  if (is("stream_order")) return streams(true);
  if (is("buffer_shared")) return buffers(true);
  if (is("buffer_each")) return buffers(false);
  if (is("gather_unwritten")) return gather(1);
  if (is("gather_written")) return gather(2);
  if (is("dense_changed")) return changed(true);
  if (is("dense_unchanged")) return changed(false);
  if (is("destroyed_before")) return destroyed(true);
  if (is("destroyed_after")) return destroyed(false);
  if (is("types")) return types();
  if (is("factor_on_device")) return factors(CUSPARSE_POINTER_MODE_HOST);
  if (is("factor_mode_device")) return factors(CUSPARSE_POINTER_MODE_DEVICE);
  if (is("conjugated")) return conjugated(CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE);
  if (is("transposed")) return conjugated(CUSPARSE_OPERATION_TRANSPOSE);
  if (is("missing")) return missing();
  return 2;
}

}  // namespace

int main(int count, char** names) {
  return count == 2 ? run(names[1]) : 2;
}

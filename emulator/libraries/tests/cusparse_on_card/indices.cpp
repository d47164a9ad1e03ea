#include <limits>

#include "emulator/libraries/tests/cusparse_on_card/calls.h"

namespace cusparse_on_card {
namespace {

template <class T>
void to_dense(cusparseHandle_t handle) {
  for (const auto format : kFormats) {
    for (const auto order : kOrders) {
      const Sparse<T> matrix(randoms<T>(11, 7, 6), format, 1);
      const OnDevice<T> dense(randoms<T>(11, 7), order);
      const Buffer buffer(4096);
      const int status = cusparseSparseToDense(handle, matrix.descriptor, dense.descriptor,
                                               CUSPARSE_SPARSETODENSE_ALG_DEFAULT, buffer.get());
      on_card::line<T>(name_of("SparseToDense", format, order, kType<T>), status,
                       dense.get().values, {0}, 0);
    }
  }
}

template <class T>
void from_dense(cusparseHandle_t handle) {
  for (const auto format : kFormats) {
    for (const auto order : kOrders) {
      auto a = randoms<T>(11, 7, 6);
      a.at(0, 0) = std::numeric_limits<T>::quiet_NaN();
      a.at(1, 1) = -T(0);
      const OnDevice<T> dense(a, order);
      const std::string name = name_of("DenseToSparse", format, order, kType<T>);
      // Of COO, the rows.
      const DeviceArray<int> offsets(std::vector<int>(77, -1)), indices(std::vector<int>(77, -1));
      const DeviceArray<T> values(std::vector<T>(77, T(-1)));
      cusparseSpMatDescr_t matrix = nullptr;
      if (format == CUSPARSE_FORMAT_COO) {
        cusparseCreateCoo(&matrix, 11, 7, 0, offsets.get(), indices.get(), values.get(),
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, kType<T>);
      } else {
        const auto create = format == CUSPARSE_FORMAT_CSC ? cusparseCreateCsc : cusparseCreateCsr;
        create(&matrix, 11, 7, 0, offsets.get(), indices.get(), values.get(), CUSPARSE_INDEX_32I,
               CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ONE, kType<T>);
      }
      const auto algorithm = CUSPARSE_DENSETOSPARSE_ALG_DEFAULT;
      std::size_t bytes = 0;
      on_card::line(name, cusparseDenseToSparse_bufferSize(handle, dense.descriptor, matrix,
                                                           algorithm, &bytes));
      const Buffer buffer(bytes + 16);
      int status =
          cusparseDenseToSparse_analysis(handle, dense.descriptor, matrix, algorithm, buffer.get());
      on_card::line<T>(name + " offsets after the analysis", status, offsets.values(), {0}, 0);
      std::int64_t rows = 0, columns = 0, count = 0;
      cusparseSpMatGetSize(matrix, &rows, &columns, &count);
      on_card::line<T>(name + " entries", status, std::vector<std::int64_t>{count}, {0}, 0);
      status =
          cusparseDenseToSparse_convert(handle, dense.descriptor, matrix, algorithm, buffer.get());
      on_card::line<T>(name + " offsets", status, offsets.values(), {0}, 0);
      on_card::line<T>(name + " indices", status, indices.values(), {0}, 0);
      on_card::line<T>(name + " values", status, values.values(), {0}, 0);
      cusparseDestroySpMat(matrix);
    }
  }
}

void conversions(cusparseHandle_t handle) {
  for (const auto base : {CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE}) {
    const Arrays<float, int> coo(randoms<float>(9, 8, 6), CUSPARSE_FORMAT_COO, base);
    const auto count = static_cast<int>(coo.values.size());
    const DeviceArray<int> rows(coo.offsets), offsets(10), back(coo.offsets.size());
    int status = cusparseXcoo2csr(handle, rows.get(), count, 9, offsets.get(), base);
    on_card::line<float>(name_of("coo2csr", base), status, offsets.values(), {0}, 0);
    status = cusparseXcsr2coo(handle, offsets.get(), count, 9, back.get(), base);
    on_card::line<float>(name_of("csr2coo", base), status, back.values(), {0}, 0);
  }
  // With equal pairs, whose permutation says whether the sort is stable.
  std::vector<int> i, j;
  for (int k = 0; k < 40; ++k) {
    i.push_back(static_cast<int>((on_card::random_number() + 1) * 3));
    j.push_back(static_cast<int>((on_card::random_number() + 1) * 3));
  }
  for (const bool by_rows : {true, false}) {
    const DeviceArray<int> rows(i), columns(j), p(40);
    int status = cusparseCreateIdentityPermutation(handle, 40, p.get());
    on_card::line<float>("identity", status, p.values(), {0}, 0);
    std::size_t bytes = 0;
    cusparseXcoosort_bufferSizeExt(handle, 6, 6, 40, rows.get(), columns.get(), &bytes);
    const Buffer buffer(bytes + 16);
    status = (by_rows ? cusparseXcoosortByRow : cusparseXcoosortByColumn)(
        handle, 6, 6, 40, rows.get(), columns.get(), p.get(), buffer.get());
    on_card::line<float>(name_of("coosort", by_rows), status, rows.values(), {0}, 0);
    on_card::line<float>(name_of("coosort columns", by_rows), status, columns.values(), {0}, 0);
    on_card::line<float>(name_of("coosort permutation", by_rows), status, p.values(), {0}, 0);
  }
  cusparseMatDescr_t descriptor = nullptr;
  cusparseCreateMatDescr(&descriptor);
  for (const bool is_csr : {true, false}) {
    const DeviceArray<int> offsets(std::vector<int>{0, 13, 27, 40}), indices(i), p(40);
    cusparseCreateIdentityPermutation(handle, 40, p.get());
    std::size_t bytes = 0;
    (is_csr ? cusparseXcsrsort_bufferSizeExt : cusparseXcscsort_bufferSizeExt)(
        handle, is_csr ? 3 : 6, is_csr ? 6 : 3, 40, offsets.get(), indices.get(), &bytes);
    const Buffer buffer(bytes + 16);
    const int status = is_csr ? cusparseXcsrsort(handle, 3, 6, 40, descriptor, offsets.get(),
                                                 indices.get(), p.get(), buffer.get())
                              : cusparseXcscsort(handle, 6, 3, 40, descriptor, offsets.get(),
                                                 indices.get(), p.get(), buffer.get());
    on_card::line<float>(name_of("csrsort", is_csr), status, indices.values(), {0}, 0);
    on_card::line<float>(name_of("csrsort permutation", is_csr), status, p.values(), {0}, 0);
  }
  cusparseDestroyMatDescr(descriptor);
}

template <class T>
void transposition(cusparseHandle_t handle) {
  for (const auto base : {CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE}) {
    for (const auto action : {CUSPARSE_ACTION_SYMBOLIC, CUSPARSE_ACTION_NUMERIC}) {
      const Arrays<T, int> csr(randoms<T>(9, 8, 6), CUSPARSE_FORMAT_CSR, base);
      const auto count = static_cast<int>(csr.values.size());
      const DeviceArray<int> offsets(csr.offsets), indices(csr.indices),
          to_offsets(std::vector<int>(9, -1)), to_indices(std::vector<int>(csr.indices.size(), -1));
      const DeviceArray<T> values(csr.values), to_values(std::vector<T>(csr.values.size(), T(-1)));
      std::size_t bytes = 0;
      int status = cusparseCsr2cscEx2_bufferSize(handle, 9, 8, count, values.get(), offsets.get(),
                                                 indices.get(), to_values.get(), to_offsets.get(),
                                                 to_indices.get(), kType<T>, action, base,
                                                 CUSPARSE_CSR2CSC_ALG1, &bytes);
      const Buffer buffer(bytes + 16);
      if (status == 0) {
        status = cusparseCsr2cscEx2(handle, 9, 8, count, values.get(), offsets.get(), indices.get(),
                                    to_values.get(), to_offsets.get(), to_indices.get(), kType<T>,
                                    action, base, CUSPARSE_CSR2CSC_ALG1, buffer.get());
      }
      const std::string name = name_of("csr2csc", base, action, kType<T>);
      on_card::line<T>(name + " offsets", status, to_offsets.values(), {0}, 0);
      on_card::line<T>(name + " indices", status, to_indices.values(), {0}, 0);
      on_card::line<T>(name + " values", status, to_values.values(), {0}, 0);
    }
  }
}

}  // namespace

void record_indices(cusparseHandle_t handle) {
  to_dense<float>(handle);
  to_dense<double>(handle);
  from_dense<float>(handle);
  from_dense<double>(handle);
  conversions(handle);
  transposition<float>(handle);
  transposition<double>(handle);
}

}  // namespace cusparse_on_card

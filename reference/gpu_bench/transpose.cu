#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "reference/gpu_bench/cublas.h"
#include "reference/gpu_bench/row.h"
#include "transpose.h"

namespace solution {
#include "reference/transpose/solution.cu"
}

namespace against {
namespace {

// The share of the ceiling is the rate over that of a copy of a matrix.
Row row_of(int rows, int columns) {
  Row row;
  row.lab = "transpose";
  row.size = std::to_string(rows) + " x " + std::to_string(columns) + " floats";
  const std::size_t elements = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  row.inputs = {uniform_floats(elements)};
  row.output_bytes = sizeof(float) * elements;
  row.error = [=](const void* got, const void* want) {
    return different_bytes(got, want, sizeof(float) * elements);
  };
  row.work = 2.0 * sizeof(float) * static_cast<double>(elements);
  row.ceiling = Ceiling::copy;
#ifdef AGAINST_HAS_CUBLAS
  const auto handle = std::make_shared<CublasHandle>();
  row.contenders.push_back({"cuBLAS geam", [=](const Buffers& b) {
                              const float one = 1;
                              const float zero = 0;
                              // By columns, as cuBLAS sees it, `in` has `columns` rows.
                              check_cublas(
                                  cublasSgeam(handle->get(), CUBLAS_OP_T, CUBLAS_OP_N, rows,
                                              columns, &one, b.input<float>(0), columns, &zero,
                                              b.output<float>(), rows, b.output<float>(), rows),
                                  "cublasSgeam");
                            }});
#else
  row.size += " (built without cuBLAS)";
#endif
  row.contenders.push_back({"solution", [=](const Buffers& b) {
                              solution::transpose(b.input<float>(0), b.output<float>(), rows,
                                                  columns);
                            }});
  return row;
}

const Registration kTranspose("transpose", [] {
  return std::vector<Row>{row_of(16384, 16384), row_of(16383, 16001)};
});

}  // namespace
}  // namespace against

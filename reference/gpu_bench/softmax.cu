#include "softmax.h"

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include "reference/gpu_bench/cudnn.h"
#include "reference/gpu_bench/row.h"

namespace solution {
#include "reference/softmax/solution.cu"
}
#undef CHECK
namespace block_per_row {
#include "reference/softmax/stages/02_block_per_row.cu"
}

/// reference/softmax/hopper, from softmax_hopper.cu
void hopper_softmax(const float* in, float* out, int rows, int columns);

namespace against {
namespace {

// The share of the ceiling is the rate over that of a copy: each value is read and written once.
Row row_of(int columns) {
  constexpr int kValues = 1 << 27;
  const int rows = kValues / columns;
  const std::size_t values = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  Row row;
  row.lab = "softmax";
  row.size = std::to_string(rows) + " rows of " + std::to_string(columns) + " floats";
  row.inputs = {uniform_floats(values)};
  row.output_bytes = sizeof(float) * values;
  row.error = [=](const void* got, const void* want) { return relative_error(got, want, values); };
  row.largest_error = 1e-5;
  row.work = 2.0 * sizeof(float) * static_cast<double>(values);
  row.ceiling = Ceiling::copy;
  std::string why_not;
  if (cudnn_found(why_not)) {
    row.contenders.push_back(cudnn_softmax(rows, columns));
  } else {
    row.size += " (without cuDNN: " + why_not + ")";
  }
  row.contenders.push_back({"stage 02_block_per_row", [=](const Buffers& b) {
                              block_per_row::softmax(b.input<float>(0), b.output<float>(), rows,
                                                     columns);
                            }});
  row.contenders.push_back({"solution", [=](const Buffers& b) {
                              solution::softmax(b.input<float>(0), b.output<float>(), rows,
                                                columns);
                            }});
  if (columns >= 8192) {
    row.contenders.push_back({"hopper/long_rows", [=](const Buffers& b) {
                                hopper_softmax(b.input<float>(0), b.output<float>(), rows, columns);
                              }});
  }
  return row;
}

const Registration kSoftmax("softmax", [] {
  std::vector<Row> rows;
  for (const int columns : {1000, 1024, 2048, 4096, 8192, 16384, 32768, 65536}) {
    rows.push_back(row_of(columns));
  }
  return rows;
});

}  // namespace
}  // namespace against

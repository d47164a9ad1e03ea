#include "pipeline.h"

#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "reference/gpu_bench/row.h"

namespace solution {
#include "reference/pipeline/solution.cu"
}
#undef CHECK
namespace thread_per_column {
#include "reference/pipeline/stages/01_thread_per_column.cu"
}
#undef CHECK
namespace loads_ahead {
#include "reference/pipeline/stages/02_loads_ahead.cu"
}
#undef CHECK
namespace tile_in_shared {
#include "reference/pipeline/stages/03_tile_in_shared.cu"
}
#undef CHECK
namespace two_tiles {
#include "reference/pipeline/stages/04_two_tiles.cu"
}
#undef CHECK
namespace producers {
#include "reference/pipeline/stages/05_producers_and_consumer.cu"
}

namespace against {
namespace {

using Sums = void (*)(const float*, float*, int, int);

// No library adds in a given order: the share of the ceiling is that of reading alone,
// and all rungs are shown.
Row row_of(int rows, int columns) {
  Row row;
  row.lab = "pipeline";
  row.size = std::to_string(rows) + " rows of " + std::to_string(columns) + " floats";
  const std::size_t values = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  row.inputs = {uniform_floats(values)};
  row.output_bytes = sizeof(float) * static_cast<std::size_t>(columns);
  row.error = [bytes = row.output_bytes](const void* got, const void* want) {
    return different_bytes(got, want, bytes);
  };
  row.work = sizeof(float) * static_cast<double>(values);
  row.ceiling = Ceiling::read;
  const auto contender = [&](const char* name, Sums sums) {
    row.contenders.push_back({name, [=](const Buffers& b) {
                                sums(b.input<float>(0), b.output<float>(), rows, columns);
                              }});
  };
  contender("stage 01_thread_per_column", thread_per_column::ordered_sums);
  contender("stage 02_loads_ahead", loads_ahead::ordered_sums);
  contender("stage 03_tile_in_shared", tile_in_shared::ordered_sums);
  contender("stage 04_two_tiles", two_tiles::ordered_sums);
  contender("stage 05_producers_and_consumer", producers::ordered_sums);
  contender("solution", solution::ordered_sums);
  return row;
}

const Registration kPipeline("pipeline", [] {
  return std::vector<Row>{row_of(20000, 4096), row_of(2000, 1000)};
});

}  // namespace
}  // namespace against

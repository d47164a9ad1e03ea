#include "attention.h"

#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "reference/gpu_bench/cublas.h"
#include "reference/gpu_bench/cudnn.h"
#include "reference/gpu_bench/row.h"
#include "softmax.h"

namespace solution {
#include "reference/attention/solution.cu"
}
#undef CHECK
namespace asynchronous_copies {
#include "reference/attention/hopper/asynchronous_copies.cu"
}
#undef CHECK
namespace four_queries {
#include "reference/attention/stages/04_four_queries_per_thread.cu"
}
namespace rows {
#include "reference/softmax/solution.cu"
}
#undef CHECK

namespace against {
namespace {

struct Shape {
  int heads, n, depth;

  [[nodiscard]] std::size_t elements() const { return static_cast<std::size_t>(heads) * n * depth; }
  [[nodiscard]] std::size_t scores() const { return static_cast<std::size_t>(heads) * n * n; }
  [[nodiscard]] float scale() const { return 1 / std::sqrt(static_cast<float>(depth)); }
};

#ifdef AGAINST_HAS_CUBLAS
/// Three calls, with the scores in memory: a product for each head, a softmax of each row by cuDNN
/// or, where there is none, by the lab softmax, and another product.
class Unfused {
 public:
  explicit Unfused(const Shape& shape) : shape_(shape) {
    std::string why_not;
    if (cudnn_found(why_not)) softmax_ = cudnn_softmax(shape.heads * shape.n, shape.n).run;
  }

  void run(const Buffers& buffers) {
    const auto [heads, n, depth] = shape_;
    const long long per_head = static_cast<long long>(n) * depth;
    const long long square = static_cast<long long>(n) * n;
    auto* scores = static_cast<float*>(scores_.get(sizeof(float) * shape_.scores()));
    const float scale = shape_.scale(), one = 1, zero = 0;
    // cuBLAS is column-major: the columns of its scores' are our rows, scores' = K Q' and out' = V'
    // scores'.
    check_cublas(
        cublasSgemmStridedBatched(handle_.get(), CUBLAS_OP_T, CUBLAS_OP_N, n, n, depth, &scale,
                                  buffers.input<float>(1), depth, per_head, buffers.input<float>(0),
                                  depth, per_head, &zero, scores, n, square, heads),
        "the scores");
    if (softmax_) {
      softmax_({.in = {scores}, .out = scores});
    } else {
      rows::softmax(scores, scores, heads * n, n);
    }
    check_cublas(
        cublasSgemmStridedBatched(handle_.get(), CUBLAS_OP_N, CUBLAS_OP_N, depth, n, n, &one,
                                  buffers.input<float>(2), depth, per_head, scores, n, square,
                                  &zero, buffers.output<float>(), depth, per_head, heads),
        "the weighted sums");
  }

  [[nodiscard]] static std::string name() {
    std::string why_not;
    return cudnn_found(why_not) ? "cuBLAS, cuDNN, cuBLAS" : "cuBLAS, lab softmax, cuBLAS";
  }

 private:
  Shape shape_;
  CublasHandle handle_;
  std::function<void(const Buffers&)> softmax_;
  Scratch scores_;
};
#endif

Row row_of(const Shape& shape) {
  Row row;
  row.lab = "attention";
  row.size = std::to_string(shape.heads) + " heads of " + std::to_string(shape.n) + " x " +
             std::to_string(shape.depth) + ", float";
  row.inputs = {uniform_floats(shape.elements()), uniform_floats(shape.elements()),
                uniform_floats(shape.elements())};
  row.output_bytes = sizeof(float) * shape.elements();
  row.error = [=](const void* got, const void* want) {
    return relative_error(got, want, shape.elements());
  };
  // Means of thousands of values of both signs are a hundredth of these in size.
  row.largest_error = 1e-4;
  row.work = 4.0 * static_cast<double>(shape.scores()) * shape.depth;
  row.ceiling = Ceiling::multiply_add;
#ifdef AGAINST_HAS_CUBLAS
  const auto unfused = std::make_shared<Unfused>(shape);
  row.contenders.push_back({Unfused::name(), [=](const Buffers& b) { unfused->run(b); }});
#else
  row.size += " (built without cuBLAS)";
#endif
  const auto add = [&](const char* name, decltype(&solution::attention) function) {
    row.contenders.push_back({name, [=](const Buffers& b) {
                                function(b.input<float>(0), b.input<float>(1), b.input<float>(2),
                                         b.output<float>(), shape.heads, shape.n, shape.depth,
                                         shape.scale(), 0);
                              }});
  };
  add("stage 04_four_queries_per_thread", four_queries::attention);
  add("solution", solution::attention);
  if (shape.depth == 128) add("hopper/asynchronous_copies", asynchronous_copies::attention);
  return row;
}

const Registration kAttention("attention", [] {
  return std::vector<Row>{row_of({8, 2048, 64}), row_of({16, 4096, 64}), row_of({16, 4096, 128})};
});

}  // namespace
}  // namespace against

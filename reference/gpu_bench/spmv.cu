#include "spmv.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "reference/gpu_bench/row.h"

#if __has_include(<cusparse.h>) && !defined(AGAINST_WITHOUT_CUSPARSE)
#include <cusparse.h>
#define AGAINST_HAS_CUSPARSE 1
#endif

namespace solution {
#include "reference/spmv/solution.cu"
}
#undef CHECK
namespace window_of_x {
#include "reference/spmv/hopper/window_of_x.cu"
}
#undef CHECK
namespace equal_shares {
#include "reference/spmv/stages/04_equal_shares.cu"
}

namespace against {
namespace {

struct Pattern {
  std::vector<int> row_starts;
  std::vector<int> columns;
  int width = 0;
};

/// Rows of the given lengths, none longer than `band`. Their columns are spread over `band`
/// columns around the diagonal, wherever that is not outside.
Pattern pattern_of(const std::vector<int>& lengths, int width, int band) {
  std::mt19937 random(28);
  Pattern pattern;
  pattern.width = width;
  pattern.row_starts.push_back(0);
  const auto rows = static_cast<long long>(lengths.size());
  for (long long row = 0; row < rows; ++row) {
    const int length = lengths[static_cast<std::size_t>(row)];
    const auto diagonal = static_cast<int>(row * width / rows);
    const int first = std::clamp(diagonal - band / 2, 0, width - band);
    for (int i = 0; i < length; ++i) {
      const auto begin = static_cast<int>(static_cast<long long>(i) * band / length);
      const auto end = static_cast<int>((i + 1LL) * band / length);
      const auto offset = static_cast<int>(random() % static_cast<unsigned>(end - begin));
      pattern.columns.push_back(first + begin + offset);
    }
    pattern.row_starts.push_back(static_cast<int>(pattern.columns.size()));
  }
  return pattern;
}

/// Lengths whose probability falls with their power of -2.5, from 4 up to `most`.
std::vector<int> power_law(int rows, int most) {
  std::mt19937 random(7);
  std::vector<int> lengths;
  for (int row = 0; row < rows; ++row) {
    const double share = (static_cast<double>(random()) + 1) / 4294967297.0;
    lengths.push_back(static_cast<int>(std::min<double>(most, 4 * std::pow(share, -1 / 1.5))));
  }
  return lengths;
}

#ifdef AGAINST_HAS_CUSPARSE
void ask(cusparseStatus_t status, const char* what) {
  if (status == CUSPARSE_STATUS_SUCCESS) return;
  throw std::runtime_error(std::string(what) + ": " + cusparseGetErrorString(status));
}

/// One set of arrays, with the library's scratch memory and what it finds out about the matrix.
class Product {
 public:
  Product(cusparseHandle_t handle, const Buffers& b, int rows, int width, int nonzeros,
          bool preprocess)
      : handle_(handle) {
    ask(cusparseCreateConstCsr(&a_, rows, width, nonzeros, b.in[0], b.in[1], b.in[2],
                               CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                               CUDA_R_32F),
        "a matrix's descriptor");
    ask(cusparseCreateConstDnVec(&x_, width, b.in[3], CUDA_R_32F), "a vector's descriptor");
    ask(cusparseCreateDnVec(&y_, rows, b.out, CUDA_R_32F), "a vector's descriptor");
    std::size_t bytes = 0;
    ask(cusparseSpMV_bufferSize(handle_, kAsItIs, &one_, a_, x_, &zero_, y_, CUDA_R_32F, kAlgorithm,
                                &bytes),
        "cusparseSpMV_bufferSize");
    buffer_ = scratch_.get(std::max<std::size_t>(bytes, 1));
    if (preprocess) {
      ask(cusparseSpMV_preprocess(handle_, kAsItIs, &one_, a_, x_, &zero_, y_, CUDA_R_32F,
                                  kAlgorithm, buffer_),
          "cusparseSpMV_preprocess");
    }
  }
  void run() {
    ask(cusparseSpMV(handle_, kAsItIs, &one_, a_, x_, &zero_, y_, CUDA_R_32F, kAlgorithm, buffer_),
        "cusparseSpMV");
  }

 private:
  static constexpr cusparseOperation_t kAsItIs = CUSPARSE_OPERATION_NON_TRANSPOSE;
  static constexpr cusparseSpMVAlg_t kAlgorithm = CUSPARSE_SPMV_ALG_DEFAULT;
  cusparseHandle_t handle_;
  cusparseConstSpMatDescr_t a_ = nullptr;
  cusparseConstDnVecDescr_t x_ = nullptr;
  cusparseDnVecDescr_t y_ = nullptr;
  float one_ = 1;
  float zero_ = 0;
  Scratch scratch_;
  void* buffer_ = nullptr;
};

/// @param preprocess  let the library look at the matrix before the first call, which is not timed
Contender library(const char* name, int rows, int width, int nonzeros, bool preprocess) {
  struct State {
    cusparseHandle_t handle = nullptr;
    std::map<const void*, std::unique_ptr<Product>> products;  // by the values' address
  };
  const auto state = std::make_shared<State>();
  return {name, [=](const Buffers& b) {
            if (state->handle == nullptr) ask(cusparseCreate(&state->handle), "cusparseCreate");
            auto& product = state->products[b.in[2]];
            if (product == nullptr) {
              product =
                  std::make_unique<Product>(state->handle, b, rows, width, nonzeros, preprocess);
            }
            product->run();
          }};
}
#endif

Row row_of(const char* size, Pattern pattern) {
  const auto rows = static_cast<int>(pattern.row_starts.size()) - 1;
  const auto nonzeros = static_cast<int>(pattern.columns.size());
  const int width = pattern.width;
  Row row;
  row.lab = "spmv";
  row.size = std::string(size) + ", " + std::to_string(nonzeros) + " elements";
  row.inputs = {fixed_ints(std::move(pattern.row_starts)), fixed_ints(std::move(pattern.columns)),
                uniform_floats(static_cast<std::size_t>(nonzeros)),
                uniform_floats(static_cast<std::size_t>(width))};
  row.output_bytes = sizeof(float) * static_cast<std::size_t>(rows);
  row.error = [=](const void* got, const void* want) {
    return relative_error(got, want, static_cast<std::size_t>(rows));
  };
  row.largest_error = 1e-5;
  // Each array once.
  row.work = 8.0 * nonzeros + 8.0 * rows + 4.0 * width;
  row.ceiling = Ceiling::read;
#ifdef AGAINST_HAS_CUSPARSE
  row.contenders = {library("cuSPARSE", rows, width, nonzeros, false),
                    library("cuSPARSE, preprocessed", rows, width, nonzeros, true)};
#else
  row.size += " (built without cuSPARSE)";
#endif
  row.contenders.push_back({"solution", [=](const Buffers& b) {
                              solution::spmv(b.input<int>(0), b.input<int>(1), b.input<float>(2),
                                             b.input<float>(3), b.output<float>(), rows, nonzeros);
                            }});
  row.contenders.push_back({"hopper/window_of_x", [=](const Buffers& b) {
                              window_of_x::spmv(b.input<int>(0), b.input<int>(1), b.input<float>(2),
                                                b.input<float>(3), b.output<float>(), rows,
                                                nonzeros);
                            }});
  row.contenders.push_back({"stage 04_equal_shares", [=](const Buffers& b) {
                              equal_shares::spmv(b.input<int>(0), b.input<int>(1),
                                                 b.input<float>(2), b.input<float>(3),
                                                 b.output<float>(), rows, nonzeros);
                            }});
  return row;
}

const Registration kSpmv("spmv", [] {
  constexpr int kRows = 1 << 21;
  constexpr int kBand = 1 << 14;
  return std::vector<Row>{
      row_of("2^21 rows of 32", pattern_of(std::vector<int>(kRows, 32), kRows, kBand)),
      row_of("2^21 rows of 8", pattern_of(std::vector<int>(kRows, 8), kRows, kBand)),
      row_of("2^21 rows of 4 to 2^14, power law",
             pattern_of(power_law(kRows, kBand), kRows, kBand)),
  };
});

}  // namespace
}  // namespace against

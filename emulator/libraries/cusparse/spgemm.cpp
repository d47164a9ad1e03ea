#include <algorithm>
#include <memory>
#include <vector>

#include "emulator/libraries/cusparse/creation.h"
#include "emulator/libraries/cusparse/matrix.h"

// The product of two sparse matrices, in steps: an estimate, the product, which is kept with the
// descriptor, and its copy to the arrays that the program then allocates.

namespace warpsim::cusparse {

/// cusparseSpGEMMDescr_t. Work that was issued keeps what it fills.
struct SparseProduct {
  struct Result {
    std::int64_t products = -1;  // multiplications; -1: not counted
    bool is_computed = false;
    std::vector<std::int64_t> offsets = {}, columns = {};  // of rows, from 0
    std::vector<std::complex<double>> values = {};  // hold those of every type
  };
  std::shared_ptr<Result> result = std::make_shared<Result>();
};

namespace {

struct Factors {
  SparseMatrix a, b, c;
  SparseProduct* descriptor = nullptr;
};

Factors check_factors(Request& request, Operation op_a, Operation op_b, const SparseMatrix* a,
                      const SparseMatrix* b, const SparseMatrix* c, DataType compute,
                      SparseProduct* descriptor) {
  Factors f = {.a = request.descriptor("matA", a),
               .b = request.descriptor("matB", b),
               .c = request.descriptor("matC", c),
               .descriptor = descriptor};
  (void)request.descriptor("spgemmDescr", descriptor);
  request.operation("opA", op_a, f.a.type).operation("opB", op_b, f.b.type);
  if (op_a != Operation::none || op_b != Operation::none) {
    request.refuse("opA or opB is not CUSPARSE_OPERATION_NON_TRANSPOSE",
                   "CUSPARSE_OPERATION_NON_TRANSPOSE", Status::not_supported);
  }
  request.equal("matA.cols", f.a.columns, "matB.rows", f.b.rows);
  request.equal("matC.rows", f.c.rows, "matA.rows", f.a.rows);
  request.equal("matC.cols", f.c.columns, "matB.cols", f.b.columns);
  for (const auto& [name, matrix] : {std::pair{"matA", &f.a}, {"matB", &f.b}, {"matC", &f.c}}) {
    if (matrix->format != Format::csr) {
      request.refuse(fmt::format("{} is in another format than CSR", name), "CSR",
                     Status::not_supported);
    }
    if (matrix->type != compute) {
      request.refuse_types(fmt::format("{} is {}, with compute type {}", name,
                                       libraries::in_words(matrix->type),
                                       libraries::in_words(compute)));
    }
  }
  return f;
}

/// The structure of both factors, which each step reads first.
void append_factors(Arguments& arguments, const Factors& f, Use values) {
  append(arguments, "matA", f.a, Use::read, values);
  append(arguments, "matB", f.b, Use::read, values);
}

void check_structure(Request& request, const Factors& f) {
  request.checks([f](const Arguments&, const Arguments& arguments) {
    auto wrong = wrong_structure("matA", f.a, arguments.data());
    return wrong ? wrong : wrong_structure("matB", f.b, arguments.data() + 3);
  });
}

Status estimate(const Caller& caller, Handle* handle, Operation op_a, Operation op_b,
                const void* alpha, const SparseMatrix* a, const SparseMatrix* b, const void* beta,
                const SparseMatrix* c, DataType compute, int /*algorithm*/,
                SparseProduct* descriptor, std::size_t* size, void* memory) {
  Request request(caller, handle);
  request.pointer("alpha", alpha);
  request.pointer("beta", beta);
  const Factors f = check_factors(request, op_a, op_b, a, b, c, compute, descriptor);
  const std::size_t bytes = 1024 + 64 * static_cast<std::size_t>(f.a.rows);
  if (memory == nullptr) return request.gives_size(size, bytes);
  check_structure(request, f);
  request.waits();
  if (!request.valid()) return request.status();
  descriptor->result = std::make_shared<SparseProduct::Result>();
  return request.submit(
      [=](const Arguments&) {
        Arguments arguments;
        append_factors(arguments, f, Use::none);
        arguments.push_back(buffer_of(memory, bytes, Use::write));
        return arguments;
      },
      [f, result = descriptor->result](const Arguments&, const Arguments& arguments) {
        std::vector<std::int64_t> row_sizes(static_cast<std::size_t>(f.b.rows));
        for_each_entry(f.b, arrays_of(f.b, arguments.data() + 3),
                       [&](std::int64_t row, std::int64_t, std::int64_t) {
                         ++row_sizes[static_cast<std::size_t>(row)];
                       });
        result->products = 0;
        for_each_entry(f.a, arrays_of(f.a, arguments.data()),
                       [&](std::int64_t, std::int64_t column, std::int64_t) {
                         result->products += row_sizes[static_cast<std::size_t>(column)];
                       });
      });
}

Status products(const Caller& caller, SparseProduct* descriptor, std::int64_t* count) {
  Creation creation(caller);
  creation.live("spgemmDescr", descriptor).pointer("num_prods", count);
  if (creation.valid()) *count = std::max<std::int64_t>(descriptor->result->products, 0);
  return creation.status();
}

/// Row by row: the rows of B that the entries name, added up. An element stays if it is 0.
template <class T>
void multiply_sparse(const Factors& f, T alpha, const Arguments& arguments,
                     SparseProduct::Result& result) {
  const Rows<T> a = by_rows(entries_of<T>(f.a, arrays_of(f.a, arguments.data())), f.a.rows);
  const Rows<T> b = by_rows(entries_of<T>(f.b, arrays_of(f.b, arguments.data() + 3)), f.b.rows);
  std::vector<T> sums(static_cast<std::size_t>(f.b.columns));
  std::vector<bool> used(sums.size());
  result = {.products = result.products, .is_computed = true, .offsets = {0}};
  std::vector<std::int64_t> columns;
  for (std::size_t row = 0; row + 1 < a.begin.size(); ++row) {
    columns.clear();
    for (std::size_t i = a.begin[row]; i < a.begin[row + 1]; ++i) {
      const auto inner = static_cast<std::size_t>(a.entries[i].column);
      for (std::size_t j = b.begin[inner]; j < b.begin[inner + 1]; ++j) {
        const auto column = static_cast<std::size_t>(b.entries[j].column);
        if (!used[column]) columns.push_back(b.entries[j].column);
        const T product = a.entries[i].value * b.entries[j].value;
        sums[column] = used[column] ? sums[column] + product : product;
        used[column] = true;
      }
    }
    std::ranges::sort(columns);
    for (const std::int64_t column : columns) {
      const auto at = static_cast<std::size_t>(column);
      result.columns.push_back(column);
      result.values.emplace_back(alpha * sums[at]);
      used[at] = false;
    }
    result.offsets.push_back(static_cast<std::int64_t>(result.columns.size()));
  }
}

template <class T>
Status submit_compute(Request& request, const Factors& f, const void* alpha, const void* memory,
                      std::size_t bytes) {
  const Scalar<T> factor = request.scalar("alpha", static_cast<const T*>(alpha));
  const auto result = f.descriptor->result;
  request.costs<T>(2.0 * static_cast<double>(result->products));
  check_structure(request, f);
  request.waits();
  return request.submit(
      [=](const Arguments&) {
        Arguments arguments;
        append_factors(arguments, f, Use::read);
        arguments.push_back(buffer_of(memory, bytes, Use::write));
        return arguments;
      },
      [=](const Arguments& parameters, const Arguments& arguments) {
        multiply_sparse<T>(f, factor.get(parameters), arguments, *result);
      });
}

Status compute_product(const Caller& caller, Handle* handle, Operation op_a, Operation op_b,
                       const void* alpha, const SparseMatrix* a, const SparseMatrix* b,
                       const void* beta, SparseMatrix* c, DataType compute, int /*algorithm*/,
                       SparseProduct* descriptor, std::size_t* size, void* memory) {
  Request request(caller, handle);
  request.pointer("alpha", alpha);
  request.pointer("beta", beta);
  const Factors f = check_factors(request, op_a, op_b, a, b, c, compute, descriptor);
  if (!request.valid()) return request.status();
  if (descriptor->result->products < 0) {
    request.refuse("cusparseSpGEMM_workEstimation was not called with a buffer before",
                   "its two calls, of which the second has a buffer");
    return request.status();
  }
  const std::size_t bytes = 1024 + 24 * static_cast<std::size_t>(descriptor->result->products);
  if (memory == nullptr) return request.gives_size(size, bytes);
  const Status status = by_type(request, compute, "", [&](auto number) {
    return submit_compute<decltype(number)>(request, f, alpha, memory, bytes);
  });
  if (status == Status::success && descriptor->result->is_computed) {
    c->entries = static_cast<std::int64_t>(descriptor->result->columns.size());
  }
  return status;
}

template <class T>
Status submit_copy(Request& request, const Factors& f, const void* beta) {
  const Scalar<T> kept = request.scalar("beta", static_cast<const T*>(beta));
  return request.submit(
      [=](const Arguments& parameters) {
        Arguments arguments;
        append(arguments, "matC", f.c, Use::write, libraries::output(kept.get(parameters)));
        return arguments;
      },
      [f, kept, result = f.descriptor->result](const Arguments& parameters,
                                               const Arguments& arguments) {
        const auto base = static_cast<std::int64_t>(f.c.base);
        const T y = kept.get(parameters);
        for (std::size_t i = 0; i < result->offsets.size(); ++i) {
          set_index(f.c.offset_type, arguments[0].host, static_cast<std::int64_t>(i),
                    result->offsets[i] + base);
        }
        for (std::size_t i = 0; i < result->columns.size(); ++i) {
          set_index(f.c.index_type, arguments[1].host, static_cast<std::int64_t>(i),
                    result->columns[i] + base);
          T value = {};
          if constexpr (kIsComplex<T>) {
            value = T(result->values[i]);
          } else {
            value = static_cast<T>(result->values[i].real());
          }
          if (y != T{}) value += y * load<T>(f.c.type, arguments[2].host, i);
          store(f.c.type, arguments[2].host, i, value);
        }
      });
}

Status copy_product(const Caller& caller, Handle* handle, Operation op_a, Operation op_b,
                    const void* /*alpha*/, const SparseMatrix* a, const SparseMatrix* b,
                    const void* beta, const SparseMatrix* c, DataType compute, int /*algorithm*/,
                    SparseProduct* descriptor) {
  Request request(caller, handle);
  const Factors f = check_factors(request, op_a, op_b, a, b, c, compute, descriptor);
  if (!request.valid()) return request.status();
  if (!descriptor->result->is_computed) {
    request.refuse("cusparseSpGEMM_compute was not called with a buffer before",
                   "its two calls, of which the second has a buffer");
  }
  if (f.c.entries != static_cast<std::int64_t>(descriptor->result->columns.size())) {
    request.refuse(fmt::format("matC has {} entries, and the product {}", f.c.entries,
                               descriptor->result->columns.size()),
                   "the descriptor that cusparseSpGEMM_compute got");
  }
  return by_type(request, compute, "",
                 [&](auto number) { return submit_copy<decltype(number)>(request, f, beta); });
}

Status create_product(const Caller& caller, SparseProduct** descriptor) {
  return Creation(caller).make("descr", descriptor, SparseProduct{});
}

}  // namespace
}  // namespace warpsim::cusparse

WARPSIM_EXPORT_OWN(cusparseSpGEMM_createDescr, create_product)
WARPSIM_EXPORT_OWN(cusparseSpGEMM_destroyDescr, destroy<warpsim::cusparse::SparseProduct>)
WARPSIM_EXPORT_OWN(cusparseSpGEMM_workEstimation, estimate)
WARPSIM_EXPORT_OWN(cusparseSpGEMM_getNumProducts, products)
WARPSIM_EXPORT_OWN(cusparseSpGEMM_compute, compute_product)
WARPSIM_EXPORT_OWN(cusparseSpGEMM_copy, copy_product)

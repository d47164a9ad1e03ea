#include "emulator/libraries/cusparse/creation.h"

// Descriptors of vectors and of dense matrices. The forms for constant memory differ only in the
// type of pointers, so both are one function.

namespace warpsim::cusparse {
namespace {

Status create_dense_vector(const Caller& caller, DenseVector** vector, std::int64_t size,
                           void* values, DataType type) {
  Creation creation(caller);
  creation.size("size", size).type(type);
  return creation.make("dnVecDescr", vector, {.size = size, .values = values, .type = type});
}

Status get_dense_vector(const Caller& caller, DenseVector* vector, std::int64_t* size,
                        void** values, DataType* type) {
  return with(caller, vector, [&](const DenseVector& v) {
    give(size, v.size);
    give(values, v.values);
    give(type, v.type);
  });
}

/// Of any descriptor with values.
template <class Descriptor>
Status get_values(const Caller& caller, Descriptor* descriptor, void** values) {
  return with(caller, descriptor, [&](const Descriptor& d) { give(values, d.values); });
}
template <class Descriptor>
Status set_values(const Caller& caller, Descriptor* descriptor, void* values) {
  return with(caller, descriptor, [&](Descriptor& d) { d.values = values; });
}

Status create_sparse_vector(const Caller& caller, SparseVector** vector, std::int64_t size,
                            std::int64_t entries, void* indices, void* values, IndexType index_type,
                            IndexBase base, DataType type) {
  Creation creation(caller);
  creation.size("size", size).size("nnz", entries).at_most("nnz", entries, "the size", size);
  creation.index("idxType", index_type).base(base).type(type);
  return creation.make("spVecDescr", vector,
                       {.size = size,
                        .entries = entries,
                        .indices = indices,
                        .values = values,
                        .index_type = index_type,
                        .base = base,
                        .type = type});
}

Status get_sparse_vector(const Caller& caller, SparseVector* vector, std::int64_t* size,
                         std::int64_t* entries, void** indices, void** values,
                         IndexType* index_type, IndexBase* base, DataType* type) {
  return with(caller, vector, [&](const SparseVector& v) {
    give(size, v.size);
    give(entries, v.entries);
    give(indices, v.indices);
    give(values, v.values);
    give(index_type, v.index_type);
    give(base, v.base);
    give(type, v.type);
  });
}

Status get_base_of_vector(const Caller& caller, SparseVector* vector, IndexBase* base) {
  return with(caller, vector, [&](const SparseVector& v) { give(base, v.base); });
}

Status create_dense_matrix(const Caller& caller, DenseMatrix** matrix, std::int64_t rows,
                           std::int64_t columns, std::int64_t leading, void* values, DataType type,
                           Order order) {
  Creation creation(caller);
  creation.size("rows", rows).size("cols", columns).order(order).type(type);
  const std::int64_t least = order == Order::row ? columns : rows;
  if (leading < least) {
    creation.refuse(fmt::format("ld is {}", leading),
                    fmt::format("at least {}, the number of {}, with {}", least,
                                order == Order::row ? "columns" : "rows",
                                order == Order::row ? "CUSPARSE_ORDER_ROW" : "CUSPARSE_ORDER_COL"));
  }
  return creation.make("dnMatDescr", matrix,
                       {.rows = rows,
                        .columns = columns,
                        .leading = leading,
                        .values = values,
                        .type = type,
                        .order = order});
}

Status get_dense_matrix(const Caller& caller, DenseMatrix* matrix, std::int64_t* rows,
                        std::int64_t* columns, std::int64_t* leading, void** values, DataType* type,
                        Order* order) {
  return with(caller, matrix, [&](const DenseMatrix& m) {
    give(rows, m.rows);
    give(columns, m.columns);
    give(leading, m.leading);
    give(values, m.values);
    give(type, m.type);
    give(order, m.order);
  });
}

Status set_batch(const Caller& caller, DenseMatrix* matrix, int count, std::int64_t stride) {
  Creation creation(caller);
  creation.live("dnMatDescr", matrix);
  if (count < 1) creation.refuse(fmt::format("batchCount is {}", count), "at least 1");
  if (creation.valid()) {
    const std::int64_t lines = matrix->order == Order::row ? matrix->rows : matrix->columns;
    if (count > 1 && stride < matrix->leading * lines) {
      creation.refuse(
          fmt::format("batchStride is {}", stride),
          fmt::format("at least {}, the elements of one matrix", matrix->leading * lines));
    }
  }
  if (!creation.valid()) return creation.status();
  matrix->batch = count;
  matrix->stride = stride;
  return Status::success;
}

Status get_batch(const Caller& caller, DenseMatrix* matrix, int* count, std::int64_t* stride) {
  return with(caller, matrix, [&](const DenseMatrix& m) {
    give(count, m.batch);
    give(stride, m.stride);
  });
}

}  // namespace
}  // namespace warpsim::cusparse

WARPSIM_EXPORT_OWN(cusparseCreateDnVec, create_dense_vector)
WARPSIM_EXPORT_OWN(cusparseCreateConstDnVec, create_dense_vector)
WARPSIM_EXPORT_OWN(cusparseDestroyDnVec, destroy<warpsim::cusparse::DenseVector>)
WARPSIM_EXPORT_OWN(cusparseDnVecGet, get_dense_vector)
WARPSIM_EXPORT_OWN(cusparseConstDnVecGet, get_dense_vector)
WARPSIM_EXPORT_OWN(cusparseDnVecGetValues, get_values<warpsim::cusparse::DenseVector>)
WARPSIM_EXPORT_OWN(cusparseConstDnVecGetValues, get_values<warpsim::cusparse::DenseVector>)
WARPSIM_EXPORT_OWN(cusparseDnVecSetValues, set_values<warpsim::cusparse::DenseVector>)
WARPSIM_EXPORT_OWN(cusparseCreateSpVec, create_sparse_vector)
WARPSIM_EXPORT_OWN(cusparseCreateConstSpVec, create_sparse_vector)
WARPSIM_EXPORT_OWN(cusparseDestroySpVec, destroy<warpsim::cusparse::SparseVector>)
WARPSIM_EXPORT_OWN(cusparseSpVecGet, get_sparse_vector)
WARPSIM_EXPORT_OWN(cusparseConstSpVecGet, get_sparse_vector)
WARPSIM_EXPORT_OWN(cusparseSpVecGetIndexBase, get_base_of_vector)
WARPSIM_EXPORT_OWN(cusparseSpVecGetValues, get_values<warpsim::cusparse::SparseVector>)
WARPSIM_EXPORT_OWN(cusparseConstSpVecGetValues, get_values<warpsim::cusparse::SparseVector>)
WARPSIM_EXPORT_OWN(cusparseSpVecSetValues, set_values<warpsim::cusparse::SparseVector>)
WARPSIM_EXPORT_OWN(cusparseCreateDnMat, create_dense_matrix)
WARPSIM_EXPORT_OWN(cusparseCreateConstDnMat, create_dense_matrix)
WARPSIM_EXPORT_OWN(cusparseDestroyDnMat, destroy<warpsim::cusparse::DenseMatrix>)
WARPSIM_EXPORT_OWN(cusparseDnMatGet, get_dense_matrix)
WARPSIM_EXPORT_OWN(cusparseConstDnMatGet, get_dense_matrix)
WARPSIM_EXPORT_OWN(cusparseDnMatGetValues, get_values<warpsim::cusparse::DenseMatrix>)
WARPSIM_EXPORT_OWN(cusparseConstDnMatGetValues, get_values<warpsim::cusparse::DenseMatrix>)
WARPSIM_EXPORT_OWN(cusparseDnMatSetValues, set_values<warpsim::cusparse::DenseMatrix>)
WARPSIM_EXPORT_OWN(cusparseDnMatSetStridedBatch, set_batch)
WARPSIM_EXPORT_OWN(cusparseDnMatGetStridedBatch, get_batch)
WARPSIM_EXPORT_OWN(cusparseSpMatGetValues, get_values<warpsim::cusparse::SparseMatrix>)
WARPSIM_EXPORT_OWN(cusparseConstSpMatGetValues, get_values<warpsim::cusparse::SparseMatrix>)
WARPSIM_EXPORT_OWN(cusparseSpMatSetValues, set_values<warpsim::cusparse::SparseMatrix>)

#include <cstring>

#include "emulator/libraries/cusparse/creation.h"

// Descriptors of sparse matrices. The forms for constant memory differ only in the type of
// pointers, so both are one function.

namespace warpsim::cusparse {
namespace {

/// nnz of a matrix of this size at most.
void check_entries(Creation& creation, std::int64_t rows, std::int64_t columns,
                   std::int64_t entries) {
  creation.size("rows", rows).size("cols", columns).size("nnz", entries);
  std::int64_t most = 0;
  if (__builtin_mul_overflow(rows, columns, &most)) return;
  creation.at_most("nnz", entries, "the number of elements of the matrix", most);
}

template <Format kFormat>
Status create_compressed(const Caller& caller, SparseMatrix** matrix, std::int64_t rows,
                         std::int64_t columns, std::int64_t entries, void* offsets, void* indices,
                         void* values, IndexType offset_type, IndexType index_type, IndexBase base,
                         DataType type) {
  constexpr bool kIsCsr = kFormat == Format::csr;
  const char* const offset_name = kIsCsr ? "csrRowOffsetsType" : "cscColOffsetsType";
  const char* const index_name = kIsCsr ? "csrColIndType" : "cscRowIndType";
  Creation creation(caller);
  check_entries(creation, rows, columns, entries);
  creation.index(offset_name, offset_type).index(index_name, index_type).base(base).type(type);
  if (offset_type != index_type) {
    creation.refuse(fmt::format("{} and {} differ", offset_name, index_name),
                    "both of 32 or both of 64 bits", Status::not_supported);
  }
  return creation.make("spMatDescr", matrix,
                       {.format = kFormat,
                        .rows = rows,
                        .columns = columns,
                        .entries = entries,
                        .offsets = offsets,
                        .indices = indices,
                        .values = values,
                        .offset_type = offset_type,
                        .index_type = index_type,
                        .base = base,
                        .type = type});
}

Status create_coo(const Caller& caller, SparseMatrix** matrix, std::int64_t rows,
                  std::int64_t columns, std::int64_t entries, void* row_indices, void* indices,
                  void* values, IndexType index_type, IndexBase base, DataType type) {
  Creation creation(caller);
  check_entries(creation, rows, columns, entries);
  creation.index("cooIdxType", index_type).base(base).type(type);
  return creation.make("spMatDescr", matrix,
                       {.format = Format::coo,
                        .rows = rows,
                        .columns = columns,
                        .entries = entries,
                        .offsets = row_indices,
                        .indices = indices,
                        .values = values,
                        .offset_type = index_type,
                        .index_type = index_type,
                        .base = base,
                        .type = type});
}

void check_block(Creation& creation, std::string_view name, std::int64_t size) {
  if (size < 1) creation.refuse(fmt::format("{} is {}", name, size), "at least 1");
}

Status create_bsr(const Caller& caller, SparseMatrix** matrix, std::int64_t block_rows,
                  std::int64_t block_columns, std::int64_t blocks, std::int64_t row_size,
                  std::int64_t column_size, void* offsets, void* indices, void* values,
                  IndexType offset_type, IndexType index_type, IndexBase base, DataType type,
                  Order order) {
  Creation creation(caller);
  check_block(creation, "rowBlockSize", row_size);
  check_block(creation, "colBlockSize", column_size);
  creation.size("brows", block_rows).size("bcols", block_columns).size("bnnz", blocks);
  creation.index("bsrRowOffsetsType", offset_type).index("bsrColIndType", index_type);
  creation.base(base).type(type).order(order);
  return creation.make("spMatDescr", matrix,
                       {.format = Format::bsr,
                        .rows = block_rows * row_size,
                        .columns = block_columns * column_size,
                        .entries = blocks,
                        .offsets = offsets,
                        .indices = indices,
                        .values = values,
                        .offset_type = offset_type,
                        .index_type = index_type,
                        .base = base,
                        .type = type,
                        .block_rows = row_size,
                        .block_columns = column_size,
                        .block_order = order});
}

Status create_blocked_ell(const Caller& caller, SparseMatrix** matrix, std::int64_t rows,
                          std::int64_t columns, std::int64_t block, std::int64_t ell_columns,
                          void* indices, void* values, IndexType index_type, IndexBase base,
                          DataType type) {
  Creation creation(caller);
  creation.size("rows", rows).size("cols", columns).size("ellCols", ell_columns);
  check_block(creation, "ellBlockSize", block);
  creation.at_most("ellCols", ell_columns, "the number of columns", columns);
  for (const auto& [name, size] :
       {std::pair{"rows", rows}, {"cols", columns}, {"ellCols", ell_columns}}) {
    if (creation.valid() && size % block != 0) {
      creation.refuse(fmt::format("{} is {}", name, size),
                      fmt::format("a multiple of {}, the size of a block", block));
    }
  }
  creation.index("ellIdxType", index_type).base(base).type(type);
  return creation.make("spMatDescr", matrix,
                       {.format = Format::blocked_ell,
                        .rows = rows,
                        .columns = columns,
                        .entries = rows * ell_columns,
                        .indices = indices,
                        .values = values,
                        .index_type = index_type,
                        .base = base,
                        .type = type,
                        .block_rows = block,
                        .block_columns = block,
                        .ell_columns = ell_columns});
}

/// Of a descriptor of one format.
template <Format kFormat, class Change>
Status with_format(const Caller& caller, SparseMatrix* matrix, Change change) {
  Creation creation(caller);
  creation.live("spMatDescr", matrix);
  if (creation.valid() && matrix->format != kFormat) {
    creation.refuse("spMatDescr describes a matrix of another format",
                    "the function for its format");
  }
  if (creation.valid()) change(*matrix);
  return creation.status();
}

template <Format kFormat>
Status get_compressed(const Caller& caller, SparseMatrix* matrix, std::int64_t* rows,
                      std::int64_t* columns, std::int64_t* entries, void** offsets, void** indices,
                      void** values, IndexType* offset_type, IndexType* index_type, IndexBase* base,
                      DataType* type) {
  return with_format<kFormat>(caller, matrix, [&](const SparseMatrix& m) {
    give(rows, m.rows);
    give(columns, m.columns);
    give(entries, m.entries);
    give(offsets, m.offsets);
    give(indices, m.indices);
    give(values, m.values);
    give(offset_type, m.offset_type);
    give(index_type, m.index_type);
    give(base, m.base);
    give(type, m.type);
  });
}

Status get_coo(const Caller& caller, SparseMatrix* matrix, std::int64_t* rows,
               std::int64_t* columns, std::int64_t* entries, void** row_indices, void** indices,
               void** values, IndexType* index_type, IndexBase* base, DataType* type) {
  return get_compressed<Format::coo>(caller, matrix, rows, columns, entries, row_indices, indices,
                                     values, nullptr, index_type, base, type);
}

Status get_blocked_ell(const Caller& caller, SparseMatrix* matrix, std::int64_t* rows,
                       std::int64_t* columns, std::int64_t* block, std::int64_t* ell_columns,
                       void** indices, void** values, IndexType* index_type, IndexBase* base,
                       DataType* type) {
  return with_format<Format::blocked_ell>(caller, matrix, [&](const SparseMatrix& m) {
    give(rows, m.rows);
    give(columns, m.columns);
    give(block, m.block_rows);
    give(ell_columns, m.ell_columns);
    give(indices, m.indices);
    give(values, m.values);
    give(index_type, m.index_type);
    give(base, m.base);
    give(type, m.type);
  });
}

template <Format kFormat>
Status set_pointers(const Caller& caller, SparseMatrix* matrix, void* offsets, void* indices,
                    void* values) {
  return with_format<kFormat>(caller, matrix, [&](SparseMatrix& m) {
    m.offsets = offsets;
    m.indices = indices;
    m.values = values;
  });
}

/// @param values_stride  where it is not that of the indices
template <Format kFormat>
Status set_sparse_batch(const Caller& caller, SparseMatrix* matrix, int count,
                        std::int64_t offsets_stride, std::int64_t indices_stride,
                        std::int64_t values_stride) {
  Creation creation(caller);
  if (count < 1) creation.refuse(fmt::format("batchCount is {}", count), "at least 1");
  creation.size("the stride of offsets", offsets_stride);
  creation.size("the stride of indices", indices_stride);
  if (!creation.valid()) return creation.status();
  return with_format<kFormat>(caller, matrix, [&](SparseMatrix& m) {
    m.batch = count;
    m.offsets_stride = offsets_stride;
    m.indices_stride = indices_stride;
    m.values_stride = values_stride;
  });
}

Status set_csr_batch(const Caller& caller, SparseMatrix* matrix, int count,
                     std::int64_t offsets_stride, std::int64_t stride) {
  return set_sparse_batch<Format::csr>(caller, matrix, count, offsets_stride, stride, stride);
}
Status set_coo_batch(const Caller& caller, SparseMatrix* matrix, int count, std::int64_t stride) {
  return set_sparse_batch<Format::coo>(caller, matrix, count, stride, stride, stride);
}

Status get_sparse_batch(const Caller& caller, SparseMatrix* matrix, int* count) {
  return with(caller, matrix, [&](const SparseMatrix& m) { give(count, m.batch); });
}

Status get_format(const Caller& caller, SparseMatrix* matrix, Format* format) {
  return with(caller, matrix, [&](const SparseMatrix& m) { give(format, m.format); });
}

Status get_base_of_matrix(const Caller& caller, SparseMatrix* matrix, IndexBase* base) {
  return with(caller, matrix, [&](const SparseMatrix& m) { give(base, m.base); });
}

Status get_size(const Caller& caller, SparseMatrix* matrix, std::int64_t* rows,
                std::int64_t* columns, std::int64_t* entries) {
  return with(caller, matrix, [&](const SparseMatrix& m) {
    give(rows, m.rows);
    give(columns, m.columns);
    give(entries, m.entries);
  });
}

void check_attribute(Creation& creation, Attribute attribute, std::size_t bytes) {
  if (attribute != Attribute::fill && attribute != Attribute::diagonal) {
    creation.refuse(fmt::format("attribute is {}", static_cast<int>(attribute)),
                    "CUSPARSE_SPMAT_FILL_MODE or CUSPARSE_SPMAT_DIAG_TYPE");
  }
  if (bytes != sizeof(int)) {
    creation.refuse(fmt::format("dataSize is {}", bytes),
                    fmt::format("{}, the size of the attribute", sizeof(int)));
  }
}

Status set_attribute(const Caller& caller, SparseMatrix* matrix, Attribute attribute,
                     const void* data, std::size_t bytes) {
  Creation creation(caller);
  creation.live("spMatDescr", matrix).pointer("data", data);
  check_attribute(creation, attribute, bytes);
  if (!creation.valid()) return creation.status();
  int value = 0;
  std::memcpy(&value, data, sizeof(value));
  if (value != 0 && value != 1) {
    creation.refuse(fmt::format("the attribute's value is {}", value), "0 or 1");
    return creation.status();
  }
  if (attribute == Attribute::fill) {
    matrix->fill = static_cast<Fill>(value);
  } else {
    matrix->diagonal = static_cast<Diagonal>(value);
  }
  return Status::success;
}

Status get_attribute(const Caller& caller, SparseMatrix* matrix, Attribute attribute, void* data,
                     std::size_t bytes) {
  Creation creation(caller);
  creation.live("spMatDescr", matrix).pointer("data", data);
  check_attribute(creation, attribute, bytes);
  if (!creation.valid()) return creation.status();
  const int value = attribute == Attribute::fill
                        ? static_cast<int>(matrix->fill.value_or(Fill::lower))
                        : static_cast<int>(matrix->diagonal.value_or(Diagonal::non_unit));
  std::memcpy(data, &value, sizeof(value));
  return Status::success;
}

}  // namespace
}  // namespace warpsim::cusparse

using warpsim::cusparse::Format;

WARPSIM_EXPORT_OWN(cusparseCreateCsr, create_compressed<Format::csr>)
WARPSIM_EXPORT_OWN(cusparseCreateConstCsr, create_compressed<Format::csr>)
WARPSIM_EXPORT_OWN(cusparseCreateCsc, create_compressed<Format::csc>)
WARPSIM_EXPORT_OWN(cusparseCreateConstCsc, create_compressed<Format::csc>)
WARPSIM_EXPORT_OWN(cusparseCreateCoo, create_coo)
WARPSIM_EXPORT_OWN(cusparseCreateConstCoo, create_coo)
WARPSIM_EXPORT_OWN(cusparseCreateBsr, create_bsr)
WARPSIM_EXPORT_OWN(cusparseCreateConstBsr, create_bsr)
WARPSIM_EXPORT_OWN(cusparseCreateBlockedEll, create_blocked_ell)
WARPSIM_EXPORT_OWN(cusparseCreateConstBlockedEll, create_blocked_ell)
WARPSIM_EXPORT_OWN(cusparseDestroySpMat, destroy<warpsim::cusparse::SparseMatrix>)
WARPSIM_EXPORT_OWN(cusparseCsrGet, get_compressed<Format::csr>)
WARPSIM_EXPORT_OWN(cusparseConstCsrGet, get_compressed<Format::csr>)
WARPSIM_EXPORT_OWN(cusparseCscGet, get_compressed<Format::csc>)
WARPSIM_EXPORT_OWN(cusparseConstCscGet, get_compressed<Format::csc>)
WARPSIM_EXPORT_OWN(cusparseCooGet, get_coo)
WARPSIM_EXPORT_OWN(cusparseConstCooGet, get_coo)
WARPSIM_EXPORT_OWN(cusparseBlockedEllGet, get_blocked_ell)
WARPSIM_EXPORT_OWN(cusparseConstBlockedEllGet, get_blocked_ell)
WARPSIM_EXPORT_OWN(cusparseCsrSetPointers, set_pointers<Format::csr>)
WARPSIM_EXPORT_OWN(cusparseCscSetPointers, set_pointers<Format::csc>)
WARPSIM_EXPORT_OWN(cusparseCooSetPointers, set_pointers<Format::coo>)
WARPSIM_EXPORT_OWN(cusparseCsrSetStridedBatch, set_csr_batch)
WARPSIM_EXPORT_OWN(cusparseCooSetStridedBatch, set_coo_batch)
WARPSIM_EXPORT_OWN(cusparseBsrSetStridedBatch, set_sparse_batch<Format::bsr>)
WARPSIM_EXPORT_OWN(cusparseSpMatGetStridedBatch, get_sparse_batch)
WARPSIM_EXPORT_OWN(cusparseSpMatGetFormat, get_format)
WARPSIM_EXPORT_OWN(cusparseSpMatGetIndexBase, get_base_of_matrix)
WARPSIM_EXPORT_OWN(cusparseSpMatGetSize, get_size)
WARPSIM_EXPORT_OWN(cusparseSpMatSetAttribute, set_attribute)
WARPSIM_EXPORT_OWN(cusparseSpMatGetAttribute, get_attribute)

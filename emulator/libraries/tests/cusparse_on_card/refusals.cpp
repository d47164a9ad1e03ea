#include "emulator/libraries/tests/cusparse_on_card/calls.h"

// Statuses of calls that may be refused. None of them uses memory out of bounds.

namespace cusparse_on_card {
namespace {

constexpr auto kBase = CUSPARSE_INDEX_BASE_ZERO;
constexpr auto kInts = CUSPARSE_INDEX_32I;
constexpr auto kFloats = CUDA_R_32F;

void creations() {
  int memory[4] = {};
  void* const at = memory;
  cusparseSpMatDescr_t matrix = nullptr;
  const auto csr = [&](const char* name, std::int64_t rows, std::int64_t entries, void* offsets,
                       cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                       cudaDataType type) {
    on_card::line(name, cusparseCreateCsr(&matrix, rows, 3, entries, offsets, at, at, offset_type,
                                          index_type, kBase, type));
  };
  csr("csr", 3, 5, at, kInts, kInts, kFloats);
  csr("csr rows=-1", -1, 5, at, kInts, kInts, kFloats);
  csr("csr nnz=-1", 3, -1, at, kInts, kInts, kFloats);
  csr("csr nnz=10 of 9", 3, 10, at, kInts, kInts, kFloats);
  csr("csr offsets=null", 3, 5, nullptr, kInts, kInts, kFloats);
  csr("csr offsets of 64 bits", 3, 5, at, CUSPARSE_INDEX_64I, kInts, kFloats);
  csr("csr indices of 64 bits", 3, 5, at, kInts, CUSPARSE_INDEX_64I, kFloats);
  csr("csr both of 64 bits", 3, 5, at, CUSPARSE_INDEX_64I, CUSPARSE_INDEX_64I, kFloats);
  on_card::line("csr place=null",
                cusparseCreateCsr(nullptr, 3, 3, 5, at, at, at, kInts, kInts, kBase, kFloats));
  cusparseCreateCsr(&matrix, 3, 3, 5, at, at, at, kInts, kInts, kBase, kFloats);
  on_card::line("csr set batch of 0", cusparseCsrSetStridedBatch(matrix, 0, 4, 5));
  on_card::line("csr set batch of 2", cusparseCsrSetStridedBatch(matrix, 2, 4, 5));
  on_card::line("coo set pointers of csr", cusparseCooSetPointers(matrix, at, at, at));
  int value = 5;
  on_card::line("set fill mode of 5",
                cusparseSpMatSetAttribute(matrix, CUSPARSE_SPMAT_FILL_MODE, &value, sizeof(value)));
  value = 1;
  on_card::line("set fill mode of 2 bytes",
                cusparseSpMatSetAttribute(matrix, CUSPARSE_SPMAT_FILL_MODE, &value, 2));
  cusparseDnMatDescr_t dense = nullptr;
  const auto dn = [&](const char* name, std::int64_t rows, std::int64_t ld, void* values,
                      cusparseOrder_t order) {
    on_card::line(name, cusparseCreateDnMat(&dense, rows, 2, ld, values, kFloats, order));
  };
  dn("dense ld=2 of 3 rows", 3, 2, at, CUSPARSE_ORDER_COL);
  dn("dense ld=3 of 3 rows", 3, 3, at, CUSPARSE_ORDER_COL);
  dn("dense ld=1 of 2 columns", 3, 1, at, CUSPARSE_ORDER_ROW);
  dn("dense ld=2 of 2 columns", 3, 2, at, CUSPARSE_ORDER_ROW);
  dn("dense rows=-1", -1, 3, at, CUSPARSE_ORDER_COL);
  dn("dense rows=0", 0, 1, at, CUSPARSE_ORDER_COL);
  dn("dense values=null", 3, 3, nullptr, CUSPARSE_ORDER_COL);
  cusparseDnVecDescr_t vector = nullptr;
  on_card::line("vector size=-1", cusparseCreateDnVec(&vector, -1, at, kFloats));
  on_card::line("vector size=0", cusparseCreateDnVec(&vector, 0, nullptr, kFloats));
  cusparseSpVecDescr_t sparse = nullptr;
  on_card::line("sparse vector nnz=3 of 2",
                cusparseCreateSpVec(&sparse, 2, 3, at, at, kInts, kBase, kFloats));
  cusparseSpMatDescr_t ell = nullptr;
  on_card::line("ell block=2 of 3 columns",
                cusparseCreateBlockedEll(&ell, 4, 3, 2, 2, at, at, kInts, kBase, kFloats));
  on_card::line("ell columns=6 of 4",
                cusparseCreateBlockedEll(&ell, 4, 4, 2, 6, at, at, kInts, kBase, kFloats));
  on_card::line("bsr block=0", cusparseCreateBsr(&ell, 2, 2, 1, 0, 2, at, at, at, kInts, kInts,
                                                 kBase, kFloats, CUSPARSE_ORDER_ROW));
}

void calls(cusparseHandle_t handle) {
  const float one = 1, zero = 0;
  const Sparse<float> csr(randoms<float>(3, 4), CUSPARSE_FORMAT_CSR),
      csc(randoms<float>(3, 4), CUSPARSE_FORMAT_CSC),
      coo(randoms<float>(3, 4), CUSPARSE_FORMAT_COO),
      square(randoms<float>(3, 3), CUSPARSE_FORMAT_CSC);
  const Vector<float> x(std::vector<float>(4, 1)), y(std::vector<float>(3, 1));
  const Vector<double> wide(std::vector<double>(4, 1));
  const Buffer buffer(4096);
  const auto spmv = [&](const char* name, cusparseOperation_t op, const float* alpha,
                        cusparseSpMatDescr_t a, cusparseDnVecDescr_t in, cusparseDnVecDescr_t out,
                        cudaDataType compute, cusparseSpMVAlg_t algorithm, void* memory) {
    on_card::line(name,
                  cusparseSpMV(handle, op, alpha, a, in, &zero, out, compute, algorithm, memory));
  };
  const auto standard = CUSPARSE_SPMV_ALG_DEFAULT;
  void* const memory = buffer.get();
  spmv("SpMV", kPlain, &one, csr.descriptor, x.descriptor, y.descriptor, kFloats, standard, memory);
  spmv("SpMV x of 3", kPlain, &one, csr.descriptor, y.descriptor, y.descriptor, kFloats, standard,
       memory);
  spmv("SpMV y of 4", kPlain, &one, csr.descriptor, x.descriptor, x.descriptor, kFloats, standard,
       memory);
  spmv("SpMV x in double", kPlain, &one, csr.descriptor, wide.descriptor, y.descriptor, kFloats,
       standard, memory);
  spmv("SpMV compute in double", kPlain, &one, csr.descriptor, x.descriptor, y.descriptor,
       CUDA_R_64F, standard, memory);
  spmv("SpMV buffer=null", kPlain, &one, csr.descriptor, x.descriptor, y.descriptor, kFloats,
       standard, nullptr);
  spmv("SpMV coo buffer=null", kPlain, &one, coo.descriptor, x.descriptor, y.descriptor, kFloats,
       standard, nullptr);
  spmv("SpMV coo transposed buffer=null", CUSPARSE_OPERATION_TRANSPOSE, &one, coo.descriptor,
       y.descriptor, x.descriptor, kFloats, standard, nullptr);
  spmv("SpMV alpha=null", kPlain, nullptr, csr.descriptor, x.descriptor, y.descriptor, kFloats,
       standard, memory);
  spmv("SpMV matrix=null", kPlain, &one, nullptr, x.descriptor, y.descriptor, kFloats, standard,
       memory);
  spmv("SpMV coo algorithm for csr", kPlain, &one, csr.descriptor, x.descriptor, y.descriptor,
       kFloats, CUSPARSE_SPMV_COO_ALG1, memory);
  spmv("SpMV csr algorithm for coo", kPlain, &one, coo.descriptor, x.descriptor, y.descriptor,
       kFloats, CUSPARSE_SPMV_CSR_ALG1, memory);
  spmv("SpMV csr algorithm for csc", kPlain, &one, csc.descriptor, x.descriptor, y.descriptor,
       kFloats, CUSPARSE_SPMV_CSR_ALG1, memory);
  std::size_t bytes = 0;
  on_card::line("SpMV size=null",
                cusparseSpMV_bufferSize(handle, kPlain, &one, csr.descriptor, x.descriptor, &zero,
                                        y.descriptor, kFloats, standard, nullptr));
  on_card::line("SpMV preprocess buffer=null",
                cusparseSpMV_preprocess(handle, kPlain, &one, csr.descriptor, x.descriptor, &zero,
                                        y.descriptor, kFloats, standard, nullptr));
  on_card::line("SpMV handle=null",
                cusparseSpMV(nullptr, kPlain, &one, csr.descriptor, x.descriptor, &zero,
                             y.descriptor, kFloats, standard, memory));

  const OnDevice<float> b(randoms<float>(4, 2)), c(randoms<float>(3, 2)), d(randoms<float>(4, 3));
  const auto spmm = [&](const char* name, cusparseOperation_t op, cusparseDnMatDescr_t in,
                        cusparseDnMatDescr_t out, cudaDataType compute) {
    on_card::line(name, cusparseSpMM(handle, op, kPlain, &one, csr.descriptor, in, &zero, out,
                                     compute, CUSPARSE_SPMM_ALG_DEFAULT, memory));
  };
  spmm("SpMM", kPlain, b.descriptor, c.descriptor, kFloats);
  spmm("SpMM B of 3 rows", kPlain, c.descriptor, c.descriptor, kFloats);
  spmm("SpMM C of 4 rows", kPlain, b.descriptor, b.descriptor, kFloats);
  spmm("SpMM B of 3 columns", kPlain, d.descriptor, c.descriptor, kFloats);
  spmm("SpMM compute in double", kPlain, b.descriptor, c.descriptor, CUDA_R_64F);
  on_card::line("SDDMM coo",
                cusparseSDDMM_bufferSize(handle, kPlain, CUSPARSE_OPERATION_TRANSPOSE, &one,
                                         c.descriptor, b.descriptor, &zero, coo.descriptor, kFloats,
                                         CUSPARSE_SDDMM_ALG_DEFAULT, &bytes));
  on_card::line(
      "SDDMM buffer=null",
      cusparseSDDMM(handle, kPlain, CUSPARSE_OPERATION_TRANSPOSE, &one, c.descriptor, b.descriptor,
                    &zero, csr.descriptor, kFloats, CUSPARSE_SDDMM_ALG_DEFAULT, nullptr));

  cusparseSpSVDescr_t sv = nullptr;
  cusparseSpSV_createDescr(&sv);
  on_card::line("SpSV csc", cusparseSpSV_bufferSize(handle, kPlain, &one, square.descriptor,
                                                    y.descriptor, y.descriptor, kFloats,
                                                    CUSPARSE_SPSV_ALG_DEFAULT, sv, &bytes));
  on_card::line("SpSV 3 x 4", cusparseSpSV_bufferSize(handle, kPlain, &one, csr.descriptor,
                                                      y.descriptor, y.descriptor, kFloats,
                                                      CUSPARSE_SPSV_ALG_DEFAULT, sv, &bytes));
  const Sparse<float> full(randoms<float>(3, 3), CUSPARSE_FORMAT_CSR);
  on_card::line("SpSV unanalysed",
                cusparseSpSV_solve(handle, kPlain, &one, full.descriptor, y.descriptor,
                                   y.descriptor, kFloats, CUSPARSE_SPSV_ALG_DEFAULT, sv));
  cusparseSpSV_destroyDescr(sv);
  cusparseSpGEMMDescr_t product = nullptr;
  cusparseSpGEMM_createDescr(&product);
  on_card::line(
      "SpGEMM transposed",
      cusparseSpGEMM_workEstimation(handle, CUSPARSE_OPERATION_TRANSPOSE, kPlain, &one,
                                    full.descriptor, full.descriptor, &zero, full.descriptor,
                                    kFloats, CUSPARSE_SPGEMM_DEFAULT, product, &bytes, nullptr));
  on_card::line("SpGEMM 3 x 4 by 3 x 4",
                cusparseSpGEMM_workEstimation(handle, kPlain, kPlain, &one, csr.descriptor,
                                              csr.descriptor, &zero, csr.descriptor, kFloats,
                                              CUSPARSE_SPGEMM_DEFAULT, product, &bytes, nullptr));
  cusparseSpGEMM_destroyDescr(product);
  on_card::line("coo2csr m=-1",
                cusparseXcoo2csr(handle, csr.offsets.get(), 3, -1, csr.offsets.get(), kBase));
  on_card::line("csr2csc type of 99",
                cusparseCsr2cscEx2_bufferSize(
                    handle, 3, 4, 12, csr.values.get(), csr.offsets.get(), csr.indices.get(),
                    csr.values.get(), csr.offsets.get(), csr.indices.get(), CUDA_C_8U,
                    CUSPARSE_ACTION_NUMERIC, kBase, CUSPARSE_CSR2CSC_ALG1, &bytes));
}

}  // namespace

void record_refusals(cusparseHandle_t handle) {
  creations();
  calls(handle);
}

}  // namespace cusparse_on_card

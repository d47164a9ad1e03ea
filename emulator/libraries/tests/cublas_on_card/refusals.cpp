#include <cuda_runtime.h>

#include "emulator/libraries/tests/cublas_on_card/recorder.h"

namespace cublas_on_card {
namespace {

/// A value that an enumeration does not have.
template <class Enumeration>
Enumeration outside(int value) {
  return static_cast<Enumeration>(value);
}

}  // namespace

/// Calls with arguments that cuBLAS refuses, or might refuse. Memory is large enough for all.
void record_refusals(Recorder& recorder) {
  const cublasHandle_t h = recorder.handle();
  void* memory = nullptr;
  if (cudaMalloc(&memory, 4096) != cudaSuccess) return;
  cudaMemset(memory, 0, 4096);
  const Address d = {memory};
  float one = 1;
  const Address s = {&one};
  std::complex<float> complex_one = 1;
  const Address c = {&complex_one};
  const auto n = CUBLAS_OP_N;
  const auto lower = CUBLAS_FILL_MODE_LOWER;
  const auto left = CUBLAS_SIDE_LEFT;
  const auto unit = CUBLAS_DIAG_UNIT;
  const auto status = [&](const char* what, cublasStatus_t value) { recorder.status(what, value); };

  status("gemm m=-1", cublasSgemm(h, n, n, -1, 2, 2, s, d, 2, d, 2, s, d, 2));
  status("gemm n=-1", cublasSgemm(h, n, n, 2, -1, 2, s, d, 2, d, 2, s, d, 2));
  status("gemm k=-1", cublasSgemm(h, n, n, 2, 2, -1, s, d, 2, d, 2, s, d, 2));
  status("gemm lda=1", cublasSgemm(h, n, n, 2, 2, 2, s, d, 1, d, 2, s, d, 2));
  status("gemm ldb=1", cublasSgemm(h, n, n, 2, 2, 2, s, d, 2, d, 1, s, d, 2));
  status("gemm ldc=1", cublasSgemm(h, n, n, 2, 2, 2, s, d, 2, d, 2, s, d, 1));
  status("gemm lda=0 m=0", cublasSgemm(h, n, n, 0, 2, 2, s, d, 0, d, 2, s, d, 0));
  status("gemm lda=1 m=2 n=0", cublasSgemm(h, n, n, 2, 0, 2, s, d, 1, d, 2, s, d, 2));
  status("gemm op=7",
         cublasSgemm(h, outside<cublasOperation_t>(7), n, 2, 2, 2, s, d, 2, d, 2, s, d, 2));
  status("gemm k=0 ldb=0", cublasSgemm(h, n, n, 2, 2, 0, s, d, 2, d, 0, s, d, 2));
  status("gemmStridedBatched batch=-1",
         cublasSgemmStridedBatched(h, n, n, 2, 2, 2, s, d, 2, 4, d, 2, 4, s, d, 2, 4, -1));
  status("gemmStridedBatched batch=0",
         cublasSgemmStridedBatched(h, n, n, 2, 2, 2, s, d, 2, 4, d, 2, 4, s, d, 2, 4, 0));
  status("gemmBatched batch=-1", cublasSgemmBatched(h, n, n, 2, 2, 2, s, d, 2, d, 2, s, d, 2, -1));
  status("gemmBatched batch=0", cublasSgemmBatched(h, n, n, 2, 2, 2, s, d, 2, d, 2, s, d, 2, 0));

  status("gemv m=-1", cublasSgemv(h, n, -1, 2, s, d, 2, d, 1, s, d, 1));
  status("gemv lda=1", cublasSgemv(h, n, 2, 2, s, d, 1, d, 1, s, d, 1));
  status("gemv incx=0", cublasSgemv(h, n, 2, 2, s, d, 2, d, 0, s, d, 1));
  status("gemv incy=0", cublasSgemv(h, n, 2, 2, s, d, 2, d, 1, s, d, 0));
  status("gemv op=7", cublasSgemv(h, outside<cublasOperation_t>(7), 2, 2, s, d, 2, d, 1, s, d, 1));
  status("gbmv kl=-1", cublasSgbmv(h, n, 2, 2, -1, 0, s, d, 2, d, 1, s, d, 1));
  status("gbmv lda=1", cublasSgbmv(h, n, 2, 2, 1, 0, s, d, 1, d, 1, s, d, 1));
  status("ger lda=1", cublasSger(h, 2, 2, s, d, 1, d, 1, d, 1));
  status("ger incx=0", cublasSger(h, 2, 2, s, d, 0, d, 1, d, 2));
  status("symv uplo=7", cublasSsymv(h, outside<cublasFillMode_t>(7), 2, s, d, 2, d, 1, s, d, 1));
  status("symv uplo=full", cublasSsymv(h, CUBLAS_FILL_MODE_FULL, 2, s, d, 2, d, 1, s, d, 1));
  status("sbmv k=-1", cublasSsbmv(h, lower, 2, -1, s, d, 2, d, 1, s, d, 1));
  status("spmv incx=0", cublasSspmv(h, lower, 2, s, d, d, 0, s, d, 1));
  status("syr n=-1", cublasSsyr(h, lower, -1, s, d, 1, d, 2));
  status("syr2 incy=0", cublasSsyr2(h, lower, 2, s, d, 1, d, 0, d, 2));
  status("trmv incx=0", cublasStrmv(h, lower, n, unit, 2, d, 2, d, 0));
  status("trsv diag=7", cublasStrsv(h, lower, n, outside<cublasDiagType_t>(7), 2, d, 2, d, 1));
  status("tbmv k=-1", cublasStbmv(h, lower, n, unit, 2, -1, d, 2, d, 1));
  status("tpsv n=-1", cublasStpsv(h, lower, n, unit, -1, d, d, 1));

  status("symm side=7",
         cublasSsymm(h, outside<cublasSideMode_t>(7), lower, 2, 2, s, d, 2, d, 2, s, d, 2));
  status("symm lda=1", cublasSsymm(h, left, lower, 2, 2, s, d, 1, d, 2, s, d, 2));
  status("syrk k=-1", cublasSsyrk(h, lower, n, 2, -1, s, d, 2, s, d, 2));
  status("syrk ldc=1", cublasSsyrk(h, lower, n, 2, 2, s, d, 2, s, d, 1));
  status("syr2k ldb=1", cublasSsyr2k(h, lower, n, 2, 2, s, d, 2, d, 1, s, d, 2));
  status("herk op=T", cublasCherk(h, lower, CUBLAS_OP_T, 2, 2, s, d, 2, s, d, 2));
  status("her2k op=T", cublasCher2k(h, lower, CUBLAS_OP_T, 2, 2, c, d, 2, d, 2, s, d, 2));
  status("syrk op=C", cublasCsyrk(h, lower, CUBLAS_OP_C, 2, 2, c, d, 2, c, d, 2));
  status("syr2k op=C", cublasCsyr2k(h, lower, CUBLAS_OP_C, 2, 2, c, d, 2, d, 2, c, d, 2));
  status("trmm ldc=1", cublasStrmm(h, left, lower, n, unit, 2, 2, s, d, 2, d, 2, d, 1));
  status("trsm m=-1", cublasStrsm(h, left, lower, n, unit, -1, 2, s, d, 2, d, 2));
  status("trsm ldb=1", cublasStrsm(h, left, lower, n, unit, 2, 2, s, d, 2, d, 1));
  status("geam ldc=1", cublasSgeam(h, n, n, 2, 2, s, d, 2, s, d, 2, d, 1));
  status("geam m=-1", cublasSgeam(h, n, n, -1, 2, s, d, 2, s, d, 2, d, 2));
  status("dgmm incx=0", cublasSdgmm(h, left, 2, 2, d, 2, d, 0, d, 2));
  status("dgmm side=7", cublasSdgmm(h, outside<cublasSideMode_t>(7), 2, 2, d, 2, d, 1, d, 2));

  status("axpy n=-1", cublasSaxpy(h, -1, s, d, 1, d, 1));
  status("set pointer mode 7", cublasSetPointerMode(h, outside<cublasPointerMode_t>(7)));
  status("set atomics mode 7", cublasSetAtomicsMode(h, outside<cublasAtomicsMode_t>(7)));
  status("set math mode 77", cublasSetMathMode(h, outside<cublasMath_t>(77)));
  cublasSetMathMode(h, CUBLAS_DEFAULT_MATH);
  cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST);
  float host[4] = {};
  status("set vector of 0", cublasSetVector(0, 4, host, 1, memory, 1));
  status("set vector of -1", cublasSetVector(-1, 4, host, 1, memory, 1));
  status("set vector of size 0", cublasSetVector(1, 0, host, 1, memory, 1));
  status("set vector incx=0", cublasSetVector(1, 4, host, 0, memory, 1));
  status("set matrix rows=-1", cublasSetMatrix(-1, 2, 4, host, 2, memory, 2));
  status("set matrix lda=1", cublasSetMatrix(2, 2, 4, host, 1, memory, 2));
  status("get matrix ldb=1", cublasGetMatrix(2, 2, 4, memory, 2, host, 1));

  status("null handle", cublasSaxpy(nullptr, 1, s, d, 1, d, 1));
  status("destroy a null handle", cublasDestroy(nullptr));
  const Address null;
  float* const result = nullptr;
  status("axpy alpha=null n=0", cublasSaxpy(h, 0, null, d, 1, d, 1));
  status("dot result=null", cublasSdot(h, 1, d, 1, d, 1, result));
  status("nrm2 result=null", cublasSnrm2(h, 1, d, 1, result));
  status("gemm beta=null", cublasSgemm(h, n, n, 2, 2, 2, s, d, 2, d, 2, null, d, 2));
  cudaFree(memory);
}

}  // namespace cublas_on_card

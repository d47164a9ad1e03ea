#include <catch2/catch_test_macros.hpp>
#include <string>

#include "emulator/libraries/tests/scenario.h"

// Programs under the launcher that call cuBLAS: the messages, and that programs without the mistake
// have none.

using warpsim::testing::Kinds;
using warpsim::testing::kinds;
using warpsim::testing::Run;
using warpsim::testing::scenario;

TEST_CASE("a product of cuBLAS has no findings, and a time by its roofline",
          "[libraries][cublas]") {
  const Run run = scenario("product");
  CHECK(run.out == "CUBLAS_STATUS_SUCCESS, then cudaSuccess\n");
  CHECK(run.kinds() == Kinds{});
  double ms = 0;
  for (const auto& operation : run.report["timeline"]["operations"]) {
    if (operation["name"] == "cublasSgemm")
      ms = operation["end_ms"].get<double>() - operation["begin_ms"].get<double>();
  }
  // The launch, and 47 floats at 0.9 of an A100's 1555 GB/s.
  CHECK(ms > 0.0025);
  CHECK(ms < 0.0026);
}

TEST_CASE("a leading dimension below the number of rows is refused, with the call's line",
          "[libraries][cublas]") {
  const Run run = scenario("small_lda");
  CHECK(run.out == "CUBLAS_STATUS_INVALID_VALUE, then cudaSuccess\n");
  const auto finding = run.finding("library-argument");
  CHECK(finding["message"] == "cublasSgemm refuses its arguments: lda is 3");
  CHECK(finding["want"] == "at least 4, the number of rows of A as it is stored");
  CHECK(finding["file"].get<std::string>().ends_with("cublas_scenarios.cpp"));
  CHECK(finding["line"] == 30);
}

TEST_CASE("a matrix that its leading dimension takes out of its array is out of bounds",
          "[libraries][cublas]") {
  const Run run = scenario("large_lda");
  CHECK(run.out == "CUBLAS_STATUS_SUCCESS, then cudaErrorIllegalAddress\n");
  const auto finding = run.finding("oob-global-read");
  CHECK(finding["message"] ==
        "cublasSgemm: `A` (4 x 5 with lda 5) goes past the end of cudaMalloc #1 (80 bytes)");
  CHECK(finding["got"] == "96 bytes from offset 0");
  CHECK(kinds("large_lda_fits") == Kinds{});
}

TEST_CASE("an uninitialized matrix is reported, and of a triangle only that part",
          "[libraries][cublas]") {
  CHECK(scenario("uninitialized").finding("unwritten-global-read")["message"] ==
        "cublasSgemm reads uninitialized bytes of `A` (4 x 5 with lda 4) in cudaMalloc #1");
  CHECK(kinds("initialized") == Kinds{});
  CHECK(kinds("upper_triangle") == Kinds{"unwritten-global-read"});
  CHECK(kinds("lower_triangle") == Kinds{});
  CHECK(kinds("band_uninitialized") == Kinds{"unwritten-global-read"});
  CHECK(kinds("band_initialized") == Kinds{});
  CHECK(kinds("packed_diagonal") == Kinds{"unwritten-global-read"});
  CHECK(kinds("packed_unit_diagonal") == Kinds{});
}

TEST_CASE("freed memory and host memory are reported by the argument's name",
          "[libraries][cublas]") {
  CHECK(scenario("freed_before").finding("use-after-free")["message"] ==
        "cublasSscal: `x` (100 elements) is freed device memory (cudaMalloc #1, 400 bytes)");
  CHECK(kinds("freed_after") == Kinds{});
  CHECK(scenario("host_pointer").finding("host-pointer-in-kernel")["message"] ==
        "cublasSaxpy: `x` (100 elements) is host memory");
  CHECK(kinds("pinned_pointer") == Kinds{});
}

TEST_CASE("an array that is not aligned to its elements is reported", "[libraries][cublas]") {
  const Run run = scenario("misaligned");
  CHECK(run.out == "cudaErrorMisalignedAddress\n");
  CHECK(run.finding("misaligned-global")["message"] ==
        "cublasSscal: the address of `x` (100 elements) is not a multiple of 4 bytes");
  CHECK(kinds("aligned") == Kinds{});
}

TEST_CASE("calls in two streams race unless an event orders them", "[libraries][cublas]") {
  CHECK(scenario("stream_race").finding("stream-race")["message"] ==
        "cublasSaxpy reads device memory (cudaMalloc #1, 400 bytes), which cublasSscal of another "
        "stream may still write");
  CHECK(kinds("stream_order") == Kinds{});
  CHECK(kinds("overlap_race") == Kinds{"stream-race"});
  CHECK(kinds("overlap_order") == Kinds{});
}

TEST_CASE("managed memory is not read before the call's work is done", "[libraries][cublas]") {
  CHECK(kinds("managed_early") == Kinds{"host-access-before-sync"});
  CHECK(kinds("managed_late") == Kinds{});
}

TEST_CASE("a function that is not there is one finding, not an error of the loader",
          "[libraries][cublas]") {
  const Run run = scenario("missing");
  CHECK(run.out == "CUBLAS_STATUS_NOT_SUPPORTED\n");
  CHECK(run.kinds() == Kinds{"unsupported-api"});
  CHECK(run.finding("unsupported-api")["message"] ==
        "cublasSgetrfBatched is not supported by the emulator yet");
  CHECK(run.finding("unsupported-api")["got"] == "the call returned CUBLAS_STATUS_NOT_SUPPORTED");
}

TEST_CASE("memory of another device needs peer access", "[libraries][cublas]") {
  CHECK(scenario("other_device", "2").finding("no-peer-access")["message"] ==
        "cublasSscal on device 0: `x` (100 elements) is memory of device 1");
  CHECK(scenario("peer", "2").kinds() == Kinds{});
}

TEST_CASE("types that the emulator does not multiply are named", "[libraries][cublas]") {
  const Run run = scenario("types");
  CHECK(run.out == "CUBLAS_STATUS_NOT_SUPPORTED\n");
  CHECK(run.finding("unsupported-api")["message"] ==
        "cublasGemmEx is not supported by the emulator with these arguments: A is CUDA_R_32F, B is "
        "CUDA_R_32F, C is CUDA_R_64F, with compute type 68");
}

TEST_CASE("a call without a handle is refused", "[libraries][cublas]") {
  const Run run = scenario("no_handle");
  CHECK(run.out == "CUBLAS_STATUS_NOT_INITIALIZED\n");
  CHECK(run.kinds() == Kinds{"library-argument"});
}

TEST_CASE("each matrix of a batch of pointers is checked", "[libraries][cublas]") {
  CHECK(scenario("batch_outside").finding("oob-global-read")["message"] ==
        "cublasSgemmBatched: `Aarray[1]` (2 x 2 with lda 2) goes past the end of cudaMalloc #4 (12 "
        "bytes)");
  CHECK(kinds("batch_inside") == Kinds{});
}

TEST_CASE("copies of matrices are checked under their own names", "[libraries][cublas]") {
  CHECK(scenario("set_outside").finding("oob-copy")["message"] ==
        "cublasSetMatrix of 80 bytes writes past the end of cudaMalloc #1 (76 bytes)");
  CHECK(kinds("set_inside") == Kinds{});
}

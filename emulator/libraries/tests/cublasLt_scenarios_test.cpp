#include <catch2/catch_test_macros.hpp>
#include <string>

#include "emulator/libraries/tests/scenario.h"

// Programs under the launcher that call cublasLt: the messages, and that programs without the
// mistake have none.

using warpsim::testing::Kinds;
using warpsim::testing::kinds;
using warpsim::testing::message;
using warpsim::testing::Run;
using warpsim::testing::scenario;

TEST_CASE("a product of cublasLt has no findings, and a time by its roofline",
          "[libraries][cublasLt]") {
  const Run run = scenario("product");
  CHECK(run.out == "CUBLAS_STATUS_SUCCESS, then cudaSuccess\n");
  CHECK(run.kinds() == Kinds{});
  double ms = 0;
  for (const auto& operation : run.report["timeline"]["operations"]) {
    if (operation["name"] == "cublasLtMatmul")
      ms = operation["end_ms"].get<double>() - operation["begin_ms"].get<double>();
  }
  // The launch, and 47 floats at 0.9 of an A100's 1555 GB/s.
  CHECK(ms > 0.0025);
  CHECK(ms < 0.0026);
}

TEST_CASE("sizes of cublasLt that do not fit are refused, with the call's line",
          "[libraries][cublasLt]") {
  const Run run = scenario("small_ld");
  CHECK(run.out == "CUBLAS_STATUS_INVALID_VALUE, then cudaSuccess\n");
  const auto finding = run.finding("library-argument");
  CHECK(finding["message"] ==
        "cublasLtMatmul refuses its arguments: the leading dimension of A is 3");
  CHECK(finding["want"] == "at least 4, the number of its rows as it is stored");
  CHECK(finding["file"].get<std::string>().ends_with("cublasLt_scenarios.cpp"));
  CHECK(message("inner_mismatch", "library-argument") ==
        "cublasLtMatmul refuses its arguments: the number of columns of op(A) is 5, and the number "
        "of rows of op(B) is 6");
}

TEST_CASE("a matrix or bias of cublasLt that leaves its array is out of bounds",
          "[libraries][cublasLt]") {
  CHECK(message("large_ld", "oob-global-read") ==
        "cublasLtMatmul: `A` (4 x 5 with lda 5) goes past the end of cudaMalloc #3 (80 bytes)");
  CHECK(kinds("large_ld_fits") == Kinds{});
  CHECK(message("bias_short", "oob-global-read") ==
        "cublasLtMatmul: `bias` (4 elements) goes past the end of cudaMalloc #1 (12 bytes)");
  CHECK(kinds("bias") == Kinds{});
  CHECK(kinds("uninitialized") == Kinds{"unwritten-global-read"});
}

TEST_CASE("an epilogue of cublasLt needs its pointers", "[libraries][cublasLt]") {
  CHECK(message("bias_unset", "library-argument") ==
        "cublasLtMatmul refuses its arguments: the epilogue has a bias, and "
        "CUBLASLT_MATMUL_DESC_BIAS_POINTER is not set");
  CHECK(message("auxiliary_leading", "library-argument") ==
        "cublasLtMatmul refuses its arguments: CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD is 64");
  CHECK(kinds("auxiliary") == Kinds{});
}

TEST_CASE("epilogues, types and attributes that the emulator lacks are named",
          "[libraries][cublasLt]") {
  const Run run = scenario("gradient");
  CHECK(run.out == "CUBLAS_STATUS_NOT_SUPPORTED, then cudaSuccess\n");
  CHECK(run.finding("unsupported-api")["message"] ==
        "cublasLtMatmul is not supported by the emulator with these arguments: the epilogue is "
        "192");
  CHECK(kinds("types") == Kinds{"unsupported-api"});
  CHECK(message("scaled", "unsupported-api") ==
        "cublasLtMatmulDescSetAttribute is not supported by the emulator with these arguments: "
        "CUBLASLT_MATMUL_DESC_A_SCALE_POINTER is set");
  CHECK(kinds("scaled_by_default") == Kinds{});
  const Run unknown = scenario("unknown_attribute");
  CHECK(unknown.out == "CUBLAS_STATUS_INVALID_VALUE\n");
  CHECK(unknown.kinds() == Kinds{"library-argument"});
}

TEST_CASE(
    "a handle of cublasLt that is null or destroyed is refused, and an algorithm that is none",
    "[libraries][cublasLt]") {
  CHECK(scenario("no_handle").out == "CUBLAS_STATUS_NOT_INITIALIZED, then cudaSuccess\n");
  CHECK(kinds("no_handle") == Kinds{"library-argument"});
  CHECK(kinds("destroyed_handle") == Kinds{"library-argument"});
  CHECK(kinds("no_algorithm") == Kinds{"library-argument"});
}

TEST_CASE("products of cublasLt in two streams race unless they are ordered",
          "[libraries][cublasLt]") {
  CHECK(kinds("stream_race") == Kinds{"stream-race"});
  CHECK(kinds("stream_order") == Kinds{});
}

TEST_CASE("a function of cublasLt that is not there is one finding", "[libraries][cublasLt]") {
  const Run run = scenario("missing");
  CHECK(run.out == "CUBLAS_STATUS_NOT_SUPPORTED\n");
  CHECK(run.kinds() == Kinds{"unsupported-api"});
}

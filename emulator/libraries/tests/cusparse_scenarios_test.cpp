#include <catch2/catch_test_macros.hpp>
#include <string>

#include "emulator/libraries/tests/scenario.h"

// Programs under the launcher that call cuSPARSE: the messages, and that programs without the
// mistake have none.

using warpsim::testing::Kinds;
using warpsim::testing::kinds;
using warpsim::testing::message;
using warpsim::testing::Run;
using warpsim::testing::scenario;

TEST_CASE("a sparse product has no findings, and a time by its roofline", "[libraries][cusparse]") {
  const Run run = scenario("product");
  CHECK(run.out == "CUSPARSE_STATUS_SUCCESS, then cudaSuccess\n");
  CHECK(run.kinds() == Kinds{});
  double ms = 0;
  for (const auto& operation : run.report["timeline"]["operations"]) {
    if (operation["name"] == "cusparseSpMV")
      ms = operation["end_ms"].get<double>() - operation["begin_ms"].get<double>();
  }
  // The launch, and about 100 bytes at 0.9 of an A100's 1555 GB/s.
  CHECK(ms > 0.0025);
  CHECK(ms < 0.0026);
}

TEST_CASE("row offsets that no matrix has are one finding, with the row", "[libraries][cusparse]") {
  const Run run = scenario("offset_decreases");
  CHECK(run.out == "CUSPARSE_STATUS_SUCCESS, then cudaErrorIllegalAddress\n");
  CHECK(run.kinds() == Kinds{"library-argument"});
  const auto finding = run.finding("library-argument");
  CHECK(finding["message"] ==
        "cusparseSpMV: csrRowOffsets[2] of matA is 2, and the offset before it is 3");
  CHECK(finding["want"] == "offsets that do not decrease");
  CHECK(finding["file"].get<std::string>().ends_with("cusparse_scenarios.cpp"));
  CHECK(kinds("offset_equal") == Kinds{});
  CHECK(scenario("offset_exceeds").finding("library-argument")["want"] ==
        "at most 5: matA has 5 entries, and its index base is 0");
  CHECK(message("offset_negative", "library-argument") ==
        "cusparseSpMV: csrRowOffsets[0] of matA is -1");
}

TEST_CASE("a column index out of range is one finding, with the entry and the row",
          "[libraries][cusparse]") {
  const Run run = scenario("column_outside");
  CHECK(run.kinds() == Kinds{"library-argument"});
  const auto finding = run.finding("library-argument");
  CHECK(finding["message"] == "cusparseSpMV: csrColInd[2] of matA, in row 1, is 4");
  CHECK(finding["want"] == "0 to 3: matA has 4 columns, and its index base is 0");
  CHECK(kinds("column_negative") == Kinds{"library-argument"});
  CHECK(message("coo_row_outside", "library-argument") ==
        "cusparseSpMV: cooRowInd[1] of matA is 2");
  CHECK(kinds("coo_row_inside") == Kinds{});
}

TEST_CASE("indices of another base than the descriptor's are found", "[libraries][cusparse]") {
  CHECK(scenario("base_one").finding("library-argument")["want"] ==
        "at least 1, the index base of matA");
  CHECK(kinds("base_one_fits") == Kinds{});
}

TEST_CASE("arrays that are too short are out of bounds", "[libraries][cusparse]") {
  CHECK(message("short_values", "oob-global-read") ==
        "cusparseSpMV: `csrValues of matA` (5 elements) goes past the end of cudaMalloc #3 (16 "
        "bytes)");
  CHECK(message("short_x", "oob-global-read") ==
        "cusparseSpMV: `vecX` (4 elements) goes past the end of cudaMalloc #4 (12 bytes)");
  CHECK(message("b_outside", "oob-global-read") ==
        "cusparseSpMM: `matB` (4 x 3 with ld 5) goes past the end of cudaMalloc #4 (48 bytes)");
  CHECK(kinds("b_inside") == Kinds{});
  CHECK(
      message("b_by_rows_outside", "oob-global-read") ==
      "cusparseSpMM: `matB` (4 x 3 in row order with ld 4) goes past the end of cudaMalloc #4 (48 "
      "bytes)");
  CHECK(kinds("b_by_rows_inside") == Kinds{});
}

TEST_CASE("an uninitialized vector is reported, and of a gathered one what is named",
          "[libraries][cusparse]") {
  CHECK(message("uninitialized", "unwritten-global-read") ==
        "cusparseSpMV reads uninitialized bytes of `vecX` (4 elements) in cudaMalloc #4");
  CHECK(kinds("gather_unwritten") == Kinds{"unwritten-global-read"});
  CHECK(kinds("gather_written") == Kinds{});
}

TEST_CASE("sizes, leading dimensions and descriptors that cuSPARSE refuses are named",
          "[libraries][cusparse]") {
  const Run mismatch = scenario("size_mismatch");
  CHECK(mismatch.out == "CUSPARSE_STATUS_INVALID_VALUE, then cudaSuccess\n");
  CHECK(mismatch.finding("library-argument")["message"] ==
        "cusparseSpMV refuses its arguments: matA.cols is 4, and vecX.size is 3");
  const Run small = scenario("small_ld");
  CHECK(small.out == "CUSPARSE_STATUS_INVALID_VALUE\n");
  CHECK(small.finding("library-argument")["want"] ==
        "at least 4, the number of rows, with CUSPARSE_ORDER_COL");
  CHECK(kinds("equal_ld") == Kinds{});
  CHECK(message("destroyed_before", "library-argument") ==
        "cusparseSpMV refuses its arguments: matA is not a descriptor that is in use");
  CHECK(kinds("destroyed_after") == Kinds{});
  CHECK(message("no_buffer", "library-argument") ==
        "cusparseSpMV refuses its arguments: externalBuffer is a null pointer");
}

TEST_CASE("types that the emulator does not multiply are named", "[libraries][cusparse]") {
  const Run run = scenario("types");
  CHECK(run.out == "CUSPARSE_STATUS_NOT_SUPPORTED\n");
  CHECK(run.finding("unsupported-api")["message"] ==
        "cusparseSpMV is not supported by the emulator with these arguments: matA is CUDA_R_32F, "
        "vecX is CUDA_R_32F, vecY is CUDA_R_32F, with compute type CUDA_R_64F");
}

TEST_CASE("a real matrix is not conjugated", "[libraries][cusparse]") {
  const Run run = scenario("conjugated");
  CHECK(run.out == "CUSPARSE_STATUS_INVALID_VALUE\n");
  CHECK(run.finding("library-argument")["want"] == "CUSPARSE_OPERATION_TRANSPOSE for real numbers");
  CHECK(scenario("transposed").out == "CUSPARSE_STATUS_SUCCESS\n");
}

TEST_CASE("a solve needs its analysis, the buffer of that, and a diagonal",
          "[libraries][cusparse]") {
  CHECK(kinds("solve") == Kinds{});
  const Run unanalysed = scenario("solve_unanalysed");
  CHECK(unanalysed.out == "CUSPARSE_STATUS_NOT_INITIALIZED\n");
  CHECK(unanalysed.finding("library-argument")["want"] == "cusparseSpSV_analysis before");
  CHECK(kinds("solve_freed") == Kinds{"use-after-free"});
  CHECK(message("solve_no_diagonal", "library-argument") ==
        "cusparseSpSV_analysis: matA has no element on the diagonal in row 1");
}

TEST_CASE("a conversion of unsorted or changed entries is reported", "[libraries][cusparse]") {
  CHECK(message("coo2csr_unsorted", "library-argument") ==
        "cusparseXcoo2csr: cooRowInd[2] is 1, and the row before it is 2");
  CHECK(kinds("coo2csr_sorted") == Kinds{});
  CHECK(message("dense_changed", "library-argument") ==
        "cusparseDenseToSparse_convert: matA has 3 elements that are not 0, and matB 2 entries");
  CHECK(kinds("dense_unchanged") == Kinds{});
}

TEST_CASE("sparse products in two streams race, by their vectors and by their buffers",
          "[libraries][cusparse]") {
  CHECK(kinds("stream_race") == Kinds{"stream-race"});
  CHECK(kinds("stream_order") == Kinds{});
  CHECK(kinds("buffer_shared") == Kinds{"stream-race"});
  CHECK(kinds("buffer_each") == Kinds{});
}

TEST_CASE("a factor in device memory needs that pointer mode", "[libraries][cusparse]") {
  CHECK(kinds("factor_on_device") == Kinds{"host-access-of-device-memory"});
  CHECK(kinds("factor_mode_device") == Kinds{});
}

TEST_CASE("a function of cuSPARSE that is not there is one finding", "[libraries][cusparse]") {
  const Run run = scenario("missing");
  CHECK(run.out == "CUSPARSE_STATUS_NOT_SUPPORTED\n");
  CHECK(run.kinds() == Kinds{"unsupported-api"});
  CHECK(run.finding("unsupported-api")["message"] ==
        "cusparseSgtsv2_bufferSizeExt is not supported by the emulator yet");
}

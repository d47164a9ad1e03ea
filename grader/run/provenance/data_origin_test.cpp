#include "grader/run/provenance/data_origin.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {
namespace {

using warpsim::OutputOrigin;
using warpsim::OutputWriter;
using warpsim::WriterKind;

OutputWriter writer(WriterKind kind) {
  return {.kind = kind,
          .name = kind == WriterKind::kernel ? "copy_answer" : "cudaMemcpy",
          .launch = 1,
          .from = {.file = "vecadd.cu", .line = 31},
          .bytes = 4096,
          .varied = true,
          .inputs = {}};
}

const OutputOrigin kOutput = {.name = "c", .bytes = 4096, .writers = {}};

TEST_CASE("a kernel that read only data from the host is named", "[integrity][origin]") {
  OutputWriter w = writer(WriterKind::kernel);
  w.host_bytes = w.unexplained_bytes = 4096;
  CHECK(odd_writer(kOutput, w) ==
        "`c`: 4096 of 4096 bytes were last written by `copy_answer` (vecadd.cu:31), which read no "
        "input except 4096 bytes from the host");
  w.host_bytes = w.unexplained_bytes = 0;
  CHECK(odd_writer(kOutput, w) ==
        "`c`: 4096 of 4096 bytes were last written by `copy_answer` (vecadd.cu:31), which read "
        "nothing but its arguments");
}

TEST_CASE("a kernel that read an input is not suspicious", "[integrity][origin]") {
  OutputWriter w = writer(WriterKind::kernel);
  w.inputs = {"a"};
  w.host_bytes = w.unexplained_bytes = 4096;
  CHECK(odd_writer(kOutput, w).empty());
}

TEST_CASE("partial sums of kernels that the host combines are not computed by the host",
          "[integrity][origin]") {
  OutputWriter w = writer(WriterKind::host_copy);
  w.host_bytes = w.unexplained_bytes = 4096;
  CHECK(odd_writer(kOutput, w) ==
        "`c`: 4096 of 4096 bytes were copied from host memory by cudaMemcpy (vecadd.cu:31), more "
        "than the host had received from kernels");
  w.unexplained_bytes = 0;
  CHECK(odd_writer(kOutput, w).empty());
}

TEST_CASE("elements that are all equal are an initial fill of the output", "[integrity][origin]") {
  OutputWriter w = writer(WriterKind::kernel);
  w.varied = false;
  w.bytes = 4000;
  CHECK(odd_writer(kOutput, w).empty());
  w.bytes = 4096;  // unless there is nothing else
  CHECK_FALSE(odd_writer(kOutput, w).empty());
  CHECK(odd_writer(kOutput, writer(WriterKind::fill)).empty());
  CHECK(odd_writer(kOutput, writer(WriterKind::input_copy)).empty());
}

}  // namespace
}  // namespace warpgrade

#include "grader/run/gpu_profile/tools.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {
namespace {

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

ProcessResult ended(int code) {
  ProcessResult result;
  result.end = ProcessEnd::exited;
  result.code = code;
  return result;
}

TEST_CASE("counters restricted by the driver are distinguished, with what to do",
          "[profile][tools]") {
  const std::string log =
      "==PROF== Connected to process 42\n"
      "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU "
      "Performance Counters on the target device 0.\n";
  const ToolRun outside = failed_ncu(ended(1), log, false);
  CHECK(outside.end == ToolEnd::not_permitted);
  CHECK(contains(outside.message, "NVreg_RestrictProfilingToAdminUsers=0"));
  CHECK_FALSE(contains(outside.message, "--sandbox"));
  // In a user namespace no process is root.
  CHECK(contains(failed_ncu(ended(1), log, true).message, "--sandbox none"));
}

TEST_CASE("a failure is reported with the tool's own message, and in a sandbox with a workaround",
          "[profile][tools]") {
  const ToolRun run = failed_ncu(ended(255), "==ERROR== Failed to connect.\n==ERROR== x\n", true);
  CHECK(run.end == ToolEnd::failed);
  CHECK(contains(run.message, "exited with code 255"));
  CHECK(contains(run.message, "Failed to connect."));
  CHECK(contains(run.message, "--sandbox none"));
  CHECK_FALSE(contains(run.message, ".."));
  CHECK_FALSE(contains(failed_ncu(ended(255), "", false).message, "--sandbox"));
  CHECK(contains(failed_sanitizer("memcheck", ended(1), "Internal error", false).message,
                 "Internal error"));
}

TEST_CASE("a tool that takes too long is reported as such", "[profile][tools]") {
  ProcessResult late;
  late.end = ProcessEnd::out_of_time;
  const ToolRun run = failed_sanitizer("racecheck", late, "", true);
  CHECK(run.end == ToolEnd::out_of_time);
  CHECK(contains(run.message, "120 s"));
  CHECK(failed_ncu(late, "==WARNING== No kernels were profiled.", false).end ==
        ToolEnd::out_of_time);
}

TEST_CASE("a program that launches nothing is not a failure of ncu", "[profile][tools]") {
  CHECK(failed_ncu(ended(0), "==WARNING== No kernels were profiled.\n", true).end == ToolEnd::done);
}

TEST_CASE("a tool that is not installed is named, with its package", "[profile][tools]") {
  CHECK(contains(missing_tool("ncu").message, "cuda-nsight-compute"));
  CHECK(contains(missing_tool("compute-sanitizer").message, "cuda-sanitizer"));
  CHECK(missing_tool("ncu").end == ToolEnd::missing);
}

}  // namespace
}  // namespace warpgrade

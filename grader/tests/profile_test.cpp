// `--profile`, from the command line to grade.json: with fake NVIDIA tools, which print recorded
// output of the real ones on an H200, and on a GPU with the real ones.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "grader/core/text.h"
#include "grader/run/device/device.h"
#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::warpgrade;
namespace {

/// Skips the options, which all have a value except --csv, and runs the program after them.
constexpr const char* kRunProgram = R"(#!/bin/bash
while [[ $1 == --* ]]; do
  case $1 in
    --csv) shift ;;
    --query-metrics) echo 'gpu__time_duration Counter ns'; exit 0 ;;
    --log-file) log=$2; shift 2 ;;
    --tool) tool=$2; shift 2 ;;
    *) shift 2 ;;
  esac
done
)";

/// Output of Nsight Compute 2025.3 for reference/vecadd/stages/01 on the case "a million", with a
/// few of its columns; memory counters are made up.
constexpr const char* kCounts = R"sh("$@" || exit 1
cat > "$log" <<'END'
==WARNING== Note: Running with unmodified GPU clocks. If not controlled otherwise, profiling results may be inconsistent.
==PROF== Connected to process 9950 (/tmp/program)
==PROF== Disconnected from process 9950
"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC","gpu__time_duration.sum","l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum","l1tex__t_sectors_pipe_lsu_mem_global_op_ld.avg","l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum","l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum","smsp__sass_thread_inst_executed_op_fadd_pred_on.sum","dram__sectors_read.sum","dram__sectors_write.sum","launch__registers_per_thread"
"","","","","","","","","","","","ns","","sector","sector","sector","inst","sector","sector","register/thread"
"0","9950","program","127.0.0.1","add(const float *, const float *, float *, int)","1","7","(256, 1, 1)","(4096, 1, 1)","0","9.0","5,408","65,536","1,985.94","262,144","131,072","1,048,576","262,146","n/a","16"
END
)sh";

constexpr const char* kNotPermitted = R"(cat > "$log" <<'END'
==PROF== Connected to process 42 (/tmp/program)
==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters on the target device 0. For instructions on enabling permissions and to get more information see https://developer.nvidia.com/ERR_NVGPUCTRPERM
END
exit 1
)";

constexpr const char* kFindings = R"("$@" || exit 1
echo "========= COMPUTE-SANITIZER" > "$log"
[[ $tool == memcheck ]] && cat >> "$log" <<'END'
========= Invalid __global__ read of size 4 bytes
=========     at add(const float *, const float *, float *, int)+0x90 in vecadd.cu:9
=========     by thread (100,0,0) in block (0,0,0)
=========     Access to 0x7f0e42000190 is out of bounds
=========
END
[[ $tool == initcheck ]] && exit 0  # as if it had been killed
echo "========= ERROR SUMMARY: 0 errors" >> "$log"
)";

/// A folder with fake tools.
class Tools {
 public:
  void add(const char* name, const std::string& script) {
    write_file_atomically(folder_.path() / name, kRunProgram + script);
    fs::permissions(folder_.path() / name, fs::perms::owner_all);
  }

  /// The grade of stage 01 of vecadd, with these first in PATH.
  nlohmann::json check(const std::vector<std::string>& options) const {
    const fs::path source = testing::source_folder() / "reference" / "vecadd" / "stages" /
                            "01_one_thread_per_element.cu";
    const fs::path file = folder_.path() / "vecadd.cu";
    write_file_atomically(file, read_file(source));
    std::vector<std::string> arguments = {"check",
                                          "vecadd",
                                          file.string(),
                                          "--device",
                                          "emulator",
                                          "--json",
                                          (folder_.path() / "grade.json").string(),
                                          "--html",
                                          (folder_.path() / "page.html").string()};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProcessResult result =
        warpgrade(arguments, {{"WARPGRADE_MEASURE_ON_EMULATOR", "1"},
                              {"PATH", folder_.path().string() + ":" + std::getenv("PATH")}});
    INFO(result.out << result.err);
    CHECK(result.ok());  // whatever the tools' results
    out_ = result.out;
    return nlohmann::json::parse(read_file(folder_.path() / "grade.json"));
  }

  [[nodiscard]] std::string page() const { return read_file(folder_.path() / "page.html"); }
  [[nodiscard]] const std::string& out() const { return out_; }

 private:
  ScratchFolder folder_;
  mutable std::string out_;
};

const nlohmann::json& run_of(const nlohmann::json& grade, const std::string& tool) {
  for (const nlohmann::json& run : grade.at("profile").at("runs")) {
    if (run.at("tool") == tool) return run;
  }
  FAIL("no run of " << tool << " in " << grade.at("profile").dump(1));
  return grade;
}

TEST_CASE("the tools' results are shown beside the emulator's", "[program][profile]") {
  Tools tools;
  tools.add("ncu", kCounts);
  tools.add("compute-sanitizer", kFindings);
  const nlohmann::json grade = tools.check({"--profile"});
  INFO(grade.at("profile").dump(1));
  CHECK(grade.at("score") == 100);
  // The submission's case and its timed call, and the reference's.
  const nlohmann::json& counts = grade.at("profile").at("counts");
  REQUIRE(counts.size() == 3);
  CHECK(counts.at(0).at("timed") == false);
  CHECK(counts.at(2).at("program") == "reference");
  const nlohmann::json& card = counts.at(0).at("kernels").at(0).at("counters");
  CHECK(card.at("gpu__time_duration.sum") == 5408);
  for (const char* metric : {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                             "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                             "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"}) {
    CHECK(card.at(metric) == grade.at("kernels").at(0).at("counters").at(metric));
  }
  CHECK_FALSE(card.contains("dram__sectors_write.sum"));
  const nlohmann::json& roofline = grade.at("timing").at("roofline");
  CHECK(roofline.at("counted_by") == "ncu");
  CHECK(roofline.at("kernels_only") == true);  // vecadd is called with host pointers
  CHECK(roofline.at("submission").at("operations") == 1 << 20);
  CHECK(roofline.at("submission").at("bytes") == 32 * 262146);

  CHECK(run_of(grade, "racecheck").at("message") == "Nothing found.");
  CHECK(run_of(grade, "initcheck").at("status") == "failed");
  const nlohmann::json& finding = grade.at("profile").at("findings").at(0);
  CHECK(finding.at("tool") == "memcheck");
  CHECK(finding.at("line") == 9);
  CHECK(contains(tools.out(), "counted by the emulator"));
  CHECK(contains(tools.out(), "Invalid __global__ read of size 4 bytes"));
  CHECK(contains(tools.page(), "Counted by the card"));
  CHECK(contains(tools.page(), "Found by compute-sanitizer"));
}

TEST_CASE("tools that are not permitted or fail give one line, and the same grade",
          "[program][profile]") {
  Tools tools;
  tools.add("ncu", kNotPermitted);
  tools.add("compute-sanitizer", "echo no device >&2; exit 3\n");
  const nlohmann::json grade = tools.check({"--profile", "--sandbox", "none"});
  CHECK(grade.at("score") == 100);
  CHECK(run_of(grade, "ncu").at("status") == "not_permitted");
  CHECK(contains(tools.out(), "NVreg_RestrictProfilingToAdminUsers=0"));
  CHECK(run_of(grade, "memcheck").at("status") == "failed");
  CHECK(contains(run_of(grade, "memcheck").at("message").get<std::string>(), "exited with code 3"));
  CHECK(grade.at("profile").at("counts").empty());
  CHECK(grade.at("timing").at("roofline").at("counted_by") == "emulator");
}

TEST_CASE("without --profile no tool is run", "[program][profile]") {
  Tools tools;
  tools.add("ncu", kCounts);
  const nlohmann::json grade = tools.check({});
  CHECK_FALSE(grade.contains("profile"));
  CHECK_FALSE(contains(tools.out(), "On the card"));
  CHECK(grade.at("timing").at("roofline").at("counted_by") == "emulator");
}

TEST_CASE("a class can be profiled, too, and its grades are not shared with runs without",
          "[program][profile]") {
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "in" / "s01" / "vecadd.cu", testing::right_source());
  const auto grade = [&](const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"grade",     (folder.path() / "in").string(),
                                          "--out",     (folder.path() / "out").string(),
                                          "--device",  "emulator",
                                          "--sandbox", "auto",
                                          "--cache",   (folder.path() / "cache").string()};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const ProcessResult result = warpgrade(arguments);
    INFO(result.out << result.err);
    CHECK(result.ok());
    return nlohmann::json::parse(
        read_file(folder.path() / "out" / "s01" / "vecadd" / "grade.json"));
  };
  CHECK_FALSE(grade({}).contains("profile"));
  const nlohmann::json profiled = grade({"--profile"});
  CHECK(contains(run_of(profiled, "ncu").at("message").get<std::string>(), "GPU"));
  CHECK(run_of(profiled, "ncu").at("status") == "not_run");
  CHECK_FALSE(grade({}).contains("profile"));
}

TEST_CASE("on a GPU ncu and compute-sanitizer complete", "[profile][.gpu]") {
  if (!find_gpu()) SKIP("no GPU here");
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "vecadd.cu", testing::right_source());
  const ProcessResult result =
      warpgrade({"check", "vecadd", (folder.path() / "vecadd.cu").string(), "--device", "cuda",
                 "--profile", "--json", (folder.path() / "grade.json").string()});
  INFO(result.out << result.err);
  const nlohmann::json grade = nlohmann::json::parse(read_file(folder.path() / "grade.json"));
  CHECK_FALSE(grade.at("timing").at("roofline").is_null());
  for (const nlohmann::json& run : grade.at("profile").at("runs")) {
    INFO(run.dump());
    // Tools that are not installed or not permitted are not an internal error.
    CHECK((run.at("status") == "done" || run.at("status") == "missing" ||
           run.at("status") == "not_permitted"));
  }
  CHECK(grade.at("profile").at("findings").empty());
}

}  // namespace
}  // namespace warpgrade

#include <algorithm>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
using Catch::Approx;
using testing::contains;
using testing::warpgrade;
namespace {

/// `warpgrade check` on a file: of reference/<lab>, or with an absolute path.
struct CheckedStage {
  CheckedStage(const std::string& lab, const std::string& file) {
    const fs::path source = testing::source_folder() / "reference" / lab / file;
    text = read_file(source);
    result = warpgrade({"check", lab, source.string(), "--device", "emulator", "--json",
                        (folder.path() / "grade.json").string(), "--html",
                        (folder.path() / "page.html").string()});
    INFO(result.out << result.err);
    REQUIRE(fs::exists(folder.path() / "grade.json"));
    grade = nlohmann::json::parse(read_file(folder.path() / "grade.json"));
  }

  /// The number of the first line that has this text.
  [[nodiscard]] int line_with(std::string_view part) const {
    int number = 0;
    for (const std::string_view line : split_lines(text)) {
      ++number;
      if (line.find(part) != std::string_view::npos) {
        return number;
      }
    }
    return 0;
  }

  [[nodiscard]] const nlohmann::json* gain(std::string_view change) const {
    const nlohmann::json& gains = grade.at("speed").at("what_if");
    const auto it = std::find_if(gains.begin(), gains.end(),
                                 [&](const auto& g) { return g.at("change") == change; });
    return it == gains.end() ? nullptr : &*it;
  }

  ScratchFolder folder;
  std::string text;
  ProcessResult result;
  nlohmann::json grade;
};

double sum_of(const nlohmann::json& list, const char* key) {
  double sum = 0;
  for (const nlohmann::json& entry : list) {
    sum += entry.at(key).get<double>();
  }
  return sum;
}

TEST_CASE("a right program's time is split into causes and lines, with what would shorten it",
          "[program][speed]") {
  const CheckedStage tiled("gemm", "stages/04_tiled.cu");
  const nlohmann::json& speed = tiled.grade.at("speed");
  const double ms = speed.at("ms");
  CHECK(ms == Approx(tiled.grade.at("timing").at("submission_ms").get<double>()));
  CHECK(sum_of(speed.at("parts"), "ms") == Approx(ms));

  double lines = 0;
  for (const nlohmann::json& kernel : tiled.grade.at("kernels")) {
    for (const nlohmann::json& line : kernel.at("lines")) {
      lines += line.at("counters").value("modelled_ms", 0.0);
    }
  }
  CHECK(lines < ms - 2.5e-3);  // no line has the start of the kernel
  CHECK(lines > 0.9 * (ms - 2.5e-3) - 1e-3);

  REQUIRE_FALSE(speed.at("what_if").empty());
  const std::string summary = tiled.grade.at("summary");
  INFO(summary);
  CHECK(summary.starts_with("Correct; now make it faster: "));
  CHECK(contains(summary, speed.at("what_if").at(0).at("condition").get<std::string>()));
  CHECK(contains(tiled.result.out, "ms modelled: "));
  const std::string page = read_file(tiled.folder.path() / "page.html");
  CHECK(contains(page, "Breakdown of the modelled time"));
  CHECK(contains(page, "Potential speedups"));
  CHECK(contains(page, "class=\"split\""));
}

TEST_CASE("for repeated loads, a tile is suggested at the line that loads", "[program][speed]") {
  const CheckedStage naive("gemm", "stages/01_one_thread_per_element.cu");
  const nlohmann::json* tile = naive.gain("tile");
  REQUIRE(tile != nullptr);
  CHECK(tile->at("line") == naive.line_with("sum += a[row * k + i]"));
  CHECK(tile->at("pitfall") == "P64");
  CHECK(tile->at("times_faster") > 1.2);
  CHECK(naive.gain("no-bank-conflicts") == nullptr);
  CHECK(naive.gain("fewer-atomics") == nullptr);
}

TEST_CASE("global atomics on few bins are reported at their line, and not without them",
          "[program][speed]") {
  const CheckedStage global("histogram", "stages/02_global_interleaved.cu");
  const nlohmann::json* fewer = global.gain("fewer-atomics");
  REQUIRE(fewer != nullptr);
  CHECK(fewer->at("line") == global.line_with("atomicAdd(&bins[value]"));
  CHECK(fewer->at("times_faster") > 5);
  const CheckedStage own("histogram", "stages/08_copy_a_lane_and_ranges.cu");
  CHECK(own.gain("fewer-atomics") == nullptr);
}

TEST_CASE("a thread per row is advised to share its row with its warp", "[program][speed]") {
  const CheckedStage per_row("spmv", "stages/01_thread_per_row.cu");
  CHECK(per_row.gain("all-multiprocessors") == nullptr);
  CHECK(per_row.gain("smaller-blocks") == nullptr);
  const nlohmann::json* warp = per_row.gain("warp-per-thread");
  REQUIRE(warp != nullptr);
  CHECK(warp->at("line") == per_row.line_with("sum += values[k]"));
  // The next stage, a warp per row, is modelled 1.73 times faster: x stays scattered.
  CHECK(warp->at("times_faster") > 1.5);
  CHECK(warp->at("times_faster") < 2.5);
  CHECK(per_row.grade.at("rung").at("index") == 1);
  CHECK(per_row.grade.at("rung").at("next_title") == "One warp per row");
}

TEST_CASE("four lanes per row are not on the rung of a thread per row", "[program][speed]") {
  const ScratchFolder folder;
  const fs::path source = folder.path() / "four_lanes.cu";
  write_file_atomically(source, R"(#include "spmv.h"
__global__ void multiply(const int* starts, const int* columns, const float* values,
                         const float* x, float* y, int rows) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = thread / 4;
  float sum = 0;
  if (row < rows) {
    for (int k = starts[row] + thread % 4; k < starts[row + 1]; k += 4) {
      sum += values[k] * x[columns[k]];
    }
  }
  sum += __shfl_down_sync(0xffffffff, sum, 2, 4);
  sum += __shfl_down_sync(0xffffffff, sum, 1, 4);
  if (row < rows && thread % 4 == 0) y[row] = sum;
}
void spmv(const int* row_starts, const int* columns, const float* values, const float* x, float* y,
          int rows, int nonzeros) {
  if (rows > 0) {
    multiply<<<(4 * rows + 255) / 256, 256>>>(row_starts, columns, values, x, y, rows);
  }
}
)");
  const CheckedStage lanes("spmv", source.string());
  REQUIRE_FALSE(lanes.grade.at("speed").is_null());
  CHECK(lanes.grade.at("rung").is_null());
  CHECK_FALSE(contains(lanes.result.out, "Ladder"));
}

TEST_CASE("two functions of a contract are not advised to share a launch", "[program][speed]") {
  const CheckedStage images("images", "stages/03_rows_then_columns.cu");
  CHECK(images.gain("one-launch") == nullptr);
  CHECK(images.grade.at("rung").at("index") == 3);
}

TEST_CASE("a wrong program has no rung and gets no advice on speed", "[program][speed]") {
  const ScratchFolder folder;
  const fs::path source = folder.path() / "no_guard.cu";
  write_file_atomically(source, testing::reference_program("vecadd", "wrong/no_guard"));
  const CheckedStage wrong("vecadd", source.string());
  CHECK(wrong.grade.at("rung").is_null());
  CHECK_FALSE(contains(wrong.grade.at("summary").get<std::string>(), "faster"));
}

}  // namespace
}  // namespace warpgrade

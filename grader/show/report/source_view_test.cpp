#include <catch2/catch_test_macros.hpp>
#include <string>

#include "grader/show/report/line_counters.h"
#include "grader/show/report/picture.h"
#include "grader/show/report/source_view.h"
#include "grader/testing/report.h"

namespace warpgrade {
namespace {

using testing::contains;

TEST_CASE("a race has two locations: the finding's line and the other access's",
          "[report][source]") {
  ReportedFinding f;
  f.file = "a.cu";
  f.line = 9;
  f.who = "block (0,0,0) thread (1,0,0) reads; block (0,0,0) thread (0,0,0) writes";
  f.got = "byte offset 0 of `s`; the other access: a.cu:8: st.shared.f32 [%r7], %f61";
  const std::vector<FindingPlace> places = places_of(f);
  REQUIRE(places.size() == 2);
  CHECK(places[0].who == "block (0,0,0) thread (1,0,0) reads");
  CHECK(places[1].file == "a.cu");
  CHECK(places[1].line == 8);
  CHECK(places[1].who == "block (0,0,0) thread (0,0,0) writes");
  f.got = "unwritten bytes; the value matters: it is stored at a.cu:24: st.global";
  CHECK(places_of(f).size() == 1);
  f.file = "";
  CHECK(places_of(f).empty());
}

TEST_CASE("counters of a line are summed over kernels, and only unusual ones get a remark",
          "[report][source]") {
  KernelReport kernel;
  kernel.lines = {{.file = "a.cu",
                   .line = 3,
                   .counters = {{"smsp__inst_executed.sum", 10},
                                {"smsp__thread_inst_executed.sum", 160},
                                {"smsp__thread_inst_executed_per_inst_executed.ratio", 16},
                                {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", 2},
                                {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", 64}}}};
  const SourceCounters lines = count_lines({kernel, kernel});
  const LineCounters& line = lines.at({"a.cu", 3});
  CHECK(line.instructions() == 20);
  CHECK(line.sectors() == 128);
  CHECK(line.remarks() == std::vector<std::string>{"32 sectors/request"});
  const std::vector<LineCounters::Number> numbers = line.numbers(40);
  CHECK(numbers.at(0).meaning == "50.0 % of all executed");
  CHECK(numbers.at(1).value == "16");
}

TEST_CASE("a wrong map becomes a picture with a block's borders", "[report][picture]") {
  const std::uint64_t shape[] = {1024};
  const WrongMap map = map_wrong("c", std::vector<bool>(1024, false), shape);
  const std::string svg = wrong_map_svg(map, {256, 1, 1}, "<c>");
  CHECK(contains(svg, "aria-label=\"&lt;c&gt;\""));
  CHECK(contains(svg, "class=\"w5\""));
  CHECK(contains(svg, "class=\"blocks\""));
  CHECK(contains(wrong_map_caption(map, {256, 1, 1}), "Lines every 256 elements"));
  CHECK_FALSE(contains(wrong_map_svg(map, {}, ""), "class=\"blocks\""));
  CHECK_FALSE(contains(wrong_map_svg(map, {96, 1, 1}, ""), "class=\"blocks\""));
}

}  // namespace
}  // namespace warpgrade

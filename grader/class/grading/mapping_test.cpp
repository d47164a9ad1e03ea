#include "grader/class/grading/mapping.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

namespace warpgrade {
namespace {

TEST_CASE("a mapping is read as it was written, whatever the files are called",
          "[class][mapping]") {
  const std::vector<std::string> files = {" vecadd.cu", "a;b.cu",  "50%3Bx.cu",
                                          "100%.cu",    "=1.cu",   "tab\there.cu",
                                          "x/ y .cu",   "\xF6.cu", "\u00FC.cu"};
  std::vector<MappingLine> lines;
  for (const std::string& file : files) {
    lines.push_back({.work = file,
                     .student = "s01",
                     .lab = "vecadd",
                     .files = {file, "b.cu"},
                     .why = "",
                     .line = 0});
  }
  const Mapping mapping = parse_mapping(mapping_csv(lines), "mapping.csv");
  REQUIRE(mapping.lines().size() == files.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    INFO(files[i]);
    CHECK(mapping.lines()[i].work == files[i]);
    CHECK(mapping.lines()[i].files == std::vector<std::string>{files[i], "b.cu"});
  }
}

}  // namespace
}  // namespace warpgrade

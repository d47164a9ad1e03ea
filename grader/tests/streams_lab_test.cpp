#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "grader/core/files.h"
#include "grader/core/text.h"
#include "grader/tests/lab_root.h"
#include "grader/tests/program.h"

// A lab about streams, from the templates for one: graded by the modelled timeline.

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::documented_files;
using testing::LabRoot;
namespace {

struct StreamsLab : LabRoot {
  StreamsLab() { REQUIRE(run({"lab", "new", "shift", "--template", "streams"}).code == 0); }
  nlohmann::json check(const std::string& source) {
    const fs::path file = folder.path() / "shift.cu";
    const fs::path grade = folder.path() / "grade.json";
    write_file_atomically(file, source);
    const ProcessResult result =
        run({"check", "shift", file.string(), "--device", "emulator", "--json", grade.string(),
             "--html", (folder.path() / "page.html").string()});
    INFO(result.out << result.err);
    REQUIRE(result.code < 2);
    return nlohmann::json::parse(read_file(grade));
  }
  [[nodiscard]] std::string page() const { return read_file(folder.path() / "page.html"); }
  [[nodiscard]] std::string solution() const {
    return read_file(folder.path() / "reference/shift/solution.cu");
  }
};

double points_of(const nlohmann::json& grade, const std::string& id) {
  for (const auto& item : grade.at("items")) {
    if (item.at("id") == id) return item.at("points");
  }
  FAIL("no item " << id);
  return 0;
}

}  // namespace

TEST_CASE("a new streams lab passes lab check until its author changes it",
          "[program][lab][streams][any_compiler]") {
  const StreamsLab lab;
  const ProcessResult result = lab.run({"lab", "check", "shift"});
  INFO(result.out << result.err);
  CHECK(result.code == 0);
}

TEST_CASE("the streams lab of docs/adding-a-lab.md passes lab check",
          "[program][lab][streams][docs]") {
  const LabRoot root;
  REQUIRE(root.run({"lab", "new", "halve", "--template", "streams"}).code == 0);
  const auto files = documented_files("halve");
  REQUIRE(files.size() == 4);
  for (const auto& [path, text] : files) {
    REQUIRE(fs::exists(root / path));
    write_file_atomically(root / path, text);
  }
  const ProcessResult result = root.run({"lab", "check", "halve"});
  INFO(result.out << result.err);
  CHECK(result.code == 0);
}

TEST_CASE("the streams lab gives overlap what it saves", "[program][lab][streams][any_compiler]") {
  StreamsLab lab;
  const nlohmann::json overlapped = lab.check(lab.solution());
  INFO(overlapped.dump(1).substr(0, 4000));
  CHECK(points_of(overlapped, "performance") == 20);
  CHECK(points_of(overlapped, "concept/asynchronous-input") == 10);
  const auto& speed = overlapped.at("speed");
  CHECK(speed.at("overlap_ms") > 0.3 * speed.at("timeline_ms").get<double>());
  CHECK(contains(lab.page(), "<svg class=\"timeline\""));
  CHECK(contains(lab.page(), "engine copy-to-host"));

  // In one piece: right, and slower by what the formula says, 2 in the limit.
  const std::string serial = replace_all(lab.solution(), "kChunk = 1 << 17", "kChunk = 1 << 30");
  const nlohmann::json one_piece = lab.check(serial);
  CHECK(one_piece.at("speed").at("overlap_ms") == 0);
  CHECK(points_of(one_piece, "performance") < 20);
  CHECK(points_of(one_piece, "performance") > 0);
  const double gain =
      one_piece.at("speed").at("timeline_ms").get<double>() / speed.at("timeline_ms").get<double>();
  CHECK(gain > 1.35);
  CHECK(gain < 2.0);

  // Pageable memory: the chunks wait for each other.
  const std::string pageable =
      replace_all(replace_all(lab.solution(), "pinned_in + begin, used, cudaMemcpyHostToDevice",
                              "in + begin, used, cudaMemcpyHostToDevice"),
                  "std::memcpy(pinned_in, in, bytes);", "");
  const nlohmann::json staged = lab.check(pageable);
  CHECK(points_of(staged, "concept/asynchronous-input") < 10);
  CHECK(staged.at("speed").at("timeline_ms") > 1.5 * speed.at("timeline_ms").get<double>());
}

}  // namespace warpgrade

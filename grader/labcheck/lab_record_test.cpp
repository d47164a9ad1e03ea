#include "grader/labcheck/lab_record.h"

#include <fmt/core.h>
#include <catch2/catch_test_macros.hpp>

#include "grader/core/files.h"
#include "harness/core/lab_error.h"

namespace warpgrade {
namespace {

Lab lab_in(const ScratchFolder& folder) {
  Lab lab;
  lab.id = "blur";
  lab.root = folder.path();
  lab.reference = folder.path() / "reference";
  return lab;
}

const LabRecord kRecord = {.lab = "identity",
                           .compiler = CompilerKind::nvcc,
                           .programs = {{"mutant/zeros", {.source = "abc", .missed = {}}},
                                        {"stage/01_first", {.source = "def", .missed = {"once"}}}}};

TEST_CASE("a record comes back with the concept checks that programs failed", "[labcheck][unit]") {
  const ScratchFolder folder;
  const Lab lab = lab_in(folder);
  CHECK(!load_record(lab, "identity", CompilerKind::nvcc));
  store_record(lab, kRecord);
  const auto record = load_record(lab, "identity", CompilerKind::nvcc);
  REQUIRE(record);
  CHECK(record->has("stage/01_first", "def"));
  CHECK(record->programs.at("stage/01_first").missed == std::vector<std::string>{"once"});
}

TEST_CASE("a record does not hold for a changed program, lab or compiler", "[labcheck][unit]") {
  const ScratchFolder folder;
  const Lab lab = lab_in(folder);
  store_record(lab, kRecord);
  CHECK(!load_record(lab, "another identity", CompilerKind::nvcc));
  CHECK(!load_record(lab, "identity", CompilerKind::clang));
  const auto record = load_record(lab, "identity", CompilerKind::nvcc);
  REQUIRE(record);
  CHECK_FALSE(record->has("mutant/zeros", "another text"));
  CHECK_FALSE(record->has("mutant/copy", "abc"));
  CHECK(source_hash("a") != source_hash("b"));
}

TEST_CASE("a damaged record is an error that says what to run", "[labcheck][unit]") {
  const ScratchFolder folder;
  const Lab lab = lab_in(folder);
  write_file_atomically(lab.reference / "checked.json", "{\"schema\": 1}");
  try {
    (void)load_record(lab, "identity", CompilerKind::nvcc);
    FAIL("it was read");
  } catch (const LabError& error) {
    CHECK(std::string(error.what()).find("warpgrade lab check blur --record") != std::string::npos);
  }
}

TEST_CASE("a quarter of the programs is sampled, another one with another seed",
          "[labcheck][unit]") {
  int sampled = 0;
  int in_both = 0;
  int ever = 0;
  for (int i = 0; i < 400; ++i) {
    const std::string name = fmt::format("mutant/m{}", i);
    sampled += is_sampled(name, "one commit") ? 1 : 0;
    in_both += is_sampled(name, "one commit") && is_sampled(name, "the next") ? 1 : 0;
    bool once = false;
    for (int seed = 0; seed < 40; ++seed) once = once || is_sampled(name, std::to_string(seed));
    ever += once ? 1 : 0;
  }
  CHECK(sampled > 60);
  CHECK(sampled < 140);
  CHECK(in_both < sampled);
  CHECK(ever == 400);
}

}  // namespace
}  // namespace warpgrade

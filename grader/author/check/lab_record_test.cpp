#include "grader/author/check/lab_record.h"

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

const LabRecord kRecord = {
    .lab = "identity",
    .compiler = CompilerKind::nvcc,
    .programs = {
        {"mutant/zeros", {.source = "abc", .missed = {}, .points = 4.5, .warp_instructions = 0}},
        {"stage/01_first",
         {.source = "def", .missed = {"once"}, .points = 80, .warp_instructions = 4096}}}};

TEST_CASE("a record comes back with what programs missed, earned and executed",
          "[labcheck][unit]") {
  const ScratchFolder folder;
  const Lab lab = lab_in(folder);
  CHECK(!load_record(lab, "identity", CompilerKind::nvcc));
  store_record(lab, kRecord);
  const auto record = load_record(lab, "identity", CompilerKind::nvcc);
  REQUIRE(record);
  CHECK(record->has("stage/01_first", "def"));
  const RecordedProgram& stage = record->programs.at("stage/01_first");
  CHECK(stage.missed == std::vector<std::string>{"once"});
  CHECK(stage.points == 80);
  CHECK(stage.warp_instructions == 4096);
}

TEST_CASE("the records of two compilers stand side by side", "[labcheck][unit]") {
  const ScratchFolder folder;
  const Lab lab = lab_in(folder);
  store_record(lab, kRecord);
  LabRecord other = kRecord;
  other.compiler = CompilerKind::clang;
  other.programs.erase("mutant/zeros");
  store_record(lab, other);
  CHECK(load_record(lab, "identity", CompilerKind::nvcc)->has("mutant/zeros", "abc"));
  CHECK_FALSE(load_record(lab, "identity", CompilerKind::clang)->has("mutant/zeros", "abc"));
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
  write_file_atomically(record_file(lab, CompilerKind::nvcc), "{\"schema\": 2}");
  try {
    (void)load_record(lab, "identity", CompilerKind::nvcc);
    FAIL("it was read");
  } catch (const LabError& error) {
    CHECK(std::string(error.what()).find("warpgrade lab check blur --compiler nvcc --record") !=
          std::string::npos);
  }
}

TEST_CASE("an eighth of the programs is sampled, another one with another seed",
          "[labcheck][unit]") {
  int sampled = 0;
  int in_both = 0;
  int ever = 0;
  for (int i = 0; i < 400; ++i) {
    const std::string name = fmt::format("mutant/m{}", i);
    sampled += is_sampled(name, "one commit") ? 1 : 0;
    in_both += is_sampled(name, "one commit") && is_sampled(name, "the next") ? 1 : 0;
    bool once = false;
    for (int seed = 0; seed < 200; ++seed) once = once || is_sampled(name, std::to_string(seed));
    ever += once ? 1 : 0;
  }
  CHECK(sampled > 25);
  CHECK(sampled < 80);
  CHECK(in_both < sampled);
  CHECK(ever == 400);
}

}  // namespace
}  // namespace warpgrade

#include "grader/submit/submission/other_names.h"

#include <catch2/catch_test_macros.hpp>

#include "grader/core/files.h"
#include "grader/submit/submission/layout.h"

namespace warpgrade {
namespace {

TEST_CASE("endings that only look different are those of a program", "[submission][names]") {
  CHECK(usual_name("VECADD.CU") == "VECADD.cu");
  CHECK(usual_name("a/vecadd.cu.txt") == "a/vecadd.cu");
  CHECK(usual_name("vecadd.Cu.TXT") == "vecadd.cu");
  CHECK(usual_name("vecadd.cpp") == "vecadd.cu");
  CHECK(usual_name("vecadd.TXT") == "vecadd.cu");
  CHECK(usual_name("vecadd.cuda") == "vecadd.cu");
  CHECK(usual_name("a.b/vecadd.cu.bak") == "a.b/vecadd.cu");
  CHECK(usual_name("vecadd.CU~") == "vecadd.cu");
  CHECK(usual_name("vecadd.cu (12)") == "vecadd (12).cu");
  CHECK(usual_name("vecadd.cu(1)") == "vecadd (1).cu");
  CHECK(usual_name("vecadd.cu 2") == "vecadd 2.cu");
  CHECK(usual_name("vecadd.cu-1") == "vecadd-1.cu");
  CHECK(usual_name("vecadd.cu;1") == "vecadd.cu");
  CHECK(is_named_like_program("a/VECADD.CU"));
  CHECK(is_named_like_program("vecadd.cu.txt"));
  CHECK_FALSE(is_named_like_program("vecadd.cpp"));
  CHECK_FALSE(is_named_like_program("vecadd.txt"));
  CHECK(is_named_like_program("vecadd.cu (1)"));
  CHECK_FALSE(is_named_like_program("vecadd.cu.bak"));
  for (const char* path :
       {"vecadd.cu", "notes.md", "vecadd.cuh", "vecadd.hip.cpp", "vecadd.cu.swp", "vecadd.cu2",
        "vecadd.cu (a)", "vecadd.cu.d", ".cu (1)", "notes.bak", "vecadd.cu.pdf"}) {
    INFO(path);
    CHECK(usual_name(path).empty());
  }
}

TEST_CASE("files with unusual endings are read as programs, with a note", "[submission][names]") {
  constexpr const char* kKernel = "__global__ void k() {}\n";
  const ScratchFolder scratch;
  const auto put = [&](const std::string& name, const char* content) {
    write_file_atomically(scratch.path() / "ada" / name, content);
  };
  put("VECADD.CU", kKernel);
  put("gemm.cpp", kKernel);
  put("helper.cpp", "int f() { return 1; }\n");
  put("scan.cu.txt", "text\n");
  put("scan.cu", "code\n");
  put("build/CMakeFiles/probe.cpp", kKernel);
  const Listing listing = list_submissions(
      {.folder = scratch.path(), .layout = Layout::folders, .student = {}, .not_submissions = {}});
  const SourceTree& tree = listing.content.students.at(0).tree;
  CHECK(tree.find("VECADD.cu").has_value());
  CHECK(tree.find("gemm.cu").has_value());
  CHECK_FALSE(tree.find("helper.cu").has_value());
  CHECK_FALSE(tree.find("build/CMakeFiles/probe.cu").has_value());
  CHECK(SourceTree::read(*tree.find("scan.cu")) == "code\n");
  REQUIRE(listing.content.notes.size() == 2);
  CHECK(listing.content.notes[0] == "ada: VECADD.CU is read as VECADD.cu");
}

TEST_CASE("an editor's copy is read only where the file itself is missing", "[submission][names]") {
  const ScratchFolder scratch;
  const auto put = [&](const std::string& name) {
    write_file_atomically(scratch.path() / name, "__global__ void k() {}\n");
  };
  put("ada/vecadd.cu.bak");
  put("bob/vecadd.cu~");
  put("bob/main.cu");
  const Listing listing = list_submissions(
      {.folder = scratch.path(), .layout = Layout::folders, .student = {}, .not_submissions = {}});
  const std::vector<StudentEntry>& students = listing.content.students;
  CHECK(students.at(0).tree.find("vecadd.cu").has_value());
  CHECK_FALSE(students.at(1).tree.find("vecadd.cu").has_value());
}

TEST_CASE("of versions that Teams keeps, the newest counts, with a note", "[submission][names]") {
  const ScratchFolder scratch;
  const auto put = [&](const std::string& name) {
    write_file_atomically(scratch.path() / "ada" / name, "code\n");
  };
  put("Lab 1/Version 2/vecadd.cu");
  put("Lab 1/Version 10/vecadd.cu");
  put("Lab 2/Version 1/scan.cu");
  put("version control/gemm.cu");
  const Listing listing = list_submissions(
      {.folder = scratch.path(), .layout = Layout::folders, .student = {}, .not_submissions = {}});
  const SourceTree& tree = listing.content.students.at(0).tree;
  CHECK_FALSE(tree.find("Lab 1/Version 2/vecadd.cu").has_value());
  CHECK(tree.find("Lab 1/Version 10/vecadd.cu").has_value());
  CHECK(tree.find("Lab 2/Version 1/scan.cu").has_value());
  CHECK(tree.find("version control/gemm.cu").has_value());
  CHECK(listing.content.notes ==
        std::vector<std::string>{"ada: of several versions, Lab 1/Version 10 counts"});
}

TEST_CASE("a text that contains CUDA is a program if there is no other", "[submission][names]") {
  std::string wide = "\xFF\xFE";
  for (const char letter : std::string("__global__ void k() {}\n")) wide += {letter, '\0'};
  const ScratchFolder scratch;
  const auto put = [&](const std::string& name, const std::string& content) {
    write_file_atomically(scratch.path() / name, content);
  };
  put("ada/vecadd", "__global__ void k() {}\n");
  put("ada/readme.txt", "// __global__ means\n");
  put("bob/vecadd.txt", "__global__ void k() {}\n");
  put("bob/main.cu", "code\n");
  put("eve/vecadd.cpp", wide);
  const Listing listing = list_submissions(
      {.folder = scratch.path(), .layout = Layout::folders, .student = {}, .not_submissions = {}});
  const std::vector<StudentEntry>& students = listing.content.students;
  CHECK(students.at(0).tree.find("vecadd.cu").has_value());
  CHECK_FALSE(students.at(0).tree.find("readme.cu").has_value());
  CHECK_FALSE(students.at(1).tree.find("vecadd.cu").has_value());
  CHECK(students.at(2).tree.find("vecadd.cu").has_value());
}

}  // namespace
}  // namespace warpgrade

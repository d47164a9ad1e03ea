#include "grader/class/similar/earlier.h"

#include <catch2/catch_test_macros.hpp>

#include "grader/core/error.h"
#include "grader/core/files.h"

namespace warpgrade {
namespace {

TEST_CASE("each source file of a folder is compared, at any depth", "[similar]") {
  const ScratchFolder scratch;
  const std::filesystem::path folder = scratch.path() / "2025";
  write_file_atomically(folder / "b" / "src" / "mp5.cu", "int b;");
  write_file_atomically(folder / "a.cu", "int a;");
  write_file_atomically(folder / "notes.txt", "no program");
  write_file_atomically(folder / ".git" / "old.cu", "int hidden;");
  std::vector<std::string> notes;
  const std::vector<EarlierProgram> found = earlier_programs(folder, notes);
  REQUIRE(found.size() == 2);
  CHECK(found[0].name == "2025/a.cu");
  CHECK(found[1].name == "2025/b/src/mp5.cu");
  CHECK(found[1].file.text == "int b;");
  CHECK(notes.empty());
}

TEST_CASE("programs with unusual endings and in UTF-16 are compared, other texts are not",
          "[similar]") {
  const ScratchFolder scratch;
  const std::filesystem::path folder = scratch.path() / "2025";
  const std::string code = "__global__ void k() {}\n";
  std::string wide = "\xFF\xFE";
  for (const char letter : code) wide += {letter, '\0'};
  write_file_atomically(folder / "A.CU", code);
  write_file_atomically(folder / "b.cpp", code);
  write_file_atomically(folder / "c.cu", wide);
  write_file_atomically(folder / "d.cpp", "int main() {}");
  write_file_atomically(folder / "numbers.txt", std::string((1 << 20) + 1, '1'));
  std::vector<std::string> notes;
  const std::vector<EarlierProgram> found = earlier_programs(folder, notes);
  REQUIRE(found.size() == 3);
  for (const EarlierProgram& program : found) CHECK(program.file.text == code);
  CHECK(notes.empty());
}

TEST_CASE("what cannot be compared is a note, and a folder without programs an error",
          "[similar]") {
  const ScratchFolder scratch;
  const std::filesystem::path folder = scratch.path() / "2025";
  write_file_atomically(folder / "broken.zip", "this is not an archive");
  std::vector<std::string> notes;
  CHECK_THROWS_AS(earlier_programs(folder, notes), UsageError);
  CHECK_THROWS_AS(earlier_programs(scratch.path() / "2024", notes), UsageError);
  notes.clear();
  write_file_atomically(folder / "a.cu", "int a;");
  write_file_atomically(folder / "large.cu", std::string((1 << 20) + 1, ' '));
  CHECK(earlier_programs(folder, notes).size() == 1);
  REQUIRE(notes.size() == 2);
  CHECK((notes[0] + notes[1]).find("2025/broken.zip is not compared: ") != std::string::npos);
  CHECK((notes[0] + notes[1]).find("2025/large.cu is not compared: it is larger than 1 MiB") !=
        std::string::npos);
}

}  // namespace
}  // namespace warpgrade

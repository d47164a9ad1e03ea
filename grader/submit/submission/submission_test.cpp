#include "grader/submit/submission/submission.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "grader/build/inspection/includes.h"
#include "grader/core/error.h"
#include "grader/core/files.h"

namespace warpgrade {
namespace fs = std::filesystem;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
namespace {

Lab test_lab() {
  Lab lab;
  lab.id = "vecadd";
  lab.submit = {"vecadd.cu"};
  lab.function = "vecadd";
  lab.header = "labs/vecadd/vecadd.h";
  return lab;
}

/// A class folder with one student, s, whose files are written by `put`.
class ClassFolder {
 public:
  void put(const std::string& path, std::string_view content) const {
    write_file_atomically(folder() / "s" / path, content);
  }
  [[nodiscard]] const fs::path& folder() const { return scratch_.path(); }
  [[nodiscard]] Submission pick() const {
    return pick_submission(list_class(folder()).students.at(0), test_lab());
  }

 private:
  ScratchFolder scratch_;
};

std::vector<std::string> names(const Submission& submission) {
  std::vector<std::string> found;
  for (const SourceFile& file : submission.files) {
    found.push_back(file.name);
  }
  return found;
}

TEST_CASE("a lab's file is found at the top of a student's folder", "[submission]") {
  const ClassFolder c;
  c.put("vecadd.cu", "code");
  c.put("other.cu", "not this");
  CHECK(c.pick().problem.empty());
  CHECK(names(c.pick()) == std::vector<std::string>{"vecadd.cu"});
}

TEST_CASE("all .cu files of a lab's folder and their includes are submitted", "[submission]") {
  const ClassFolder c;
  c.put("vecadd/main.cu", "#include \"lib/util.cuh\"\n");
  c.put("vecadd/second.cu", "code");
  c.put("vecadd/lib/util.cuh", "#include \"more.h\"\n");
  c.put("vecadd/lib/more.h", "code");
  c.put("vecadd/unused.h", "code");
  CHECK(names(c.pick()) ==
        std::vector<std::string>{"main.cu", "second.cu", "lib/util.cuh", "lib/more.h"});
}

TEST_CASE("the only folder of a student may hold everything", "[submission]") {
  const ClassFolder c;
  c.put("my solution/vecadd.cu", "code");
  CHECK(names(c.pick()) == std::vector<std::string>{"vecadd.cu"});
}

TEST_CASE("a student's own copy of the contract is not used", "[submission]") {
  const ClassFolder c;
  c.put("vecadd.cu", "#include \"vecadd.h\"\n");
  c.put("vecadd.h", "void vecadd();");
  CHECK(names(c.pick()) == std::vector<std::string>{"vecadd.cu"});
}

TEST_CASE("a submission that cannot be built has one clear reason", "[submission]") {
  const ClassFolder c;
  SECTION("nothing") {
    c.put(".gitignore", "*.o");
    CHECK(c.pick().problem == "no vecadd.cu was submitted");
  }
  SECTION("no program") {
    c.put("vecadd.docx", "PK");
    c.put("README.md", "later");
    CHECK(c.pick().problem == "no vecadd.cu was submitted; found only README.md and vecadd.docx");
  }
  SECTION("another name") {
    c.put("VecAdd.cu", "code");
    CHECK(c.pick().problem ==
          "no vecadd.cu was submitted; found VecAdd.cu instead: the file must be named vecadd.cu, "
          "or be in vecadd/");
  }
  SECTION("empty") {
    c.put("vecadd.cu", " \n\t\n");
    CHECK(c.pick().problem == "vecadd.cu is empty");
  }
  SECTION("binary") {
    c.put("vecadd.cu", std::string_view("\x7f"
                                        "ELF\0\1",
                                        6));
    CHECK(c.pick().problem ==
          "vecadd.cu is not a text file (a zero byte at offset 4); submit the source");
  }
  SECTION("a pointer of Git LFS") {
    c.put("vecadd.cu", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n");
    CHECK(c.pick().problem ==
          "vecadd.cu is a pointer of Git LFS to the file, which was not downloaded; run `git lfs "
          "pull`");
  }
  SECTION("a web page") {
    c.put("vecadd.cu", "\n<!DOCTYPE HTML>\n<pre>int n;</pre>\n");
    CHECK(c.pick().problem == "vecadd.cu is a web page; submit the file itself");
  }
  SECTION("a document") {
    c.put("vecadd.cu", "{\\rtf1\\ansi int n;}");
    CHECK(c.pick().problem == "vecadd.cu is a document in RTF; save it as plain text");
  }
  SECTION("50 MB") {
    c.put("vecadd.cu", std::string(50u << 20, 'x'));
    CHECK(c.pick().problem == "vecadd.cu has 50.0 MiB; a source file may have at most 1.0 MiB");
  }
  SECTION("a folder") {
    c.put("vecadd.cu/x.txt", "");
    CHECK(c.pick().problem == "vecadd.cu is a folder, not a file");
  }
  SECTION("a link out of the tree") {
    c.put("x.txt", "");
    fs::create_symlink("/etc/passwd", c.folder() / "s" / "vecadd.cu");
    CHECK(c.pick().problem == "vecadd.cu is a symbolic link that leads out of the submission");
  }
  SECTION("a link to another student") {
    write_file_atomically(c.folder() / "t" / "vecadd.cu", "theirs");
    c.put("x.txt", "");
    fs::create_symlink("../t/vecadd.cu", c.folder() / "s" / "vecadd.cu");
    CHECK(c.pick().problem == "vecadd.cu is a symbolic link that leads out of the submission");
  }
  SECTION("an include of a relative path outside") {
    c.put("vecadd.cu", "\n#include \"../t/vecadd.cu\"\n");
    CHECK(c.pick().problem ==
          "vecadd.cu:2 includes '../t/vecadd.cu', which is outside the submission; submit every "
          "file that is used, and include it by its name");
  }
  SECTION("an absolute include, even in angle brackets") {
    c.put("vecadd.cu", "#include </etc/passwd>\n");
    CHECK(c.pick().problem.find("vecadd.cu:1 includes '/etc/passwd', which is outside") == 0);
  }
  SECTION("an include outside from a header") {
    c.put("vecadd.cu", "#include \"a/b.h\"\n");
    c.put("a/b.h", "#include \"../../secret.h\"\n");
    CHECK(c.pick().problem.find("a/b.h:1 includes '../../secret.h'") == 0);
  }
}

TEST_CASE("a program in UTF-16 is converted, with a note", "[submission]") {
  const ClassFolder c;
  std::string wide = "\xFF\xFE";
  for (const char letter : std::string("int x;\n")) wide += {letter, '\0'};
  c.put("vecadd.cu", wide);
  const Submission submission = c.pick();
  CHECK(submission.problem.empty());
  CHECK(submission.files.at(0).text == "int x;\n");
  REQUIRE(submission.notes.size() == 1);
  CHECK_THAT(submission.notes[0], ContainsSubstring("vecadd.cu is in UTF-16"));
}

TEST_CASE("headers in other folders of the submission are found, with a note", "[submission]") {
  const ClassFolder c;
  SECTION("a folder that a Makefile would name with -I") {
    c.put("vecadd.cu", "#include \"util.cuh\"\n#include <detail/more.h>\n#include <vector>\n");
    c.put("include/util.cuh", "code");
    c.put("include/detail/more.h", "code");
    const Submission submission = c.pick();
    CHECK(submission.problem.empty());
    CHECK(names(submission) ==
          std::vector<std::string>{"vecadd.cu", "include/util.cuh", "include/detail/more.h"});
    CHECK(include_folders(submission.files) == std::set<std::string>{"include"});
    REQUIRE(submission.notes.size() == 2);
    CHECK(submission.notes[0] == "vecadd.cu:1 includes 'util.cuh': include/util.cuh is used");
  }
  SECTION("a folder beside the program's") {
    c.put("vecadd/main.cu", "#include \"../include/util.cuh\"\n");
    c.put("include/util.cuh", "#include \"base.h\"\n");
    c.put("common/base.h", "code");
    const Submission submission = c.pick();
    CHECK(submission.problem.empty());
    CHECK(names(submission) ==
          std::vector<std::string>{"vecadd/main.cu", "include/util.cuh", "common/base.h"});
    CHECK(include_folders(submission.files) == std::set<std::string>{"common"});
  }
  SECTION("two folders have it") {
    c.put("vecadd.cu", "#include \"util.cuh\"\n");
    c.put("a/util.cuh", "code");
    c.put("b/util.cuh", "other code");
    const Submission submission = c.pick();
    CHECK(names(submission) == std::vector<std::string>{"vecadd.cu"});
    REQUIRE(submission.notes.size() == 1);
    CHECK_THAT(submission.notes[0], ContainsSubstring("which several folders have: a/util.cuh"));
    c.put("b/util.cuh", "code");  // a copy
    CHECK(names(c.pick()) == std::vector<std::string>{"vecadd.cu", "a/util.cuh"});
  }
  SECTION("two labs have it: the nearer one") {
    c.put("lab1/vecadd/main.cu", "#include \"util.cuh\"\n");
    c.put("lab1/include/util.cuh", "code");
    c.put("lab2/include/util.cuh", "other code");
    StudentEntry entry = list_class(c.folder()).students.at(0);
    entry.taken["vecadd"] = {.base = "lab1/vecadd/", .names = {"main.cu"}};
    CHECK(names(pick_submission(entry, test_lab())) ==
          std::vector<std::string>{"lab1/vecadd/main.cu", "lab1/include/util.cuh"});
  }
  SECTION("the file beside the program counts first, and needs no note") {
    c.put("vecadd.cu", "#include \"util.cuh\"\n");
    c.put("util.cuh", "code");
    c.put("include/util.cuh", "code");
    const Submission submission = c.pick();
    CHECK(names(submission) == std::vector<std::string>{"vecadd.cu", "util.cuh"});
    CHECK(submission.notes.empty());
    CHECK(include_folders(submission.files).empty());
  }
}

TEST_CASE("includes that Windows would find are corrected, with a note", "[submission]") {
  const ClassFolder c;
  const auto first = [&] { return c.pick().files.at(0).text; };
  SECTION("another case, beside the program and elsewhere") {
    c.put("vecadd.cu", "#include \"Util.cuh\"\n#include <Detail/more.h>\n");
    c.put("util.cuh", "code");
    c.put("include/detail/More.h", "code");
    CHECK(names(c.pick()) ==
          std::vector<std::string>{"vecadd.cu", "util.cuh", "include/detail/More.h"});
    CHECK(first() == "#include \"util.cuh\"\n#include <detail/More.h>\n");
    REQUIRE(c.pick().notes.size() == 2);
    CHECK(c.pick().notes[0] == "vecadd.cu:1 includes 'Util.cuh': util.cuh is used");
    CHECK(include_folders(c.pick().files) == std::set<std::string>{"include"});
  }
  SECTION("a folder in another case, above") {
    c.put("vecadd/main.cu", "#include \"../Include/util.cuh\"\n");
    c.put("include/UTIL.CUH", "code");
    CHECK(names(c.pick()) == std::vector<std::string>{"vecadd/main.cu", "include/UTIL.CUH"});
    CHECK(first() == "#include \"../include/UTIL.CUH\"\n");
  }
  SECTION("its separator") {
    c.put("vecadd/main.cu", "// a\\b\n#include \"..\\include\\util.cuh\"\n");
    c.put("include/util.cuh", "code");
    CHECK(names(c.pick()) == std::vector<std::string>{"vecadd/main.cu", "include/util.cuh"});
    CHECK(first() == "// a\\b\n#include \"../include/util.cuh\"\n");
  }
  SECTION("two files that differ in case only are two files") {
    c.put("vecadd.cu", "#include \"UTIL.cuh\"\n");
    c.put("util.cuh", "code");
    c.put("Util.cuh", "other code");
    CHECK(first() == "#include \"UTIL.cuh\"\n");
    CHECK(c.pick().files.size() == 1);
  }
}

TEST_CASE("files that were uploaded one by one have lost their folders", "[submission]") {
  const ClassFolder c;
  c.put("util.cuh", "code");
  c.put("reduce.h", "code");
  SECTION("and are found") {
    for (const char* path : {"include/util.cuh", "../include/util.cuh", "../../Util.cuh"}) {
      INFO(path);
      c.put("vecadd.cu", "#include \"" + std::string(path) + "\"\n");
      const Submission submission = c.pick();
      CHECK(submission.problem.empty());
      CHECK(names(submission) == std::vector<std::string>{"vecadd.cu", "util.cuh"});
      CHECK(submission.files.at(0).text == "#include \"util.cuh\"\n");
      CHECK(submission.notes.size() == 1);
    }
  }
  SECTION("but not in place of the toolkit's, nor if there are folders") {
    c.put("vecadd.cu", "#include \"thrust/reduce.h\"\n#include <include/util.cuh>\n");
    CHECK(names(c.pick()) == std::vector<std::string>{"vecadd.cu"});
    c.put("vecadd.cu", "#include \"include/util.cuh\"\n");
    c.put("docs/readme.md", "text");
    CHECK(names(c.pick()) == std::vector<std::string>{"vecadd.cu"});
  }
}

TEST_CASE("near misses of rejected submissions are accepted", "[submission]") {
  const ClassFolder c;
  SECTION("a link inside the submission") {
    c.put("real.cu", "code");
    fs::create_symlink("real.cu", c.folder() / "s" / "vecadd.cu");
    CHECK(c.pick().problem.empty());
    CHECK(c.pick().files.at(0).text == "code");
  }
  SECTION("an include that goes up and stays inside") {
    c.put("vecadd.cu", "#include \"a/b.h\"\n");
    c.put("a/b.h", "#include \"../c.h\"\n");
    c.put("c.h", "code");
    CHECK(c.pick().problem.empty());
    CHECK(c.pick().files.size() == 3);
  }
  SECTION("an include in a comment") {
    c.put("vecadd.cu", "// #include \"../x\"\n");
    CHECK(c.pick().problem.empty());
  }
  SECTION("a header of the toolkit") {
    c.put("vecadd.cu", "#include \"cuda_runtime.h\"\n");
    CHECK(c.pick().problem.empty());
  }
}

TEST_CASE("a class lists folders and archives by name and says what it leaves out",
          "[submission]") {
  const ClassFolder c;
  c.put("vecadd.cu", "code");
  write_file_atomically(c.folder() / "roster.csv", "");
  write_file_atomically(c.folder() / "a.zip", "no archive");
  write_file_atomically(c.folder() / "s.zip", "the folder counts");
  const ClassListing listing = list_class(c.folder());
  REQUIRE(listing.students.size() == 2);
  CHECK(listing.students[0].student == "a");
  CHECK(listing.students[0].problem.find("a.zip") == 0);
  CHECK(listing.students[1].student == "s");
  CHECK(listing.notes ==
        std::vector<std::string>{"roster.csv ignored: neither a student's folder nor an archive",
                                 "s.zip ignored: s has another submission beside it"});
}

TEST_CASE("a class that is not a folder, or contains no students, is a usage error",
          "[submission]") {
  const ScratchFolder scratch;
  CHECK_THROWS_MATCHES(list_class(scratch.path() / "x"), UsageError,
                       MessageMatches(ContainsSubstring("is not a folder; give the folder")));
  CHECK_THROWS_MATCHES(list_class(scratch.path()), UsageError,
                       MessageMatches(ContainsSubstring("contains no submission; expected")));
}

TEST_CASE("one file is checked with the headers that it includes and nothing beside it",
          "[submission]") {
  const ScratchFolder scratch;
  write_file_atomically(scratch.path() / "mine.cu", "#include \"util.h\"\n");
  write_file_atomically(scratch.path() / "util.h", "code");
  write_file_atomically(scratch.path() / "other.cu", "code");
  const Submission submission = submission_of_file(scratch.path() / "mine.cu", test_lab());
  CHECK(submission.problem.empty());
  CHECK(names(submission) == std::vector<std::string>{"mine.cu", "util.h"});
}

TEST_CASE("a copy of a header that the lab gives is not a part of a submission", "[submission]") {
  const ScratchFolder scratch;
  write_file_atomically(scratch.path() / "mine.cu", "#include \"given.h\"\n#include \"util.h\"\n");
  for (const char* name : {"given.h", "util.h"}) {
    write_file_atomically(scratch.path() / name, "code");
  }
  Lab lab = test_lab();
  lab.given = {"labs/vecadd/given.h"};
  CHECK(names(submission_of_file(scratch.path() / "mine.cu", lab)) ==
        std::vector<std::string>{"mine.cu", "util.h"});
}

TEST_CASE("a program that is named like the lab's header is compiled", "[submission]") {
  const ClassFolder c;
  c.put("vecadd.h", "#include \"vecadd.h\"\nvoid vecadd() {\n}\n");
  StudentEntry entry = list_class(c.folder()).students.at(0);
  entry.taken["vecadd"] = {.base = "", .names = {"vecadd.h"}};
  const Submission submission = pick_submission(entry, test_lab());
  CHECK(submission.problem.empty());
  CHECK(names(submission) == std::vector<std::string>{"vecadd.cu"});
}

TEST_CASE("checking a folder or nothing is wrong usage", "[submission]") {
  const ScratchFolder scratch;
  CHECK_THROWS_MATCHES(submission_of_file(scratch.path(), test_lab()), UsageError,
                       MessageMatches(ContainsSubstring("is a folder; give a .cu file")));
  CHECK_THROWS_MATCHES(submission_of_file(scratch.path() / "x.cu", test_lab()), UsageError,
                       MessageMatches(ContainsSubstring("there is no file ")));
}

TEST_CASE("a submission's hash changes with each of its parts", "[submission]") {
  Submission a;
  a.lab = "vecadd";
  a.files = {{.name = "a.cu", .text = "x"}};
  Submission b = a;
  CHECK(a.hash() == b.hash());
  b.files[0].text = "y";
  CHECK(a.hash() != b.hash());
  b = a;
  b.lab = "gemm";
  CHECK(a.hash() != b.hash());
}

TEST_CASE("programs that define what the others only declare are compiled, too", "[submission]") {
  const ClassFolder c;
  c.put("vecadd.cu", "#include \"k.h\"\nvoid vecadd(int n) { run(n); add<<<1, 1>>>(n); }\n");
  c.put("k.h", "void run(int n);\n__global__ void add(int n);\nint unused(int n);\n");
  c.put("src/k.cu", "#include \"k.h\"\nvoid run(int n) {\n}\n");
  c.put("add.cpp", "__global__ void add(int n) {\n}\n");
  c.put("other.cu", "int unused(int n) {\n}\n");
  c.put("old/vecadd.cu", "void run(int n) {\n}\nvoid vecadd(int n) {\n}\n");
  const Submission submission = c.pick();
  CHECK(submission.problem.empty());
  CHECK(names(submission) == std::vector<std::string>{"vecadd.cu", "add.cu", "src/k.cu", "k.h"});
  CHECK(submission.notes.at(0) == "add.cpp is compiled, too: it defines add");
}

TEST_CASE("macros of a Makefile or of CMake that a program uses are defined", "[submission]") {
  const ClassFolder c;
  c.put("vecadd.cu", "int block = BLOCK;\nconst char* name = NAME;\n");
  SECTION("a Makefile") {
    c.put("Makefile", "FLAGS = -O2 -DBLOCK=128 -DUNUSED -DNAME=k # -DBLOCK=1\n");
  }
  SECTION("CMake") {
    c.put("CMakeLists.txt",
          "add_definitions(-DBLOCK=128)\ntarget_compile_definitions(v PRIVATE NAME=k)\n");
  }
  const Submission submission = c.pick();
  REQUIRE(names(submission) == std::vector<std::string>{"vecadd.cu", "makefile_macros.h"});
  CHECK_THAT(submission.files[1].text, ContainsSubstring("#ifndef BLOCK\n#define BLOCK 128\n"));
  CHECK_THAT(submission.files[1].text, !ContainsSubstring("UNUSED"));
  CHECK_THAT(submission.notes.at(0), ContainsSubstring("vecadd.cu is compiled with BLOCK"));
  c.put("Makefile", "FLAGS = -DBLOCK=$(SIZE)\n");
  c.put("CMakeLists.txt", "project(vecadd)\n");
  CHECK(names(c.pick()) == std::vector<std::string>{"vecadd.cu"});
}

TEST_CASE("what editors and web pages leave in a program does not matter", "[submission]") {
  const ClassFolder c;
  using namespace std::string_literals;
  c.put("vecadd.cu", "\xEF\xBB\xBF#include \"empty.h\"\nint\xC2\xA0n;\n\x1A\0\0"s);
  c.put("empty.h", "");
  const Submission submission = c.pick();
  CHECK(submission.problem.empty());
  CHECK(submission.files.at(0).text == "\xEF\xBB\xBF#include \"empty.h\"\nint n;\n");
  CHECK(submission.notes.size() == 1);
  c.put("vecadd.cu", "int\u3000n;  // \u52A0\u3000\u6CD5\nint\u2003m;\n");
  CHECK(c.pick().files.at(0).text == "int n;  // \u52A0 \u6CD5\nint m;\n");
  c.put("vecadd.cu", "// \u52A0\u3000\u6CD5\n");  // as it is written in Japanese
  CHECK(c.pick().notes.empty());
  c.put("vecadd.cu", "// Latin-1: \xF6\n");
  CHECK(c.pick().files.at(0).text == "// Latin-1: \xC3\xB6\n");
  c.put("vecadd.cu", "a\0b\n"s);
  CHECK_THAT(c.pick().problem, ContainsSubstring("not a text file"));
}

TEST_CASE("a program whose name a compiler would misinterpret gets another", "[submission]") {
  const ClassFolder c;
  c.put("my $work.cu", "int n;\n");
  c.put("work.cuh", "int n;\n");
  StudentEntry entry = list_class(c.folder()).students.at(0);
  for (const auto& [file, compiled] :
       {std::pair{"my $work.cu", "vecadd.cu"}, std::pair{"work.cuh", "work.cu"}}) {
    entry.taken["vecadd"] = {.base = "", .names = {file}};
    CHECK(names(pick_submission(entry, test_lab())) == std::vector<std::string>{compiled});
  }
}

}  // namespace
}  // namespace warpgrade

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "grader/core/text.h"
#include "grader/tests/lab_root.h"
#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::documented_files;
using testing::LabRoot;
using testing::warpgrade;
namespace {

/// The sections of a toml file, each from its header to the next one's.
std::vector<std::string> sections_of(const std::string& toml) {
  std::vector<std::string> sections = {""};
  for (const std::string_view line : split_lines(toml)) {
    if (line.starts_with("[")) {
      sections.emplace_back();
    }
    sections.back() += std::string(line) + "\n";
  }
  return sections;
}

std::string header_of(const std::string& section) {
  return section.substr(0, section.find(']'));
}

/// The file with sections replaced by these, and new ones at the end.
std::string with_sections(const std::string& toml, const std::string& changed) {
  std::vector<std::string> sections = sections_of(toml);
  for (const std::string& section : sections_of(changed)) {
    bool found = false;
    for (std::string& own : sections) {
      if (!section.empty() && header_of(own) == header_of(section)) {
        own = section + "\n";
        found = true;
      }
    }
    if (!found) {
      sections.push_back(section);
    }
  }
  std::string text;
  for (const std::string& section : sections) {
    text += section;
  }
  return text;
}

TEST_CASE("a new lab loads, its golden is compiled when used, and lab check says what is missing",
          "[program][lab][any_compiler]") {
  const LabRoot root;
  const ProcessResult made = root.run({"lab", "new", "blur"});
  INFO(made.out << made.err);
  REQUIRE(made.code == 0);
  CHECK(contains(made.out, "labs/blur/lab.toml"));
  CHECK(contains(read_file(root / "labs/blur/blur.h"),
                 "void blur(const float* in, float* out, int n);"));
  CHECK(contains(root.run({"labs"}).out, "blur"));
  // Until its TODOs are resolved, the right answer is a copy of the input.
  const ProcessResult unfinished = root.run({"lab", "check", "blur"});
  INFO(unfinished.out << unfinished.err);
  CHECK(unfinished.code == 0);
  CHECK(contains(unfinished.out, "\"prime\" (copy-of-input)"));
  CHECK(contains(unfinished.out, "misreadings             1\n"));
}

TEST_CASE("lab check names each misreading that says nothing",
          "[program][lab][misreading][any_compiler]") {
  const LabRoot root;
  REQUIRE(root.run({"lab", "new", "blur"}).code == 0);
  const fs::path file = root / "reference/blur/misreadings.cpp";
  const std::string text = read_file(file);
  const std::size_t at = text.rfind("list.add(");
  REQUIRE(at != std::string::npos);
  write_file_atomically(file,
                        text.substr(0, at) +
                            "list.unchanged(of_element(2));\n"
                            "list.add(\"same\", \"for in[i]\", of_element(0));\n"
                            "list.add(\"one\", \"for one\", of_element(1), \"P999\");\n"
                            "list.add(\"also-one\", \"for one\", of_element(1));\n"
                            "list.add(\"one\", \"for three\", of_element(3));\n"
                            "list.add(\"throws\", \"for nothing\", [](const GoldenCall& call) {\n"
                            "  (void)call.dim(\"width\"); });\n"
                            "list.add(\"divides\", \"for nothing\", [](const GoldenCall&) {\n"
                            "  volatile int zero = 0;\n"
                            "  zero = 7 / zero; });\n" +
                            text.substr(at));
  const ProcessResult result = root.run({"lab", "check", "blur"});
  INFO(result.out << result.err);
  CHECK(result.code == 1);
  const std::string who = "reference/blur/misreadings.cpp";
  CHECK(contains(result.out, who + ": misreading 'same' equals the right result in all visible"));
  CHECK(contains(result.out, who + ": misreading 'one' equals 'also-one' in all visible cases"));
  CHECK(contains(result.out, who + ": two misreadings have the id 'one'"));
  CHECK(contains(result.out, who + ", misreading 'throws': golden: the lab has no dim 'width'"));
  CHECK(contains(result.out, who + ": misreading 'divides' does not return in case "));
  CHECK(contains(result.out, "calls it was ended by SIGFPE ("));
  CHECK(contains(result.out, who + ": its unchanged formula differs from golden.cpp in case"));
  CHECK(contains(result.out, "P999"));
}

/// The number of libraries in a cache folder.
std::size_t kept_goldens(const fs::path& cache) {
  std::error_code error;
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(cache / "warpgrade" / "golden", error)) {
    count += entry.path().extension() == ".so" ? 1 : 0;
  }
  return count;
}

TEST_CASE("golden.cpp is compiled once for each content, and again when it has changed",
          "[program][lab][golden][any_compiler]") {
  const LabRoot root;
  const ScratchFolder cache;
  REQUIRE(root.run({"lab", "new", "blur"}).code == 0);
  const auto data = [&](const std::string& path) {
    return warpgrade({"check", "blur", (root / "labs/blur/blur.cu").string(), "--device",
                      "emulator", "--sandbox", "none"},
                     {{"WARPGRADE_ROOT", root.folder.path().string()},
                      {"XDG_CACHE_HOME", cache.path().string()},
                      {"PATH", path}});
  };
  const std::string path = std::getenv("PATH");
  const ProcessResult first = data(path);
  INFO(first.out << first.err);
  CHECK(first.code == 1);  // the stub is not right yet
  CHECK(kept_goldens(cache.path()) == 1);
  CHECK(data(path).code == 1);
  CHECK(kept_goldens(cache.path()) == 1);
  const fs::path golden = root / "reference/blur/golden.cpp";
  write_file_atomically(golden, read_file(golden) + "// another\n");
  CHECK(data(path).code == 1);
  CHECK(kept_goldens(cache.path()) == 2);

  write_file_atomically(golden, read_file(golden) + "int broken = ;\n");
  const ProcessResult broken = data(path);
  INFO(broken.err);
  CHECK(broken.code == 2);
  CHECK(contains(broken.err, "reference/blur/golden.cpp does not compile: "));
  CHECK(contains(broken.err, "golden.cpp:"));
  CHECK(contains(broken.err, "-fsyntax-only"));
  CHECK(kept_goldens(cache.path()) == 2);

  fs::remove(golden);
  const ProcessResult gone = data(path);
  CHECK(gone.code == 3);
  CHECK(contains(gone.err, "golden.cpp is missing: it computes what blur must return"));
}

TEST_CASE("a new lab overwrites nothing and has a name that C++ can use",
          "[program][lab][any_compiler]") {
  const LabRoot root;
  const auto refusal = [&](const std::string& id) {
    const ProcessResult result = root.run({"lab", "new", id});
    CHECK(result.code == 2);
    return result.err;
  };
  REQUIRE(root.run({"lab", "new", "blur"}).code == 0);
  CHECK(contains(refusal("blur"), "labs/blur already exists; nothing was changed"));
  write_file_atomically(root / "datasets/sort.toml", "mine");
  CHECK(contains(refusal("sort"), "datasets/sort.toml already exists"));
  CHECK_FALSE(fs::exists(root / "labs/sort"));
  CHECK(contains(refusal("Blur"), "'Blur' cannot be a lab's id"));
  CHECK(contains(refusal("../x"), "'../x' cannot be a lab's id"));
  CHECK(contains(refusal("2d"), "the first of them a letter"));
  CHECK(contains(refusal("float"), "it is reserved in C++"));
}

TEST_CASE("the lab of docs/adding-a-lab.md passes lab check, in less than a hundred lines",
          "[program][lab][docs]") {
  const LabRoot root;
  REQUIRE(root.run({"lab", "new", "transpose"}).code == 0);
  std::size_t lines = 0;
  for (const auto& [path, text] : documented_files("transpose")) {
    INFO(path);
    const bool sections = path == "labs/transpose/lab.toml";
    write_file_atomically(root / path,
                          sections ? with_sections(read_file(root / path), text) : text);
    for (const std::string_view line : split_lines(text)) {
      lines += line.empty() ? 0 : 1;
    }
  }
  CHECK(lines > 50);
  CHECK(lines < 100);
  const ProcessResult result = root.run({"lab", "check", "transpose"});
  INFO(result.out << result.err);
  CHECK(result.code == 0);
  CHECK(contains(result.out, "trivial kernels fail    4 of 4"));
  CHECK(contains(result.out, "pitfalls named first    1 of 1"));
}

}  // namespace
}  // namespace warpgrade

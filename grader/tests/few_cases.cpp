#include "grader/tests/few_cases.h"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <regex>

#include "grader/tests/program.h"

namespace warpgrade::testing {
namespace fs = std::filesystem;
namespace {

/// The text of lab.toml with these cases only.
/// @param points  of the cases, by name
std::string with_cases(const std::string& text, const std::map<std::string, int>& points) {
  static const std::string kStart = "[[case]]\n";
  static const std::regex kName("\nname = \"([^\"]*)\"");
  static const std::regex kPoints("\npoints = [0-9]+");
  std::string result;
  std::size_t kept = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = text.find(kStart, at);
    result += text.substr(at, start - at);
    if (start == std::string::npos) break;
    const std::size_t end = text.find("\n\n", start) + 2;
    const std::string one = text.substr(start, end - start);
    std::smatch name;
    REQUIRE(std::regex_search(one, name, kName));
    if (const auto it = points.find(name[1]); it != points.end()) {
      result += std::regex_replace(one, kPoints, "\npoints = " + std::to_string(it->second));
      ++kept;
    }
    at = end;
  }
  REQUIRE(kept == points.size());
  return result;
}

}  // namespace

FewCases::FewCases() {
  const fs::path source = source_folder();
  const fs::path lab = labs_ / "labs/vecadd";
  fs::copy(source / "labs" / "vecadd", lab, fs::copy_options::recursive);
  // As many points as all cases have.
  write_file_atomically(
      lab / "lab.toml",
      with_cases(read_file(source / "labs" / "vecadd" / "lab.toml"), {{"a hundred", 15},
                                                                      {"one more than a block", 10},
                                                                      {"nothing to do", 3},
                                                                      {"one short of 1024", 7},
                                                                      {"not a number", 5},
                                                                      {"a million", 10}}));
  for (const char* folder : {"reference", "datasets"}) {
    fs::create_directory_symlink(source / folder, labs_ / folder);
  }
}

std::string FewCases::variable() const {
  return "WARPGRADE_ROOT='" + root().string() + "' ";
}

}  // namespace warpgrade::testing

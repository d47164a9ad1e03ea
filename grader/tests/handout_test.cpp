#include <catch2/catch_test_macros.hpp>
#include <map>
#include <regex>

#include "grader/core/text.h"
#include "grader/show/handout/links.h"
#include "grader/show/report/document.h"
#include "grader/tests/program.h"
#include "harness/lab/lab.h"

// `warpgrade start` and `warpgrade handout` on all labs.

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::source_folder;
using testing::warpgrade;
namespace {

/// The links of all pages of a folder that lead to no file and no heading.
std::vector<std::string> dead_links(const fs::path& folder) {
  std::vector<std::string> dead;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".md") continue;
    for (const MarkdownLink& link : links_of(read_file(entry.path()))) {
      if (link.target.find(':') != std::string::npos) continue;  // another site
      const std::size_t hash = link.target.find('#');
      const std::string path = link.target.substr(0, hash);
      const fs::path file = path.empty() ? entry.path() : entry.path().parent_path() / path;
      bool found = fs::exists(file);
      if (found && hash != std::string::npos) {
        found = false;
        const std::string page = read_file(file);
        for (const std::string_view line : split_lines(page)) {
          found |= line.starts_with("##") &&
                   "#" + anchor_of(line.substr(line.find(' ') + 1)) == link.target.substr(hash);
        }
      }
      if (!found) dead.push_back(entry.path().filename().string() + " -> " + link.target);
    }
  }
  return dead;
}

TEST_CASE("every link in the folder of every lab leads to a file and a heading of it",
          "[program][start]") {
  const ScratchFolder folder;
  for (const std::string& lab : find_labs(source_folder())) {
    INFO(lab);
    const fs::path mine = folder.path() / lab;
    REQUIRE(warpgrade({"start", lab, mine.string()}).code == 0);
    CHECK(dead_links(mine) == std::vector<std::string>{});
    CHECK(fs::exists(mine / "pitfalls" / "P75.md"));
    CHECK(fs::exists(mine / "machine.md"));
    CHECK_FALSE(contains(read_file(mine / "README.md"), "<!--"));
  }
  const std::string scan = read_file(folder.path() / "scan" / "README.md");
  CHECK(contains(scan, "[P57](pitfalls/P57.md)"));
  CHECK(contains(scan, "![Decoupled look-back](pictures/look-back.svg)"));
  // A page that is not part of the folder is named only.
  CHECK(contains(read_file(folder.path() / "scan" / "pitfalls" / "P62.md"), "machine.md#"));
}

TEST_CASE("the handout as a page has its pictures inside, and its links lead into it",
          "[program][handout]") {
  const ScratchFolder folder;
  for (const std::string& lab : find_labs(source_folder())) {
    INFO(lab);
    const fs::path file = folder.path() / (lab + ".html");
    REQUIRE(warpgrade({"handout", lab, "--output", file.string()}).code == 0);
    const std::string page = read_file(file);
    CHECK_FALSE(contains(page, "<img"));
    CHECK_FALSE(contains(page, "](pitfalls/"));  // no Markdown is left
    CHECK(contains(page, "<details class=\"card page\" id=\"machine\">"));
    const std::regex id(" id=\"([^\"]+)\"");
    std::map<std::string, int> ids;
    for (std::sregex_iterator it(page.begin(), page.end(), id), end; it != end; ++it) {
      ++ids[(*it)[1]];
    }
    for (const auto& [name, count] : ids) {
      INFO(name);
      CHECK(count == 1);
    }
    const std::regex link("<a href=\"#([^\"]*)\"");
    for (std::sregex_iterator it(page.begin(), page.end(), link), end; it != end; ++it) {
      INFO((*it)[1]);
      CHECK(ids.contains((*it)[1]));
    }
  }
  CHECK(contains(read_file(folder.path() / "gemm.html"), "<title id=\"picture1-title\">"));
  const ProcessResult unknown = warpgrade({"handout", "gem"});
  CHECK(unknown.code == 2);
  CHECK(contains(unknown.err, "gemm"));
}

}  // namespace
}  // namespace warpgrade

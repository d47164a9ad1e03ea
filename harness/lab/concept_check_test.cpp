#include "harness/lab/concept_check.h"

#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "harness/core/toml_table.h"
#include "harness/testing/temporary_folder.h"

namespace warpgrade {

namespace {

/// The keys of [[concept]] in the first TOML block after the heading "## lab.toml".
std::set<std::string> documented_keys(const std::string& page) {
  const std::size_t heading = page.find("\n## lab.toml\n");
  const std::string fence = "```toml\n";
  const std::size_t begin = page.find(fence, heading) + fence.size();
  const TemporaryFolder folder;
  folder.write("block.toml", page.substr(begin, page.find("```", begin) - begin));
  TomlTable block = TomlTable::parse(folder.path() / "block.toml", folder.path());
  std::set<std::string> keys;
  for (const TomlTable& row : block.tables("concept")) {
    for (const std::string& key : row.keys()) keys.insert(key);
  }
  return keys;
}

}  // namespace

TEST_CASE("docs/adding-a-lab.md has the keys that a concept check has", "[lab][concept]") {
  std::ifstream in(std::string(WARPGRADE_SOURCE_ROOT) + "/docs/adding-a-lab.md");
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  std::set<std::string> known;
  for_each_concept_key([&](const auto& key) { known.insert(key.name); });
  CHECK(documented_keys(page) == known);

  std::string changed = page;
  changed.replace(changed.find("\nenough = ", changed.find("\n## lab.toml\n")), 7, "\nenogh");
  CHECK(documented_keys(changed) != known);
}

TEST_CASE("no two keys of a concept check have the same name, in a lab or in a grade",
          "[lab][concept]") {
  std::set<std::string> in_labs;
  std::set<std::string> in_grades = {"measured", "expected", "reference"};
  for_each_concept_key([&](const auto& key) {
    CHECK(in_labs.insert(key.name).second);
    if (*key.in_grade != '\0') CHECK(in_grades.insert(key.in_grade).second);
  });
}

}  // namespace warpgrade

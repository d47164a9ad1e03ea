#include "harness/core/toml_table.h"

#include <catch2/catch_test_macros.hpp>

#include "harness/core/lab_error.h"
#include "harness/testing/temporary_folder.h"

namespace warpgrade {
namespace {

TEST_CASE("the values of a TOML file are listed with their paths, whatever their spelling",
          "[harness][toml]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "lab.toml";
  folder.write("lab.toml",
               "on = true # yes\ndue = 2026-11-27\n[a]\nx = 0x10\ny = 1e1\ntitle = 't'\n"
               "[[b]]\ntitle = 'u'\nwhen = \"n\\u003e1\"\n");
  const TomlTable table = TomlTable::parse(file, folder.path());
  CHECK(table.values({"title"}) == std::vector<std::string>{".a.x = 16", ".a.y = 10", ".b has 1",
                                                            ".b[].when = n>1", ".due = 2026-11-27",
                                                            ".on = true"});
  CHECK(table.values({}).size() == 8);
}

TEST_CASE("a file that is no TOML is an error with its line", "[harness][toml]") {
  const TemporaryFolder folder;
  const auto file = folder.path() / "lab.toml";
  CHECK_THROWS_AS(TomlTable::parse(file, folder.path()), LabError);
  folder.write("lab.toml", "a = 1\nb = \n");
  try {
    (void)TomlTable::parse(file, folder.path());
    FAIL("it was read");
  } catch (const LabError& error) {
    CHECK(std::string(error.what()).find("lab.toml:2") != std::string::npos);
  }
}

}  // namespace
}  // namespace warpgrade

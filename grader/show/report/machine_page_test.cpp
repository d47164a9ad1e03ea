#include "grader/show/report/machine_page.h"

#include <catch2/catch_test_macros.hpp>

using warpgrade::machine_section;

namespace {

constexpr std::string_view kPage =
    "# The machine\n\n- [Banks](#banks-and-wavefronts)\n\n"
    "## Memories\n\nA **register** is fast. **Shared** memory has banks.\n\n"
    "## Banks and wavefronts\n\nEach of the 32 **banks** has words.\n\n"
    "## What a report says\n\n| word | meaning |\n|---|---|\n| case | one run |\n"
    "| rung, ladder | the steps |\n";

}  // namespace

TEST_CASE("a word's section is where the page introduces it", "[report][machine]") {
  CHECK(machine_section(kPage, "Registers").starts_with("## Memories\n"));
  CHECK(machine_section(kPage, "bank").starts_with("## Banks and wavefronts\n"));
  CHECK(machine_section(kPage, "wavefront").starts_with("## Banks and wavefronts\n"));
  CHECK(machine_section(kPage, "ladder").starts_with("## What a report says\n"));
  CHECK(machine_section(kPage, "case").starts_with("## What a report says\n"));
}

TEST_CASE("a word that the page only uses has no section", "[report][machine]") {
  CHECK(machine_section(kPage, "words").empty());
  CHECK(machine_section(kPage, "one run").empty());
  CHECK(machine_section(kPage, "").empty());
}

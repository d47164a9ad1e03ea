#include "grader/author/import/libwb_handout.h"

#include <catch2/catch_test_macros.hpp>

#include "grader/core/files.h"

namespace warpgrade {
namespace {

TEST_CASE("a kit's description loses its front matter and the links that lead nowhere",
          "[labimport]") {
  const ScratchFolder kit;
  write_file_atomically(kit.path() / "figures/grid.png", "a picture");
  const LibwbHandout handout = handout_of(
      "---\r\ntitle: \"CUDA  Vector Add\"\r\nauthor: somebody\r\n---\r\n\r\n# Objective\n\n"
      "Code is in the [Bitbucket\nrepository](LINKTOLAB), see [README](LINKTOREADME \"title\").\n"
      "![a grid](figures/grid.png) ![none](none.png) [page](https://example.org/) "
      "[up](#objective)\n"
      "and `a[i](j)` with [brackets] (only).\n```\nauto f = [=](int i) {};\n```\n",
      kit.path());
  CHECK(handout.title == "CUDA Vector Add");
  CHECK(handout.text ==
        "# Objective\n\n"
        "Code is in the Bitbucket\nrepository, see README.\n"
        "![a grid](figures/grid.png) none [page](https://example.org/) [up](#objective)\n"
        "and `a[i](j)` with [brackets] (only).\n```\nauto f = [=](int i) {};\n```\n");
  CHECK(handout.linked == std::vector<std::filesystem::path>{"figures/grid.png"});
  REQUIRE(handout.decisions.size() == 3);
  CHECK(handout.decisions[0] ==
        "README.md: \"Bitbucket repository\" was a link to LINKTOLAB, which the folder does not "
        "have; now it is words only, so say where students find it");
  CHECK(handout.decisions[2].starts_with("README.md: \"none\" was a link to none.png, "));
}

TEST_CASE("a description without front matter or links stays as it is", "[labimport]") {
  const ScratchFolder kit;
  for (const std::string text : {"# Vector addition\n\n---\n\nText.\n", "",
                                 "---\ntitle: it does not end\n", "[x]( [y](", "]("}) {
    const LibwbHandout handout = handout_of(text, kit.path());
    CHECK(handout.text == text);
    CHECK(handout.title.empty());
    CHECK(handout.decisions.empty());
  }
}

TEST_CASE("a handout takes no files from outside of the kit", "[labimport]") {
  const ScratchFolder folder;
  write_file_atomically(folder.path() / "secret.txt", "secret");
  write_file_atomically(folder.path() / "kit/own.txt", "own");
  const LibwbHandout handout = handout_of(
      "[a](../secret.txt) [b](" + (folder.path() / "secret.txt").string() + ") [c](own.txt)",
      folder.path() / "kit");
  CHECK(handout.text == "a b [c](own.txt)");
  CHECK(handout.linked == std::vector<std::filesystem::path>{"own.txt"});
}

TEST_CASE("white space in a title is one space, so that no escape is shown", "[labimport]") {
  CHECK(in_one_line(" Vector\n\tAddition \r\n") == "Vector Addition");
  CHECK(in_one_line("a\x07"
                    "b") == "a\\x07b");
}

}  // namespace
}  // namespace warpgrade

#include "grader/show/handout/links.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {
namespace {

std::vector<std::string> targets(std::string_view page) {
  std::vector<std::string> targets;
  for (const MarkdownLink& link : links_of(page)) {
    targets.push_back((link.picture ? "!" : "") + link.target);
  }
  return targets;
}

TEST_CASE("links and pictures are found, code is not a link", "[handout][links]") {
  using List = std::vector<std::string>;
  CHECK(targets("see [a page](a.md#x), and\n![a picture](b.svg)") == List{"a.md#x", "!b.svg"});
  CHECK(targets("[over two\nlines](a.md)") == List{"a.md"});
  CHECK(targets("[`code`](a.md)") == List{"a.md"});
  CHECK(targets("`f[i](x)` and ``g`[i](x)``") == List{});
  CHECK(targets("```cpp\nauto f = [&](int x) {};\n```\n[a](b.md)") == List{"b.md"});
  CHECK(targets("a[i] (x), a[i](two words), [open](a") == List{});
  CHECK(targets("an unpaired ` and [a](b.md)") == List{"b.md"});
}

TEST_CASE("links are replaced in place", "[handout][links]") {
  CHECK(with_links("x [a](1) `[b](2)` ![c](3) y", [](const MarkdownLink& link) {
          return link.text + "=" + link.target;
        }) == "x a=1 `[b](2)` c=3 y");
}

}  // namespace
}  // namespace warpgrade

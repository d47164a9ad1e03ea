#include <catch2/catch_test_macros.hpp>
#include <string>

#include "grader/show/report/document.h"
#include "grader/show/report/markdown.h"
#include "grader/show/report/terminal_markdown.h"
#include "grader/testing/report.h"

namespace warpgrade {
namespace {

using testing::contains;

TEST_CASE("a page is readable in a terminal", "[report][markdown]") {
  constexpr const char* kPage =
      "# P1: A title\n\n**Symptom.** Words of `code`, see [P2](P2.md), and more of them until the\n"
      "line ends.\n\n```cpp\nif (i < n) {\n  x;\n}\n```\n\n- one that is longer than the columns "
      "are\n"
      "- two\n\nEnd.\n";
  CHECK(terminal_of_markdown(kPage, {.columns = 40, .color = false}) ==
        "P1: A title\n\n"
        "Symptom. Words of `code`, see P2, and\nmore of them until the line ends.\n\n"
        "    if (i < n) {\n      x;\n    }\n\n"
        "- one that is longer than the columns\n  are\n- two\n\n"
        "End.\n");
  const std::string coloured = terminal_of_markdown(kPage, {.columns = 40, .color = true});
  CHECK(contains(coloured, "\x1b[1mSymptom.\x1b[0m Words of"));
}

TEST_CASE("a page of markdown links only to embedded pages", "[report][markdown]") {
  const std::string html =
      html_of_markdown("# P1: x\n\n[a](P2.md), [b](P3.md), [c](http://x.org) <b>\n", {"P2"});
  CHECK(html == "<p><a href=\"#pitfall-P2\">a</a>, b, c &lt;b&gt;</p>\n");
}

TEST_CASE("a page leads to sections of the embedded page on the machine", "[report][markdown]") {
  const std::string page = "# P1: x\n\n[banks](../machine.md#banks-and-wavefronts)\n";
  CHECK(html_of_markdown(page, {"machine"}) ==
        "<p><a href=\"#machine-banks-and-wavefronts\">banks</a></p>\n");
  CHECK(html_of_markdown(page, {"P2"}) == "<p>banks</p>\n");
}

TEST_CASE("a document has anchors, pictures, scrolling tables, and no comments",
          "[report][markdown]") {
  CHECK(anchor_of("Barriers, races and `visibility`") == "barriers-races-and-visibility");
  CHECK(without_html_comments("a\n<!-- x -->\n\nb\n<!-- end -->\n\nc <!-- no -->\n") ==
        "a\nb\nc <!-- no -->\n");
  const DocumentOptions options{
      .link = {},
      .picture = [](const std::string& target,
                    const std::string& alternative) { return target + ":" + alternative; },
      .heading_ids = "s-",
      .heading_level = 0};
  CHECK(html_of_document("# t\n\n## A b\n\n![alt](p.svg)\n", options) ==
        "<h2 id=\"s-a-b\">A b</h2>\np.svg:alt\n");
  CHECK(
      contains(html_of_document("| a |\n|---|\n| b |\n", options),
               "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>"));
  CHECK(contains(html_of_document("| | a |\n|---|---|\n| b | c |\n", options),
                 "<td></td>\n<th>a</th>"));
  CHECK(contains(html_of_document("| a |\n|---|\n| 1 234 567, 12 or 1 2345 |\n", options),
                 "<td>1&nbsp;234&nbsp;567, 12 or 1 2345</td>"));
}

}  // namespace
}  // namespace warpgrade

// `warpgrade watch-warp`: pictures of one case of a submission.

#include <catch2/catch_test_macros.hpp>

#include "grader/core/text.h"
#include "grader/tests/program.h"

namespace warpgrade {
namespace fs = std::filesystem;
using testing::contains;
using testing::reference_program;
using testing::warpgrade;
namespace {

struct Watched {
  explicit Watched(const std::string& source) {
    write_file_atomically(folder.path() / "vecadd.cu", source);
  }
  ProcessResult watch(std::vector<std::string> more) const {
    more.insert(more.begin(), {"watch-warp", "vecadd", (folder.path() / "vecadd.cu").string(), "-o",
                               page().string()});
    return warpgrade(more);
  }
  [[nodiscard]] fs::path page() const { return folder.path() / "page.html"; }

  ScratchFolder folder;
};

}  // namespace

TEST_CASE("watch-warp takes the first visible case with a finding, and one page is all of it",
          "[program][recording]") {
  const Watched wrong(reference_program("vecadd", "wrong/no_guard"));
  const ProcessResult result = wrong.watch({});
  INFO(result.out << result.err);
  REQUIRE(result.code == 0);
  CHECK(contains(result.out, "What block (0,0,0) did in case \"a hundred\" is in "));
  const std::string page = read_file(wrong.page());
  CHECK(contains(page, "<title>vecadd.cu, case &quot;a hundred&quot;"));
  CHECK_FALSE(contains(page, "{{"));
  CHECK_FALSE(contains(page, "src="));
}

TEST_CASE("watch-warp opens at a line, or lists the lines that were executed",
          "[program][recording]") {
  const std::string source = reference_program("vecadd", "plain/thread_per_element.cu");
  const Watched right(source);
  std::size_t line = 0;
  const auto lines = split_lines(source);
  while (line < lines.size() && !contains(lines[line], "c[i] = a[i]")) ++line;
  REQUIRE(line < lines.size());
  const std::string number = std::to_string(line + 1);
  const ProcessResult result = right.watch({"--line", number, "--case", "one more than a block"});
  INFO(result.out << result.err);
  REQUIRE(result.code == 0);
  CHECK(contains(read_file(right.page()), "{ line: " + number + " }"));

  const ProcessResult none = right.watch({"--line", "1"});
  CHECK(none.code == 2);
  CHECK(contains(none.err,
                 "no recorded block executes line 1 of vecadd.cu; lines that are executed "
                 "in case \"a hundred\": "));
}

TEST_CASE("watch-warp records no hidden case, and says what it cannot use",
          "[program][recording]") {
  const Watched right(testing::right_source());
  const ProcessResult hidden = right.watch({"--case", "prime"});
  CHECK(hidden.code == 2);
  CHECK(contains(hidden.err, "lab vecadd has no visible case 'prime'"));
  CHECK_FALSE(fs::exists(right.page()));
  const ProcessResult unknown = right.watch({"--record-what", "blok=3"});
  CHECK(unknown.code == 2);
  CHECK(contains(unknown.err, "'blok=3' does not say what to record"));
  const Watched broken("int main(");
  const ProcessResult result = broken.watch({});
  CHECK(result.code == 1);
  CHECK(contains(result.err, "vecadd.cu does not compile"));
}

}  // namespace warpgrade

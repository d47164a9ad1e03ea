// `warpgrade watch-warp`: pictures of one case of a submission.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "emulator/recording/recording.h"
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
  [[nodiscard]] fs::path page() const { return folder.path() / name; }

  ScratchFolder folder;
  std::string name = "page.html";
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
                 "in case \"tail\": "));
}

TEST_CASE("watch-warp has the values of variables where they are asked for",
          "[program][recording]") {
  Watched right(reference_program("vecadd", "plain/thread_per_element.cu"));
  right.name = "recording";
  const auto variables = [&] {
    return warpsim::recording::decode(read_file(right.page())).blocks.at(0).variables;
  };
  REQUIRE(right.watch({"--case", "a hundred"}).code == 0);
  CHECK(variables().count == 0);
  const ProcessResult with = right.watch({"--case", "a hundred", "--variables"});
  if (contains(with.err, "--variables needs nvcc")) SKIP("nvcc is not installed");
  INFO(with.out << with.err);
  REQUIRE(with.code == 0);
  CHECK(variables().count != 0);
  CHECK(std::ranges::count(variables().list, "i", &warpsim::recording::Variable::name) == 1);
  // With clang there would be none; exit code 3: it is not installed.
  const ProcessResult clang = right.watch({"--variables", "--compiler", "clang"});
  if (clang.code == 3) return;
  CHECK(clang.code == 2);
  CHECK(contains(clang.err,
                 "--variables needs nvcc: clang's optimised code does not say where "
                 "variables are"));
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

#include "grader/serve/playground.h"

#include <catch2/catch_test_macros.hpp>

namespace warpgrade {

TEST_CASE("the words of a command line are separated by white space outside of quotes",
          "[serve][unit]") {
  using Words = std::vector<std::string>;
  CHECK(words_of("") == Words{});
  CHECK(words_of(" \n\t") == Words{});
  CHECK(words_of("-n 100\n--file a.txt\r\n") == Words{"-n", "100", "--file", "a.txt"});
  CHECK(words_of("\"two words\" a\" \"b \"\"") == Words{"two words", "a b", ""});
  CHECK(words_of("\"not closed") == Words{"not closed"});
  CHECK(words_of("$(x) `y` *") == Words{"$(x)", "`y`", "*"});
}

TEST_CASE("with an empty input.txt there is nothing on standard input", "[serve][unit]") {
  CHECK(playground_run({{"program.cu", "x"}}).input.empty());
  CHECK(playground_run({{"program.cu", "x"}, {"input.txt", ""}}).input.empty());
  CHECK(playground_run({{"program.cu", "x"}, {"input.txt", "1"}}).input == "input.txt");
}

TEST_CASE("a course may have a lab of its own that is named playground", "[serve][unit]") {
  CHECK(is_playground(playground_lab()));
  Lab lab = playground_lab();
  lab.folder = "labs/playground";
  CHECK_FALSE(is_playground(lab));
}

}  // namespace warpgrade

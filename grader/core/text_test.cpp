#include "grader/core/text.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "grader/core/plural_points.h"

namespace warpgrade {
namespace {

TEST_CASE("lower() changes ASCII alone", "[core][text]") {
  CHECK(lower("Week 3/MATMUL_Ä.CU") == "week 3/matmul_Ä.cu");
}

TEST_CASE("printable keeps letters of every script, newlines and tabs", "[core][text]") {
  CHECK(printable("a\tb\nd\xC3\xA9j\xC3\xA0 \xE2\x88\x9E \xF0\x9F\x98\x80") ==
        "a\tb\nd\xC3\xA9j\xC3\xA0 \xE2\x88\x9E \xF0\x9F\x98\x80");
}

TEST_CASE("printable shows control characters and text direction marks as escapes",
          "[core][text]") {
  CHECK(printable("\x1b[31mred") == "\\x1b[31mred");
  CHECK(printable("a\xE2\x80\xAE"
                  "b") == "a\\u202eb");
}

TEST_CASE("printable replaces invalid UTF-8", "[core][text]") {
  const std::string bytes =
      GENERATE("\xFF", "\xC3", "\xC0\x80", "\xED\xA0\x80", "\xF5\x80\x80\x80");
  const std::string shown = printable(bytes);
  CHECK(shown.find("\xEF\xBF\xBD") == 0);
  CHECK(shown.find(bytes) == std::string::npos);
}

TEST_CASE("printable turns a carriage return and a newline into one newline", "[core][text]") {
  CHECK(printable("a\r\nb\rc") == "a\nb\\x0dc");
}

TEST_CASE("split_lines needs no newline at the end and makes no empty last line", "[core][text]") {
  CHECK(split_lines("a\r\nb\n\nc") == std::vector<std::string_view>{"a", "b", "", "c"});
  CHECK(split_lines("a\n") == std::vector<std::string_view>{"a"});
  CHECK(split_lines("").empty());
}

TEST_CASE("wrap breaks at spaces, counts code points and keeps long words whole", "[core][text]") {
  CHECK(wrap("one two three", 7) == std::vector<std::string>{"one two", "three"});
  CHECK(wrap("\xC3\xA9\xC3\xA9 \xC3\xA9", 4) ==
        std::vector<std::string>{"\xC3\xA9\xC3\xA9 \xC3\xA9"});
  CHECK(wrap("incomprehensible", 5) == std::vector<std::string>{"incomprehensible"});
}

TEST_CASE("one point is one point, and nothing else is", "[core][text]") {
  CHECK(plural_points(1) == "1 point");
  CHECK(plural_points(0) == "0 points");
  CHECK(plural_points(1.5) == "1.5 points");
  CHECK(plural_points(0.999) == "1 point");  // as it is shown
}

TEST_CASE("human_bytes and human_points are as short as they can be", "[core][text]") {
  CHECK(human_bytes(1) == "1 byte");
  CHECK(human_bytes(1023) == "1023 bytes");
  CHECK(human_bytes(50u << 20) == "50.0 MiB");
  CHECK(human_points(10) == "10");
  CHECK(human_points(7.5) == "7.5");
  CHECK(human_points(10.0 / 3) == "3.33");
  CHECK(human_points(0) == "0");
}

TEST_CASE("join_and puts commas between and one 'and' before the last", "[core][text]") {
  CHECK(join_and({}).empty());
  CHECK(join_and({"a"}) == "a");
  CHECK(join_and({"a", "b", "c"}) == "a, b and c");
}

TEST_CASE("replace_all replaces every occurrence and never rescans its own output",
          "[core][text]") {
  CHECK(replace_all("aXbX", "X", "XX") == "aXXbXX");
}

TEST_CASE("one_line() escapes newlines and invisible characters", "[core][text]") {
  CHECK(one_line("a\nb\tc") == "a\\x0ab\\x09c");
  CHECK(one_line("a\r\nb") == "a\\x0ab");
  CHECK(one_line("a\xE2\x80\x8B\xE2\x80\xA8"
                 "b") == "a\\u200b\\u2028b");
  CHECK(one_line("Zo\xC3\xAB 1 %") == "Zo\xC3\xAB 1 %");
  CHECK(one_line("\xFF") == "\xEF\xBF\xBD");
  CHECK(is_one_line("Jane Doe"));
  CHECK_FALSE(is_one_line("Jane\nDoe"));
  CHECK_FALSE(is_one_line("\xFF"));
}

}  // namespace
}  // namespace warpgrade

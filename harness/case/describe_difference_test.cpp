#include "harness/case/describe_difference.h"

#include <catch2/catch_test_macros.hpp>
#include <string_view>

#include "harness/tolerance/align.h"
#include "harness/tolerance/compare.h"

namespace warpgrade {

namespace {

Array bytes(std::string_view text) {
  Array array(ElementType::u8, {text.size()});
  for (std::size_t i = 0; i < text.size(); ++i) array.bytes[i] = static_cast<std::byte>(text[i]);
  return array;
}

Expected expected(std::string_view text) {
  Expected want{.type = ElementType::u8, .want = {}, .bound = {}, .exact = {}};
  for (const char c : text) want.exact.push_back(static_cast<unsigned char>(c));
  return want;
}

TEST_CASE("a difference of texts is shown in its line, with its column", "[case][unit]") {
  const Array got = bytes("one\ntwo\nthrEe\n");
  const Expected want = expected("one\ntwo\nthree\n");
  CHECK(describe_text(got, want, matches(got, want), OutputForm::text) ==
        "The first difference is in line 3, column 4:\n  got  \"thrEe\\n\"\n  want \"three\\n\"");
}

TEST_CASE("characters that cannot be shown, and long lines, are abbreviated", "[case][unit]") {
  const std::string before(100, 'x');
  const Array got = bytes(before + "a\t" + std::string(100, 'y'));
  const Expected want = expected(before + "b\x01" + std::string(100, 'y'));
  const std::string said = describe_text(got, want, matches(got, want), OutputForm::text);
  CHECK(said.find("column 101") != std::string::npos);
  CHECK(said.find("...xxx") != std::string::npos);
  CHECK(said.find("a\\ty") != std::string::npos);
  CHECK(said.find("b\\x01y") != std::string::npos);
  CHECK(said.size() < 300);
}

TEST_CASE("a difference of bytes is shown in hexadecimal with its offset", "[case][unit]") {
  const Array got = bytes("0123456789");
  const Expected want = expected("012345678:");
  CHECK(describe_text(got, want, matches(got, want), OutputForm::bytes) ==
        "The first difference is at offset 9 (0x9); from offset 1:\n"
        "  got  31 32 33 34 35 36 37 38 39\n  want 31 32 33 34 35 36 37 38 3a");
}

TEST_CASE("free order says what does not belong and what is missing", "[case][unit]") {
  Array got(ElementType::i32, {4});
  const std::vector<std::int32_t> values = {7, 1, 7, 2};
  std::copy(values.begin(), values.end(), got.as<std::int32_t>().begin());
  const Expected want{.type = ElementType::i32, .want = {}, .bound = {}, .exact = {1, 2, 3, 4}};
  const Expected aligned = align(got, want, 1, {0, 4});
  CHECK(describe_free_order(got, aligned, matches(got, aligned), 1) ==
        "The order does not matter, but these do not belong: 7 (twice); and these are missing: 3, "
        "4.");
}

}  // namespace

}  // namespace warpgrade

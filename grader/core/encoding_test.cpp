#include "grader/core/encoding.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace warpgrade {
namespace {

using namespace std::string_literals;

/// ASCII in UTF-16.
std::string wide(const std::string& text, bool big_endian) {
  std::string bytes;
  for (const char c : text) bytes += big_endian ? "\0"s + c : c + "\0"s;
  return bytes;
}

TEST_CASE("bytes that are not UTF-8, and NUL, get a mark in their place", "[core][encoding]") {
  CHECK(as_utf8("").empty());
  CHECK(as_utf8("caf\xC3\xA9\n\x01") == "caf\xC3\xA9\n\x01");
  CHECK(as_utf8("a\0b\xff\xC3"s) ==
        "a\xEF\xBF\xBD"
        "b\xEF\xBF\xBD\xEF\xBF\xBD");
  CHECK(as_utf8("\xED\xA0\x80").size() == 9);  // a surrogate
}

TEST_CASE("text in UTF-16 is read in both byte orders, with and without a mark",
          "[core][encoding]") {
  const std::string text = "student,name\ns01,Doe\n";
  for (const std::string& bytes : {wide(text, false), wide(text, true),
                                   "\xFF\xFE" + wide(text, false), "\xFE\xFF" + wide(text, true)}) {
    const auto decoded = decode_text(bytes);
    REQUIRE(decoded.has_value());
    CHECK(decoded->text == text);
    CHECK(decoded->from == "UTF-16");
  }
  std::string wider = "\xFF\xFE\0\0"s;
  for (const char c : text) wider += c + "\0\0\0"s;
  CHECK(decode_text(wider)->text == text);
  CHECK(decode_text(wider)->from == "UTF-32");
  // A letter outside of ASCII: u with a diaeresis.
  CHECK(decode_text("\xFF\xFE\xFC\0a\0"s)->text ==
        "\xC3\xBC"
        "a");
}

TEST_CASE("UTF-8 stays as it is, without its mark, and other text is read as Windows-1252",
          "[core][encoding]") {
  CHECK(decode_text("J\xC3\xBCrgen")->text == "J\xC3\xBCrgen");
  CHECK(decode_text("J\xC3\xBCrgen")->from.empty());
  CHECK(decode_text("\xEF\xBB\xBF"
                    "a")
            ->text == "a");
  CHECK(decode_text("")->text.empty());
  CHECK(decode_text("J\xFCrgen")->text == "J\xC3\xBCrgen");
  CHECK(decode_text("J\xFCrgen")->from == "Windows-1252");
}

TEST_CASE("bytes that are not text are not decoded", "[core][encoding]") {
  CHECK_FALSE(decode_text("\x7F"
                          "ELF\2\1\0\0\0\0\0\1"s)
                  .has_value());
  CHECK_FALSE(decode_text("ab\0cd"s).has_value());
  CHECK_FALSE(decode_text("\xFF\xFE\x00\xD8"s).has_value());  // half of a surrogate pair
}

TEST_CASE("names are equal without case and however their letters are composed",
          "[core][encoding]") {
  CHECK(folded_name("J\xC3\xBCrgen") == folded_name("Ju\xCC\x88rgen"));
  CHECK(folded_name("J\xC3\x9CRGEN") == folded_name("j\xC3\xBCrgen"));
  CHECK(composed_name("Ju\xCC\x88rgen") == "J\xC3\xBCrgen");
  CHECK(composed_name("J\xC3\x9CRGEN") != composed_name("j\xC3\xBCrgen"));
  CHECK(folded_name("Jurgen") != folded_name("J\xC3\xBCrgen"));
  CHECK(folded_name("\xFF") == "\xFF");
}

}  // namespace
}  // namespace warpgrade

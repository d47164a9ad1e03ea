#include "emulator/ptx/type.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace warpsim::ptx;

TEST_CASE("every type is found by its own name", "[emulator][ptx][type]") {
  for (int i = 1; i <= static_cast<int>(Type::e5m2x2); ++i) {
    const auto type = static_cast<Type>(i);
    INFO(std::string(name(type)));
    CHECK(parse_type(name(type)) == type);
  }
}

TEST_CASE("sizes follow from the names of the types", "[emulator][ptx][type]") {
  CHECK(name(Type::u16x2) == "u16x2");
  CHECK(size_bytes(Type::u16x2) == 4);
  CHECK(size_bytes(*parse_type("bf16")) == 2);
  CHECK(size_bytes(*parse_type("tf32")) == 4);
  CHECK(size_bytes(*parse_type("b128")) == 16);
  CHECK(size_bytes(*parse_type("e4m3x2")) == 2);
  CHECK(is_float(*parse_type("bf16x2")));
  CHECK_FALSE(is_float(*parse_type("s16x2")));
}

TEST_CASE("near misses are not types", "[emulator][ptx][type]") {
  for (const auto* text : {"", "none", "u", "u7", "f8", "F32", "u32 ", "global"}) {
    CHECK_FALSE(parse_type(text));
  }
}

TEST_CASE("state spaces are found with their sub-spaces", "[emulator][ptx][type]") {
  CHECK(parse_space("const") == Space::constant);
  CHECK(parse_space("shared::cta") == Space::shared);
  CHECK(parse_space("shared::cluster") == Space::shared);
  CHECK(parse_space("param::entry") == Space::param);
  CHECK_FALSE(parse_space("shared::other"));
  CHECK_FALSE(parse_space("generic"));
  CHECK(name(Space::constant) == "const");
}

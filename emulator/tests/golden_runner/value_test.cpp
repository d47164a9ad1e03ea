#include "emulator/tests/golden_runner/value.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <stdexcept>

namespace warpsim::golden {
namespace {

using Catch::Matchers::Message;
using ptx::Type;

std::uint64_t bits(std::string_view text, Type type) {
  return static_cast<std::uint64_t>(parse_value(text, type));
}

bool holds(std::string_view expected, std::uint64_t got, Type type, Tolerance tolerance = {}) {
  return matches(parse_expected(expected, type), got, type, tolerance);
}

TEST_CASE("integers are cut to their type as signed or unsigned", "[golden][unit]") {
  CHECK(bits("-1", Type::s16) == 0xffff);
  CHECK(bits("-1", Type::u32) == 0xffffffff);
  CHECK(bits("4294967295", Type::s32) == 0xffffffff);
  CHECK(bits("0x_dead_beef", Type::b32) == 0xdeadbeef);
  CHECK(bits("-9223372036854775808", Type::s64) == 0x8000000000000000);
}

TEST_CASE("an integer that does not fit is an error", "[golden][unit]") {
  CHECK_THROWS_MATCHES(parse_value("65536", Type::u16), std::runtime_error,
                       Message("'65536' is not a value of type u16"));
  CHECK_THROWS_MATCHES(parse_value("-32769", Type::s16), std::runtime_error,
                       Message("'-32769' is not a value of type s16"));
  CHECK_THROWS_MATCHES(parse_value("2", Type::pred), std::runtime_error,
                       Message("'2' is not a value of type pred"));
  CHECK_THROWS_MATCHES(parse_value("1.5", Type::s32), std::runtime_error,
                       Message("'1.5' is not a value of type s32"));
}

TEST_CASE("float literals are the nearest value", "[golden][unit]") {
  CHECK(bits("0.1", Type::f32) == 0x3dcccccd);
  CHECK(bits("0.1", Type::f64) == 0x3fb999999999999a);
  CHECK(bits("-0.0", Type::f32) == 0x80000000);
  CHECK(bits("-inf", Type::f64) == 0xfff0000000000000);
  CHECK(bits("0x1.8p-3", Type::f32) == 0x3e400000);
  CHECK(bits("0x3f800000", Type::f32) == 0x3f800000);
  CHECK(bits("nan", Type::f32) == 0x7fffffff);
}

TEST_CASE("16-bit floats must be exact", "[golden][unit]") {
  CHECK(bits("1.5", Type::f16) == 0x3e00);
  CHECK(bits("65504", Type::f16) == 0x7bff);
  CHECK(bits("0x1p-24", Type::f16) == 0x0001);
  CHECK(bits("-inf", Type::bf16) == 0xff80);
  CHECK_THROWS_MATCHES(parse_value("0.1", Type::f16), std::runtime_error,
                       Message("'0.1' is not exact in f16; write its bits"));
}

TEST_CASE("packed values are written low half first", "[golden][unit]") {
  CHECK(bits("1.0:-2.0", Type::f16x2) == 0xc0003c00);
  CHECK(bits("-1:2", Type::s16x2) == 0x0002ffff);
  CHECK(bits("0x12345678", Type::u16x2) == 0x12345678);
  CHECK_THROWS_MATCHES(parse_value("1.0", Type::f16x2), std::runtime_error,
                       Message("'1.0' is not a value of type f16x2"));
}

TEST_CASE("values of 128 bits are written in full", "[golden][unit]") {
  const Bits value = parse_value("0x0123456789abcdeffedcba9876543210", Type::b128);
  CHECK(static_cast<std::uint64_t>(value >> 64) == 0x0123456789abcdef);
  CHECK(static_cast<std::uint64_t>(value) == 0xfedcba9876543210);
}

TEST_CASE("without a tolerance only the same bits match", "[golden][unit]") {
  CHECK(holds("1.0", 0x3f800000, Type::f32));
  CHECK_FALSE(holds("1.0", 0x3f800001, Type::f32));
  CHECK_FALSE(holds("0.0", 0x80000000, Type::f32));
}

TEST_CASE("nan matches every NaN and nothing else", "[golden][unit]") {
  CHECK(holds("nan", 0x7fc00000, Type::f32));
  CHECK(holds("nan", 0xff800001, Type::f32));
  CHECK_FALSE(holds("nan", 0x7f800000, Type::f32));
  CHECK_FALSE(holds("0x7fffffff", 0x7fc00000, Type::f32));
  CHECK(holds("nan:1.0", 0x3c007fff, Type::f16x2));
  CHECK_FALSE(holds("nan:1.0", 0x3c017fff, Type::f16x2));
}

TEST_CASE("a star matches anything", "[golden][unit]") {
  CHECK(holds("*", 0x1234, Type::b32));
  CHECK(holds("*:1", 0x0001abcd, Type::u16x2));
  CHECK_FALSE(holds("*:1", 0x0002abcd, Type::u16x2));
}

TEST_CASE("a distance in ulp is counted in representable values, through zero", "[golden][unit]") {
  CHECK(holds("1.0", 0x3f800002, Type::f32, {.ulp = 2}));
  CHECK_FALSE(holds("1.0", 0x3f800003, Type::f32, {.ulp = 2}));
  CHECK(holds("0.0", 0x80000001, Type::f32, {.ulp = 1}));
  CHECK_FALSE(holds("inf", 0x7f7fffff, Type::f32, {.ulp = 1}));
}

TEST_CASE("any tolerance that is met suffices", "[golden][unit]") {
  CHECK(holds("100.0", 0x42ca0000, Type::f32, {.abs = 1.0}));
  CHECK_FALSE(holds("100.0", 0x42ca0000, Type::f32, {.abs = 0.5}));
  CHECK(holds("100.0", 0x42ca0000, Type::f32, {.abs = 0.5, .rel = 0.01}));
  CHECK_FALSE(holds("100.0", 0x7fc00000, Type::f32, {.abs = 1e30}));
}

TEST_CASE("lists count up and down and repeat", "[golden][unit]") {
  using List = std::vector<std::string>;
  CHECK(split_list("1 2..4 7*2") == List{"1", "2", "3", "4", "7", "7"});
  CHECK(split_list("1..-1 *") == List{"1", "0", "-1", "*"});
  CHECK(split_list("").empty());
  CHECK_THROWS_MATCHES(split_list("1..x"), std::runtime_error,
                       Message("'1..x' is not a range of integers"));
  CHECK_THROWS_MATCHES(split_list("5*x"), std::runtime_error, Message("'5*x' is not a repetition"));
}

TEST_CASE("values are printed with their bits and their meaning", "[golden][unit]") {
  CHECK(print_bits(0xffff, Type::s16) == "0xffff (-1)");
  CHECK(print_bits(0x3fc00000, Type::f32) == "0x3fc00000 (1.5)");
  CHECK(print_bits(0xc0003c00, Type::f16x2) == "0x3c00 (1):0xc000 (-2)");
  CHECK(print_bits(1, Type::pred) == "1");
  CHECK(print_expected(parse_expected("nan", Type::f32), Type::f32) == "a NaN");
}

}  // namespace
}  // namespace warpsim::golden

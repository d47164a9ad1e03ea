#include "emulator/ptx/scopes.h"

#include <catch2/catch_test_macros.hpp>

using namespace warpsim::ptx;
namespace {

std::int64_t index_of(const Scopes& scopes, std::string_view name) {
  const auto symbol = scopes.find(name);
  return symbol ? std::int64_t{symbol->index} : -1;
}

}  // namespace

TEST_CASE("an inner name hides an outer one until its scope closes", "[emulator][ptx][scopes]") {
  Scopes scopes;
  scopes.open();
  REQUIRE(scopes.declare("x", {.index = 1}));
  scopes.open();
  CHECK(index_of(scopes, "x") == 1);
  REQUIRE(scopes.declare("x", {.index = 2}));
  REQUIRE(scopes.declare("y", {.index = 3}));
  CHECK(index_of(scopes, "x") == 2);
  scopes.close();
  CHECK(index_of(scopes, "x") == 1);
  CHECK(index_of(scopes, "y") == -1);
}

TEST_CASE("a scope refuses a second declaration, its sibling does not", "[emulator][ptx][scopes]") {
  Scopes scopes;
  scopes.open();
  scopes.open();
  const auto first = scopes.id();
  CHECK(scopes.declare("param0", {.kind = Scopes::Symbol::Kind::variable, .index = 0}));
  CHECK_FALSE(scopes.declare("param0", {.kind = Scopes::Symbol::Kind::variable, .index = 1}));
  scopes.close();
  scopes.open();
  CHECK(scopes.id() != first);
  CHECK(scopes.declare("param0", {.kind = Scopes::Symbol::Kind::variable, .index = 1}));
  CHECK(index_of(scopes, "param0") == 1);
}

TEST_CASE("a range declares its names and no others", "[emulator][ptx][scopes]") {
  Scopes scopes;
  scopes.open();
  REQUIRE(scopes.declare_range("%r", 12, {.index = 100}));
  CHECK(index_of(scopes, "%r0") == 100);
  CHECK(index_of(scopes, "%r11") == 111);
  CHECK(index_of(scopes, "%r12") == -1);
  CHECK(index_of(scopes, "%r01") == -1);
  CHECK(index_of(scopes, "%r") == -1);
  CHECK(index_of(scopes, "%rd1") == -1);
  CHECK(index_of(scopes, "%r99999999999999") == -1);
}

TEST_CASE("a prefix may end in a digit", "[emulator][ptx][scopes]") {
  Scopes scopes;
  scopes.open();
  REQUIRE(scopes.declare_range("%p", 3, {.index = 0}));
  REQUIRE(scopes.declare_range("%p1", 5, {.index = 10}));
  CHECK(index_of(scopes, "%p1") == 1);
  CHECK(index_of(scopes, "%p14") == 14);
  CHECK(index_of(scopes, "%p15") == -1);
}

TEST_CASE("an inner range hides only as many names as it has", "[emulator][ptx][scopes]") {
  Scopes scopes;
  scopes.open();
  REQUIRE(scopes.declare_range("t", 8, {.index = 0}));
  scopes.open();
  REQUIRE(scopes.declare_range("t", 2, {.index = 20}));
  CHECK(index_of(scopes, "t1") == 21);
  CHECK(index_of(scopes, "t2") == 2);
  REQUIRE(scopes.declare("t1", {.index = 30}));
  CHECK(index_of(scopes, "t1") == 30);
}

TEST_CASE("the elements of vector registers are consecutive", "[emulator][ptx][scopes]") {
  Scopes scopes;
  scopes.open();
  REQUIRE(scopes.declare_range("%v", 4, {.width = 2, .index = 10}));
  CHECK(index_of(scopes, "%v3") == 16);
}

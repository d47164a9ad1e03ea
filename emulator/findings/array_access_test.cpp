#include "emulator/findings/array_access.h"

#include <catch2/catch_test_macros.hpp>

namespace warpsim {
namespace {

TEST_CASE("an access is named by its offset and its element", "[findings][access]") {
  const ArrayAccess access{.offset = 40, .width = 4, .bytes = 40};
  CHECK(access.element() == 10);
  CHECK(access.elements() == 10);
  CHECK(access.in_words() == "byte offset 40 (element 10 of 4 bytes)");
  CHECK(ArrayAccess{.offset = 7, .width = 1, .bytes = 4}.in_words() ==
        "byte offset 7 (element 7 of 1 byte)");
}

TEST_CASE("elements before an array are negative and rounded away from it", "[findings][access]") {
  CHECK(ArrayAccess{.offset = -4, .width = 4, .bytes = 40}.element() == -1);
  CHECK(ArrayAccess{.offset = -5, .width = 4, .bytes = 40}.element() == -2);
  CHECK(ArrayAccess{.offset = -8, .width = 4, .bytes = 40}.in_words() ==
        "8 bytes before the start (element -2)");
}

TEST_CASE("only the element after the last one is next to an array", "[findings][access]") {
  CHECK(ArrayAccess{.offset = 40, .width = 4, .bytes = 40}.is_next_after());
  CHECK_FALSE(ArrayAccess{.offset = 44, .width = 4, .bytes = 40}.is_next_after());
  CHECK_FALSE(ArrayAccess{.offset = 36, .width = 4, .bytes = 40}.is_next_after());
  CHECK_FALSE(ArrayAccess{.offset = -4, .width = 4, .bytes = 40}.is_next_after());
}

TEST_CASE("a finding without an array has no element", "[findings][access]") {
  const ArrayAccess none;
  CHECK_FALSE(none.known());
  CHECK(none.element() == 0);
  CHECK(none.elements() == 0);
  CHECK_FALSE(none.is_next_after());
  CHECK(none.element_in_words().empty());
}

}  // namespace
}  // namespace warpsim

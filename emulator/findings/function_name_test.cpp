#include "emulator/findings/function_name.h"

#include <catch2/catch_test_macros.hpp>

namespace warpsim {
namespace {

TEST_CASE("the name of a function alone is cut out of the demangled one", "[emulator][findings]") {
  CHECK(bare_name("blur(float const*, int)") == "blur");
  CHECK(bare_name("void tile<16>(float const*, int)") == "tile");
  CHECK(bare_name("void image::tile<16, (bool)1>(float const*)") == "tile");
  CHECK(bare_name("void (anonymous namespace)::tile<16>(int)") == "tile");
  CHECK(bare_name("(anonymous namespace)::blur((anonymous namespace)::Map*)") == "blur");
  CHECK(bare_name("blur((anonymous namespace)::Map*)") == "blur");
  CHECK(bare_name("void (anonymous namespace)::(anonymous namespace)::tile(int)") == "tile");
  CHECK(bare_name("").empty());
}

}  // namespace
}  // namespace warpsim

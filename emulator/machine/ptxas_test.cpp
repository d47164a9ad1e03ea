#include "emulator/machine/ptxas.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>

using namespace warpsim;

TEST_CASE("registers are read from what ptxas prints", "[machine][ptxas][unit]") {
  const auto registers = parse_ptxas(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function '_Z1aPf' for 'sm_80'\n"
      "ptxas info    : Function properties for _Z1aPf\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 10 registers, used 0 barriers, 360 bytes cmem[0]\n"
      "ptxas info    : Function properties for _Z6helperf\n"
      "ptxas info    : Used 99 registers\n"
      "ptxas info    : Compiling entry function '_Z1bPf' for 'sm_80'\n"
      "ptxas info    : Used 255 registers\n");
  CHECK(registers == std::map<std::string, std::uint32_t>{{"_Z1aPf", 10}, {"_Z1bPf", 255}});
}

TEST_CASE("text that is not ptxas's has no registers", "[machine][ptxas][unit]") {
  CHECK(parse_ptxas("").empty());
  CHECK(parse_ptxas("Used 12 registers\n").empty());
  CHECK(parse_ptxas("Compiling entry function 'x' for\nUsed many registers\n").empty());
}

TEST_CASE("a module that ptxas refuses has no registers", "[machine][ptxas][unit]") {
  ::setenv("XDG_CACHE_HOME", "/nonexistent", 1);
  CHECK(ptxas_registers("this is no PTX", 80).empty());
}

#include "emulator/tests/golden_runner/module_file.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <stdexcept>

namespace warpsim::golden {
namespace {

using Catch::Matchers::Message;

const std::string kModule = "\n.version 8.6\n.target sm_90, debug\n.address_size 64\n";

void check_error(const std::string& text, const std::string& message) {
  CHECK_THROWS_MATCHES(parse_module_file("x.ptx", text), std::runtime_error, Message(message));
}

TEST_CASE("directives describe a launch and its arguments in order", "[golden][unit]") {
  const ModuleFile file = parse_module_file("x.ptx",
                                            "// A sentence: not a directive.\n"
                                            "// run: k grid=2 block=32,4 shared=16 cooperative\n"
                                            "// in: u32 1 2\n"
                                            "//  3\n"
                                            "// inout: s32 -1*2 = 5 6\n"
                                            "// out: f32 ulp 2 1.5\n"
                                            "// arg: u64 7" +
                                                kModule);
  CHECK(file.target == Target{"sm_90", "8.6"});
  REQUIRE(file.runs.size() == 1);
  const Run& run = file.runs[0];
  CHECK(run.entry == "k");
  CHECK(run.shape.grid[0] == 2);
  CHECK(run.shape.block[1] == 4);
  CHECK(run.shape.block[2] == 1);
  CHECK(run.shape.shared_bytes == 16);
  CHECK(run.shape.cooperative);
  REQUIRE(run.arguments.size() == 4);
  CHECK(run.arguments[0].before.size() == 3);
  CHECK(run.arguments[0].after.empty());
  CHECK(run.arguments[1].before[1] == 0xffffffff);
  CHECK(run.arguments[1].after.size() == 2);
  CHECK(run.arguments[2].before.empty());
  CHECK(run.arguments[2].tolerance.ulp == 2);
  CHECK_FALSE(run.arguments[3].is_buffer);
}

TEST_CASE("mistakes in directives are named with their line", "[golden][unit]") {
  check_error(kModule, "x.ptx:1: no run");
  check_error("// in: u32 1" + kModule, "x.ptx:1: an argument before the first run");
  check_error("// run: k fast" + kModule, "x.ptx:1: 'fast' is not an option of run");
  const std::string run = "// run: k\n";
  check_error(run + "// in: int 1" + kModule, "x.ptx:2: 'int' is not a type");
  check_error(run + "// in: u32" + kModule, "x.ptx:2: no values");
  check_error(run + "// out: u32 1 = 2" + kModule,
              "x.ptx:2: only inout has '=', between the values before and after");
  check_error(run + "// inout: u32 1 2 = 3" + kModule,
              "x.ptx:2: 2 values before the launch, 1 after");
  check_error(run + "// arg: u32 1\n.version 8.6\n", "x.ptx:2: no .target");
}

}  // namespace
}  // namespace warpsim::golden

#include "emulator/native/live_values.h"

#include <catch2/catch_test_macros.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "emulator/checkers/list.h"
#include "emulator/device/card.h"
#include "emulator/machine/launch.h"
#include "emulator/machine/linker.h"
#include "emulator/native/plan.h"

namespace warpsim::native {
namespace {

/// A kernel that was launched once, with one warp.
class Launched {
 public:
  explicit Launched(const std::string& body) {
    MachineOptions options;
    machine_ = std::make_unique<Machine>(default_card(), memory_, findings_, std::move(options),
                                         all_checkers());
    machine_->load({.ptx = ".version 8.8\n.target sm_80\n.address_size 64\n"
                           ".visible .entry k(.param .u64 p)\n{\n"
                           ".reg .b64 %out, %rd<4>;\n.reg .b32 %r<8>;\n.reg .f32 %f<4>;\n"
                           ".reg .pred %q;\n"
                           "ld.param.u64 %out, [p];\nmov.u32 %r0, %tid.x;\n"
                           "mul.wide.u32 %rd0, %r0, 4;\nadd.u64 %rd1, %rd0, %out;\n" +
                           body + "ret;\n}\n",
                    .origin = "values"});
    auto* const out = memory_.allocate(4096, GlobalMemory::Kind::device, "out");
    memory_.mark_written(*out, out->base, out->size);
    const std::uint64_t p = out->base;
    const void* arguments[] = {&p};
    LaunchRequest request;
    kernel_ = request.kernel = machine_->find_kernel("k");
    request.grid = {1, 1, 1};
    request.block = {32, 1, 1};
    request.arguments = arguments;
    REQUIRE(machine_->launch(request).status == LaunchStatus::ok);
  }

  [[nodiscard]] const Program& program() const { return *kernel_->entry; }
  /// Whether a register's place is dead before the instruction that begins with `text`.
  [[nodiscard]] bool is_dead(const std::string& name, const std::string& opcode) const {
    const auto& registers = program().function->registers;
    for (std::size_t i = 0; i < registers.size(); ++i) {
      if (registers[i].name != name) continue;
      for (const Inst& in : program().code) {
        const ptx::Instruction* const source = program().source[in.index];
        if (source == nullptr || source->opcode != opcode) continue;
        return LiveValues(program()).is_dead(in, program().register_slots[i], 64);
      }
    }
    FAIL("there is no " << name << " or no " << opcode);
    return false;
  }

 private:
  GlobalMemory memory_{std::uint64_t{1} << 24};
  FindingLog findings_;
  std::unique_ptr<Machine> machine_;
  const Kernel* kernel_ = nullptr;
};

TEST_CASE("a value is dead behind the last instruction that reads it", "[native]") {
  const Launched kernel(
      "ld.global.f32 %f0, [%rd1];\nadd.f32 %f1, %f0, %f0;\nst.global.f32 [%rd1], %f1;\n");
  CHECK_FALSE(kernel.is_dead("%f0", "add"));
  CHECK(kernel.is_dead("%f0", "st"));
  CHECK_FALSE(kernel.is_dead("%f1", "st"));
  CHECK(kernel.is_dead("%f1", "ret"));
}

TEST_CASE("a value that only the next turn of a loop reads is not dead", "[native]") {
  const Launched kernel(
      "mov.f32 %f0, 0f00000000;\nmov.u32 %r1, 3;\nL:\nadd.f32 %f0, %f0, %f0;\n"
      "sub.u32 %r1, %r1, 1;\nsetp.ne.u32 %q, %r1, 0;\n@%q bra L;\nst.global.u32 [%rd1], %r1;\n");
  CHECK_FALSE(kernel.is_dead("%f0", "setp"));
  CHECK(kernel.is_dead("%f0", "st"));
}

TEST_CASE("nothing is dead where other lanes may read a register", "[native]") {
  const Launched kernel(
      "ld.global.u32 %r1, [%rd1];\nshfl.sync.idx.b32 %r2, %r1, 0, 31, -1;\n"
      "st.global.u32 [%rd1], %r2;\n");
  CHECK_FALSE(kernel.is_dead("%r1", "st"));
}

/// Whether some run of the program has an instruction in front of its branch and one behind it.
bool goes_past_the_branch(const Program& program) {
  for (const RunExtent& run : find_runs(program)) {
    for (std::uint32_t i = 1; i + 1 < run.count(); ++i) {
      if (run.first[i].guard >= 0 && (run.first[i].flags & kControl) != 0) return true;
    }
  }
  return false;
}

const std::string kSum = "add.f32 %f1, %f0, %f0;\nadd.f32 %f2, %f1, %f1;\nadd.f32 %f3, %f2, %f1;\n";

const std::string kLoads = "ld.global.f32 %f0, [%rd1];\nld.global.u32 %r1, [%rd1];\n";
const std::string kStore = "st.global.f32 [%rd1], %f3;\n";

TEST_CASE("a run goes past a branch that skips something", "[native]") {
  const Launched skips(kLoads + "setp.ge.u32 %q, %r1, 100;\n@%q bra L;\n" + kSum + kStore + "L:\n");
  CHECK(goes_past_the_branch(skips.program()));
}

TEST_CASE("a run does not go past a loop's branch", "[native]") {
  const Launched loops(kLoads + "L:\nadd.u32 %r1, %r1, 1;\nsub.u32 %r2, %r1, 7;\n" +
                       "setp.lt.u32 %q, %r1, 9;\n@%q bra L;\n" + kSum + kStore);
  CHECK_FALSE(goes_past_the_branch(loops.program()));
}

}  // namespace
}  // namespace warpsim::native

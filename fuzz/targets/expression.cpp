#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "emulator/checkers/list.h"
#include "emulator/debug/expression.h"
#include "emulator/debug/scopes.h"
#include "emulator/device/card.h"
#include "emulator/machine/debugger.h"
#include "emulator/machine/launch.h"
#include "emulator/machine/linker.h"
#include "fuzz/input.h"

// An expression of a debugger's client, evaluated and shown in a lane of a kernel that stands
// still. It may be refused; what it reads is the program's memory only.

namespace {

using namespace warpsim;
using namespace warpsim::debug;

constexpr const char* kKernel = R"(.version 7.5
.target sm_75
.address_size 64
.visible .entry _Z1kPfi(.param .u64 _Z1kPfi_param_0, .param .u32 _Z1kPfi_param_1) {
  .reg .f32 %f<3>;
  .reg .b32 %r<3>;
  .reg .b64 %rd<4>;
  .shared .align 4 .b8 tile[128];
  ld.param.u64 %rd1, [_Z1kPfi_param_0];
  ld.param.u32 %r1, [_Z1kPfi_param_1];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd2, %r2, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.f32 %f1, [%rd3];
  add.f32 %f2, %f1, %f1;
  st.global.f32 [%rd3], %f2;
  ret;
}
)";

/// Evaluates the text before each instruction of the first warp.
class Evaluator final : public Debugger {
 public:
  explicit Evaluator(std::string text) : text_(std::move(text)) {}

  void begin(LaunchState& launch) override {
    info_ = std::make_unique<DebugInfo>(launch.program->module->ptx, types_);
  }
  bool runs_again(LaunchState&) override { return false; }
  bool block_begins(BlockContext&) override { return true; }
  void block_ends(BlockContext&) override {}
  void found(const WarpContext&, const Finding&) override {}
  const std::uint8_t* marks(const Program& program) override {
    marks_.resize(program.source.size());
    return marks_.data();
  }
  WarpContext& choose(BlockContext&, WarpContext& turn) override { return turn; }

  bool goes_on(WarpContext& context, const Inst& in) override {
    const Thread thread{&context, &context.frame(), &in, 5};
    const Names names{types_, *info_};
    const Lookup lookup = [&](std::string_view name) { return find_named(names, thread, name); };
    try {
      const Value value = evaluate(types_, thread, lookup, text_);
      (void)show(thread, value);
      if (value.type != nullptr && value.type->is_number()) {
        (void)debug::number_of(types_, thread, value);
      }
      (void)is_true(thread, value);
    } catch (const ExpressionError&) {
    }
    return true;
  }

 private:
  std::string text_;
  Types types_;
  std::unique_ptr<DebugInfo> info_;
  std::vector<std::uint8_t> marks_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  GlobalMemory memory(std::uint64_t{1} << 20);
  FindingLog findings;
  MachineOptions options;
  options.host_threads = 1;
  Machine machine(*find_card("t4"), memory, findings, options, all_checkers());
  const std::uint64_t buffer = memory.allocate(128, GlobalMemory::Kind::device, "buffer")->base;
  machine.load({.ptx = kKernel, .origin = "kernel.ptx"});
  Evaluator evaluator{std::string(fuzz::text_of(data, size))};
  machine.attach(evaluator);
  const int n = 32;
  const void* const arguments[] = {&buffer, &n};
  LaunchRequest request;
  request.kernel = machine.find_kernel("_Z1kPfi");
  request.grid = {1, 1, 1};
  request.block = {32, 1, 1};
  request.arguments = arguments;
  fuzz::require(machine.launch(request).status == LaunchStatus::ok);
  return 0;
}

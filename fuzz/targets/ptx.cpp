#include <array>
#include <memory>
#include <string>
#include <vector>

#include "emulator/checkers/list.h"
#include "emulator/device/card.h"
#include "emulator/machine/launch.h"
#include "emulator/ptx/module.h"
#include "fuzz/input.h"

// PTX text on its whole way: lexer, parser, linker, decoder, and every kernel run by some warps for
// a while. Whatever the text says, the emulator itself may only refuse it or report a finding.

namespace {

using namespace warpsim;

constexpr std::uint64_t kBudget = 2000;  // warp instructions
constexpr std::uint64_t kBufferBytes = 4096;
constexpr std::uint64_t kMostParameterBytes = 32764;  // as the runtime and hardware have it
constexpr std::uint64_t kMostSharedBytes = 48 * 1024;
constexpr std::uint64_t kMostLocalBytes = 16 * 1024;  // of a thread; more is only slower

void launch(Machine& machine, const Kernel& kernel, std::uint64_t buffer) {
  const KernelInfo& info = machine.info(kernel);
  std::uint64_t parameter_bytes = 0;
  for (const std::uint32_t size : info.parameter_sizes) parameter_bytes += size;
  if (parameter_bytes > kMostParameterBytes || info.static_shared_bytes > kMostSharedBytes ||
      info.local_bytes > kMostLocalBytes) {
    return;
  }
  // Every parameter is the address of the one buffer, as often as it fits.
  std::vector<std::uint64_t> value(kMostParameterBytes / 8 + 1, buffer);
  const std::vector<const void*> arguments(info.parameter_sizes.size(), value.data());
  LaunchRequest request;
  request.kernel = &kernel;
  request.grid = {2, 1, 1};
  request.block = {48, 1, 1};  // the second warp is half empty
  request.dynamic_shared_bytes = 256;
  request.arguments = arguments.data();
  fuzz::require(machine.launch(request).status != LaunchStatus::internal);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  ptx::ParseError error;
  const auto module = ptx::parse(text, error);
  if (!module) {
    (void)error.render("input.ptx", text);
    return 0;
  }
  GlobalMemory memory(std::uint64_t{1} << 24);
  FindingLog findings;
  MachineOptions options;
  options.host_threads = 1;
  options.instruction_budget = kBudget;
  Machine machine(*find_card("h200"), memory, findings, options, all_checkers());
  const GlobalMemory::Allocation* const buffer =
      memory.allocate(kBufferBytes, GlobalMemory::Kind::device, "buffer");
  try {
    machine.load({.ptx = text, .origin = "input.ptx"});
    for (const auto& function : module->functions) {
      if (!function.is_entry || function.is_declaration) continue;
      const Kernel* const kernel = machine.find_kernel(function.name);
      if (kernel != nullptr) launch(machine, *kernel, buffer->base);
    }
  } catch (const LoadError&) {
    return 0;
  }
  for (const Finding& finding : findings.sorted()) (void)render(finding);
  return 0;
}

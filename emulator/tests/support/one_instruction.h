#pragma once

// Runs one PTX instruction on the machine, an operand set a thread.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "emulator/checkers/list.h"
#include "emulator/machine/launch.h"

namespace warpsim {

/// The PTX type of registers and of memory for a C++ type.
template <class T>
constexpr std::string_view ptx_type() {
  if constexpr (std::is_same_v<T, float>) {
    return "f32";
  } else if constexpr (std::is_same_v<T, double>) {
    return "f64";
  } else {
    static_assert(std::is_integral_v<T> && sizeof(T) >= 2);
    return sizeof(T) == 2 ? "b16" : sizeof(T) == 4 ? "b32" : "b64";
  }
}

/// Memory, findings and a machine for one module.
class OneInstruction {
 public:
  /// @param text  the instruction with registers %d, %a, %b, %c and its semicolon
  template <class D, class... Operands>
  std::vector<D> run(std::string_view text, const std::vector<Operands>&... operands) {
    const std::size_t count = std::max({operands.size()...});
    std::string loads;
    std::string registers = fmt::format(".reg .{} %d;\n", ptx_type<D>());
    char name = 'a';
    const auto declare = [&](std::string_view type, std::size_t bytes) {
      registers += fmt::format(".reg .{} %{};\n", type, name);
      loads += fmt::format(
          "ld.param.u64 %p, [p{0}];\nmad.wide.u32 %p, %i, {2}, %p;\nld.global.{1} %{0}, [%p];\n",
          name, type, bytes);
      ++name;
    };
    (declare(ptx_type<Operands>(), sizeof(Operands)), ...);
    std::string parameters = ".param .u64 pd, .param .u32 pn";
    for (char p = 'a'; p < name; ++p) parameters += fmt::format(", .param .u64 p{}", p);
    machine_.load(
        {.ptx = fmt::format(".version 8.8\n.target sm_100\n.address_size 64\n"
                            ".visible .entry k({})\n{{\n{}.reg .b64 %p;\n.reg .b32 %i, %n, %t;\n"
                            ".reg .pred %q;\n"
                            "mov.u32 %i, %ctaid.x;\nmov.u32 %n, %ntid.x;\nmov.u32 %t, %tid.x;\n"
                            "mad.lo.u32 %i, %i, %n, %t;\nld.param.u32 %n, [pn];\n"
                            "setp.ge.u32 %q, %i, %n;\n@%q bra DONE;\n{}{}\n"
                            "ld.param.u64 %p, [pd];\nmad.wide.u32 %p, %i, {}, %p;\n"
                            "st.global.{} [%p], %d;\nDONE:\nret;\n}}\n",
                            parameters, registers, loads, text, sizeof(D), ptx_type<D>()),
         .origin = "one instruction"});
    std::vector<D> result(count);
    const std::uint64_t d = upload(std::as_bytes(std::span(result)));
    const std::array<std::uint64_t, sizeof...(Operands)> addresses = {
        upload(std::as_bytes(std::span(operands)))...};
    const auto n = static_cast<std::uint32_t>(count);
    std::vector<const void*> arguments = {&d, &n};
    for (const std::uint64_t& address : addresses) arguments.push_back(&address);
    LaunchRequest request;
    request.kernel = machine_.find_kernel("k");
    request.grid = {(n + 255) / 256, 1, 1};
    request.block = {256, 1, 1};
    request.arguments = arguments.data();
    const LaunchResult launched = machine_.launch(request);
    if (launched.status != LaunchStatus::ok || findings_.size() > 0) {
      std::string text_of_findings;
      for (const Finding& finding : findings_.sorted()) text_of_findings += render(finding);
      throw std::runtime_error(text_of_findings);
    }
    std::memcpy(result.data(), memory_.find(d)->host, count * sizeof(D));
    return result;
  }

  /// The message of the finding when the instruction cannot be executed.
  template <class D, class... Operands>
  std::string refusal(std::string_view text) {
    try {
      run<D>(text, std::vector<Operands>(1)...);
    } catch (const std::runtime_error&) {
      const auto findings = findings_.sorted();
      return findings.empty() ? "" : findings.front().message;
    }
    return "";
  }

 private:
  std::uint64_t upload(std::span<const std::byte> bytes) {
    GlobalMemory::Allocation* const allocation =
        memory_.allocate(bytes.size(), GlobalMemory::Kind::device, "operands");
    std::memcpy(allocation->host, bytes.data(), bytes.size());
    memory_.mark_written(*allocation, allocation->base, bytes.size());
    return allocation->base;
  }

  GlobalMemory memory_{std::uint64_t{1} << 30};
  FindingLog findings_;
  Machine machine_{default_card(), memory_, findings_, MachineOptions{}, all_checkers()};
};

/// As OneInstruction::run, on a fresh machine.
template <class D, class... Operands>
std::vector<D> run_instruction(std::string_view text, const std::vector<Operands>&... operands) {
  OneInstruction one;
  return one.run<D>(text, operands...);
}

/// What the machine says about an instruction that it refuses; empty when it runs.
template <class D, class... Operands>
std::string refusal_of(std::string_view text) {
  OneInstruction one;
  return one.refusal<D, Operands...>(text);
}

}  // namespace warpsim

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "emulator/report/report.h"

namespace warpsim {
namespace {

std::string plural(std::ptrdiff_t count, std::string_view word) {
  return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
}

std::string summary_line(std::span<const Finding> findings) {
  std::string parts;
  for (const auto& [severity, word] : {std::pair{Severity::error, "error"},
                                       {Severity::warning, "warning"},
                                       {Severity::note, "note"}}) {
    const auto count = std::ranges::count(findings, severity, &Finding::severity);
    if (count == 0) continue;
    if (!parts.empty()) parts += ", ";
    parts += plural(count, word);
  }
  return fmt::format("warpsim: {}\n", parts.empty() ? "no findings" : parts);
}

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

void add_row(std::string& text, std::string_view label, std::string_view value) {
  text += fmt::format("  {:<20} {}\n", label, value);
}

/// Rows for memory that moves in sectors, or in wavefronts where there are banks.
void add_access(std::string& text, std::string_view label, const Counts& counts, bool banks) {
  if (counts.requests == 0) return;
  const auto [passes, ideal, unit] =
      banks ? std::tuple{counts.wavefronts, counts.ideal_wavefronts, "wavefronts"}
            : std::tuple{counts.sectors, counts.ideal_sectors, "sectors"};
  add_row(text, label,
          fmt::format("{} requests, {:.2f} {} each (ideal {:.2f})", counts.requests,
                      ratio(passes, counts.requests), unit, ratio(ideal, counts.requests)));
}

std::string render_kernel(const KernelCounters& kernel) {
  std::string text = fmt::format(
      "{}: {}, grid ({},{},{}), block ({},{},{})\n", kernel.name,
      kernel.launches == 1 ? std::string("1 launch") : fmt::format("{} launches", kernel.launches),
      kernel.grid[0], kernel.grid[1], kernel.grid[2], kernel.block[0], kernel.block[1],
      kernel.block[2]);
  add_row(text, "warp instructions",
          fmt::format("{}, {:.2f} threads each", kernel.executed,
                      ratio(kernel.thread_instructions, kernel.executed)));
  const auto counts = [&](AccessKind kind) -> const Counts& {
    return kernel.by_kind[static_cast<std::size_t>(kind)];
  };
  using enum AccessKind;
  add_access(text, "global loads", counts(global_load), false);
  add_access(text, "global stores", counts(global_store), false);
  add_access(text, "global atomics", counts(global_atomic), false);
  add_access(text, "global reductions", counts(global_reduction), false);
  add_access(text, "local loads", counts(local_load), false);
  add_access(text, "local stores", counts(local_store), false);
  add_access(text, "shared loads", counts(shared_load), true);
  add_access(text, "shared stores", counts(shared_store), true);
  add_access(text, "shared atomics", counts(shared_atomic), true);
  if (kernel.divergent_branches != 0) {
    add_row(text, "divergent branches", fmt::format("{}", kernel.divergent_branches));
  }
  if (kernel.barriers != 0) add_row(text, "barriers", fmt::format("{}", kernel.barriers));
  if (kernel.flops_f32 != 0) add_row(text, "float operations", fmt::format("{}", kernel.flops_f32));
  if (kernel.flops_f64 != 0) {
    add_row(text, "double operations", fmt::format("{}", kernel.flops_f64));
  }
  add_row(text, "occupancy",
          fmt::format("{:.0f} %, limited by {}; {} registers, {} + {} bytes of shared memory",
                      100 * kernel.theoretical_occupancy, kernel.occupancy_limiter,
                      kernel.registers, kernel.static_shared_bytes, kernel.dynamic_shared_bytes));
  add_row(text, "modelled time", fmt::format("{:.4f} ms", kernel.modelled_ms));
  return text;
}

}  // namespace

std::string render_findings(std::span<const Finding> findings) {
  std::string text;
  for (const Finding& finding : findings) {
    text += render(finding);
    text += '\n';
  }
  return text + summary_line(findings);
}

std::string render_counters(std::span<const KernelCounters> kernels) {
  std::string text;
  for (const KernelCounters& kernel : kernels) {
    text += render_kernel(kernel);
    text += '\n';
  }
  return text;
}

}  // namespace warpsim

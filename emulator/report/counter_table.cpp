#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <tuple>
#include <vector>

#include "emulator/report/report.h"

namespace warpsim {
namespace {

constexpr std::size_t kColumns = 80;
constexpr std::size_t kMostLines = 12;
constexpr const char* kBold = "\033[1m";
constexpr const char* kYellow = "\033[33m";
constexpr const char* kReset = "\033[0m";

using enum AccessKind;

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

/// Shortens a text to `width` columns: keeps its end, after dots.
std::string fit_end(std::string_view text, std::size_t width) {
  if (text.size() <= width) return std::string(text);
  return "..." + std::string(text.substr(text.size() - (width - 3)));
}
std::string fit_start(std::string_view text, std::size_t width) {
  if (text.size() <= width) return std::string(text);
  return std::string(text.substr(0, width - 3)) + "...";
}

class Table {
 public:
  explicit Table(const TableStyle& style) : style_(style) {}

  void title(const std::string& name) { text_ += paint(kBold, fit_start(name, kColumns)) + "\n"; }
  void row(std::string_view label, const std::string& value, bool wasteful = false) {
    const std::string line = fmt::format("  {:<20} {}", label, value);
    text_ += (wasteful ? paint(kYellow, line) : line) + "\n";
  }
  void line(const std::string& line, bool wasteful = false) {
    text_ += (wasteful ? paint(kYellow, line) : line) + "\n";
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  [[nodiscard]] std::string paint(const char* colour, const std::string& text) const {
    return style_.colour ? colour + text + kReset : text;
  }

  TableStyle style_;
  std::string text_;
};

/// At least twice the minimum.
bool wastes(std::uint64_t got, std::uint64_t ideal) {
  return got >= 2 * ideal && got > ideal;
}

/// Rows for accesses in sectors or, for banked memory, in wavefronts.
void add_access(Table& table, std::string_view label, const Counts& counts, bool banks) {
  if (counts.requests == 0) return;
  const auto [passes, ideal, unit] =
      banks ? std::tuple{counts.wavefronts, counts.ideal_wavefronts, "wavefronts"}
            : std::tuple{counts.sectors, counts.ideal_sectors, "sectors"};
  table.row(label,
            fmt::format("{} requests, {:.2f} {} each (ideal {:.2f})", counts.requests,
                        ratio(passes, counts.requests), unit, ratio(ideal, counts.requests)),
            wastes(passes, ideal));
}

void add_contention(Table& table, std::string_view label, const Counts& counts) {
  if (counts.requests == 0) return;
  table.row(label, fmt::format("{:.2f} addresses per request, {:.2f} lanes on the busiest",
                               ratio(counts.distinct_addresses, counts.requests),
                               ratio(counts.max_multiplicity, counts.requests)));
}

void add_flops(Table& table, const Totals& totals) {
  struct Group {
    std::string_view label;
    std::vector<Arithmetic> parts;
  };
  using enum Arithmetic;
  const std::vector<Group> groups = {{"f16 operations", {hadd, hmul, hfma, hother}},
                                     {"f32 operations", {fadd, fmul, ffma, fother}},
                                     {"f64 operations", {dadd, dmul, dfma, dother}},
                                     {"tensor operations", {tensor}}};
  for (const Group& group : groups) {
    std::uint64_t sum = 0;
    for (const Arithmetic part : group.parts) sum += totals.flops[static_cast<std::size_t>(part)];
    if (sum != 0) table.row(group.label, fmt::format("{}", sum));
  }
}

void add_caches(Table& table, const KernelCounters& kernel) {
  const CacheTotals& caches = kernel.caches;
  if (caches.all_sectors() == 0) return;
  const Totals& t = kernel.totals;
  std::uint64_t looked_up = 0;
  std::uint64_t hits = 0;
  for (const AccessKind kind : {global_load, local_load, texture_load}) {
    looked_up += t[kind].sectors;
    hits += t[kind].l1_hits;
  }
  table.row("caches", fmt::format("L1 {:.1f} % of loads hit, L2 {} sectors, {:.1f} % hit",
                                  100 * ratio(hits, looked_up), caches.all_sectors(),
                                  100 * ratio(caches.all_hits(), caches.all_sectors())));
  table.row("memory", fmt::format("{} sectors read, {} written, {} still to be written",
                                  caches.dram_reads, caches.dram_writes, caches.dirty_at_end));
}

/// The sort key of lines: their total cost, in warp instructions and passes.
std::uint64_t weight(const Totals& totals) {
  std::uint64_t sum = totals.executed;
  for (const Counts& counts : totals.by_kind) sum += counts.sectors + counts.wavefronts;
  return sum;
}

std::string per_request(std::uint64_t passes, std::uint64_t ideal, std::uint64_t requests) {
  if (requests == 0) return fmt::format("{:>7} {:>6}", "-", "");
  return fmt::format("{:>7.2f} {:>6}", ratio(passes, requests),
                     fmt::format("/{:.2f}", ratio(ideal, requests)));
}

void add_line(Table& table, const LineCounters& line, std::uint64_t executed) {
  Counts sectors;
  Counts banks;
  for (const AccessKind kind : {global_load, global_store, global_atomic, global_reduction,
                                local_load, local_store, texture_load}) {
    sectors += line.totals[kind];
  }
  for (const AccessKind kind : {shared_load, shared_store, shared_atomic}) {
    banks += line.totals[kind];
  }
  const std::size_t slash = line.file.rfind('/');
  const std::string file = slash == line.file.npos ? line.file : line.file.substr(slash + 1);
  table.line(fmt::format("  {:<24} {:>6.1f} {:>7.2f} {} {} {:>7}",
                         fit_end(fmt::format("{}:{}", file, line.line), 24),
                         100 * ratio(line.totals.executed, executed),
                         ratio(line.totals.threads, line.totals.executed),
                         per_request(sectors.sectors, sectors.ideal_sectors, sectors.requests),
                         per_request(banks.wavefronts, banks.ideal_wavefronts, banks.requests),
                         line.totals.divergent),
             wastes(sectors.sectors, sectors.ideal_sectors) ||
                 wastes(banks.wavefronts, banks.ideal_wavefronts));
}

void add_lines(Table& table, const KernelCounters& kernel) {
  if (kernel.lines.empty()) return;
  std::vector<const LineCounters*> order;
  for (const LineCounters& line : kernel.lines) order.push_back(&line);
  std::ranges::stable_sort(order, std::greater<>(),
                           [](const LineCounters* line) { return weight(line->totals); });
  const std::size_t shown = std::min(order.size(), kMostLines);
  table.line(fmt::format("  {:<24} {:>6} {:>7} {:>7} {:>6} {:>7} {:>6} {:>7}", "line", "inst %",
                         "threads", "sectors", "/ideal", "wavefr.", "/ideal", "diverg."));
  for (std::size_t i = 0; i < shown; ++i) add_line(table, *order[i], kernel.totals.executed);
  if (shown < order.size()) {
    table.line(fmt::format("  and {} more lines with lower counts", order.size() - shown));
  }
}

void add_kernel(Table& table, const KernelCounters& kernel, bool lines) {
  const Totals& t = kernel.totals;
  table.title(kernel.name);
  table.row("launches", fmt::format("{}, grid ({},{},{}), block ({},{},{})", kernel.launches,
                                    kernel.grid[0], kernel.grid[1], kernel.grid[2], kernel.block[0],
                                    kernel.block[1], kernel.block[2]));
  table.row("warp instructions",
            fmt::format("{}, {:.2f} threads each", t.executed, ratio(t.threads, t.executed)));
  add_access(table, "global loads", t[global_load], false);
  add_access(table, "global stores", t[global_store], false);
  add_access(table, "global atomics", t[global_atomic], false);
  add_contention(table, "", t[global_atomic]);
  add_access(table, "global reductions", t[global_reduction], false);
  add_contention(table, "", t[global_reduction]);
  add_access(table, "local loads", t[local_load], false);
  add_access(table, "local stores", t[local_store], false);
  add_access(table, "texture loads", t[texture_load], false);
  add_access(table, "shared loads", t[shared_load], true);
  add_access(table, "shared stores", t[shared_store], true);
  add_access(table, "shared atomics", t[shared_atomic], true);
  add_contention(table, "", t[shared_atomic]);
  add_caches(table, kernel);
  if (t.divergent != 0) {
    table.row("divergent branches", fmt::format("{} of {}", t.divergent, t.branches));
  }
  if (t.barriers != 0) table.row("barriers", fmt::format("{}", t.barriers));
  add_flops(table, t);
  table.row("occupancy", fmt::format("{:.0f} %, limited by {}", 100 * kernel.theoretical_occupancy,
                                     kernel.occupancy_limiter));
  table.row("registers", fmt::format("{} ({})", kernel.registers, kernel.registers_source));
  if (kernel.static_shared_bytes + kernel.dynamic_shared_bytes != 0) {
    table.row("shared memory", fmt::format("{} + {} bytes per block", kernel.static_shared_bytes,
                                           kernel.dynamic_shared_bytes));
  }
  table.row("modelled time", fmt::format("{:.4f} ms", kernel.modelled_ms));
  if (lines) add_lines(table, kernel);
  table.line("");
}

}  // namespace

std::string render_counters(std::span<const KernelCounters> kernels, const TableStyle& style) {
  Table table(style);
  for (const KernelCounters& kernel : kernels) add_kernel(table, kernel, style.lines);
  if (!style.checks.counters) {
    table.line("not counted: accesses to memory, caches (--check counters,cache)");
  } else if (!style.checks.cache) {
    table.line("not counted: caches (--check cache)");
  }
  return table.take();
}

bool wants_colour(int file) {
  const char* const no_colour = std::getenv("NO_COLOR");
  if (no_colour != nullptr && *no_colour != '\0') return false;
  const char* const terminal = std::getenv("TERM");
  if (terminal != nullptr && std::string_view(terminal) == "dumb") return false;
  return ::isatty(file) != 0;
}

}  // namespace warpsim

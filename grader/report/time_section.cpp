#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "grader/core/text.h"
#include "grader/report/sections.h"
#include "grader/report/wording.h"

namespace warpgrade {
namespace {

constexpr std::size_t kMostKernels = 20;

}  // namespace

nlohmann::json chart_data(const Grade& grade) {
  nlohmann::json data;
  if (!grade.timing) {
    return data;
  }
  const Timing& t = *grade.timing;
  data["ratio"] = t.ratio;
  data["tiers"] = nlohmann::json::array();
  for (const TimingTier& tier : t.tiers) {
    data["tiers"].push_back({{"ratio", tier.ratio}, {"points", tier.points}});
  }
  if (t.roofline) {
    const auto point = [](const RooflinePoint& p) {
      return nlohmann::json{{"operations", p.operations}, {"bytes", p.bytes}, {"ms", p.ms}};
    };
    data["roofline"] = {{"operation", t.roofline->counts_flops ? "flop" : "instruction"},
                        {"peak", t.roofline->operations_per_second},
                        {"bandwidth", t.roofline->bytes_per_second},
                        {"submission", point(t.roofline->submission)},
                        {"reference", point(t.roofline->reference)}};
  }
  return data;
}

PageData timing_section(const Timing& timing) {
  PageData data = texts({{"case", timing.name},
                         {"source", timing.source},
                         {"submission", fmt::format("{:.4g}", timing.submission_ms)},
                         {"reference", fmt::format("{:.4g}", timing.reference_ms)},
                         {"ratio", fmt::format("{:.2f}", timing.ratio)}});
  PageData tiers(PageData::type::list);
  bool reached = false;
  for (const TimingTier& tier : timing.tiers) {
    PageData row =
        texts({{"ratio", fmt::format("{:g}", tier.ratio)}, {"points", human_points(tier.points)}});
    const bool here = !reached && timing.ratio <= tier.ratio;
    row.set("here", here);
    reached = reached || here;
    tiers.push_back(std::move(row));
  }
  set_list(data, "tiers", std::move(tiers));
  data.set("roofline", false);
  if (timing.roofline) {
    const Roofline& r = *timing.roofline;
    const std::string unit = r.counts_flops ? "Gflop/s" : "G instructions/s";
    PageData rows(PageData::type::list);
    const auto add = [&](const char* who, const RooflinePoint& p) {
      const double seconds = p.ms / 1000;
      const double rate = seconds > 0 ? p.operations / seconds : 0;
      const double intensity = p.bytes > 0 ? p.operations / p.bytes : 0;
      const double roof = p.bytes > 0
                              ? std::min(r.operations_per_second, intensity * r.bytes_per_second)
                              : r.operations_per_second;
      rows.push_back(texts(
          {{"who", who},
           {"rate", fmt::format("{} {}", grouped(std::round(rate / 1e8) / 10), unit)},
           {"bytes", human_bytes(static_cast<std::uint64_t>(p.bytes))},
           {"bandwidth", fmt::format("{:.4g} GB/s", seconds > 0 ? p.bytes / seconds / 1e9 : 0)},
           {"intensity", fmt::format("{:.3g}", intensity)},
           {"share", fmt::format("{:.0f} %", roof > 0 ? 100 * rate / roof : 0)}}));
    };
    add("Yours", r.submission);
    add("Reference", r.reference);
    PageData roof = texts(
        {{"peak", fmt::format("{} {}", grouped(std::round(r.operations_per_second / 1e9)), unit)},
         {"bandwidth", fmt::format("{:.4g} GB/s", r.bytes_per_second / 1e9)},
         {"operation", r.counts_flops ? "floating-point operation" : "warp instruction"}});
    roof.set("rows", std::move(rows));
    data.set("roofline", std::move(roof));
  }
  return data;
}

PageData kernel_rows(const Grade& grade) {
  PageData rows(PageData::type::list);
  for (std::size_t i = 0; i < std::min(kMostKernels, grade.kernels.size()); ++i) {
    const KernelReport& k = grade.kernels[i];
    const auto counter = [&](const char* name) {
      const auto it = k.counters.find(name);
      return it == k.counters.end() ? 0 : it->second;
    };
    const auto extents = [](const std::vector<std::uint64_t>& e) {
      std::string text;
      for (const std::uint64_t extent : e) {
        text += (text.empty() ? "" : " x ") + grouped(double(extent));
      }
      return text;
    };
    const double requests = counter("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum");
    rows.push_back(texts(
        {{"name", k.name},
         {"launches", grouped(double(k.launches))},
         {"grid", extents(k.grid)},
         {"block", extents(k.block)},
         {"ms", fmt::format("{:.4g}", counter("modelled_ms"))},
         {"occupancy", fmt::format("{:.0f} %", counter("sm__maximum_warps_per_active_cycle_pct"))},
         {"sectors",
          requests > 0
              ? fmt::format("{:.3g}",
                            counter("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum") / requests)
              : ""},
         {"conflicts", grouped(counter("l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum"))},
         {"dram", human_bytes(static_cast<std::uint64_t>(
                      32 * (counter("dram__sectors_read.sum") + counter("dram__sectors_write.sum") +
                            counter("l2_dirty_sectors_at_end"))))}}));
  }
  return rows;
}

}  // namespace warpgrade

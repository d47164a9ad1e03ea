#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "grader/core/text.h"
#include "grader/show/report/sections.h"
#include "grader/show/report/wording.h"
#include "harness/timing/statistics.h"

namespace warpgrade {
namespace {

constexpr std::size_t kMostKernels = 20;
constexpr std::size_t kMostRuns = 400;  // drawn

std::string milliseconds(double ms) {
  return fmt::format("{:.4g}", ms);
}

/// "15,670", "3.142": an integer from a thousand on.
std::string four_digits(double value) {
  return value >= 1000 ? grouped(std::round(value)) : fmt::format("{:.4g}", value);
}

PageData runs_row(const char* who, const std::vector<double>& runs) {
  return texts({{"who", who},
                {"count", std::to_string(runs.size())},
                {"fastest", milliseconds(quantile(runs, 0))},
                {"quarter", milliseconds(quantile(runs, 0.25))},
                {"median", milliseconds(quantile(runs, 0.5))},
                {"three_quarters", milliseconds(quantile(runs, 0.75))},
                {"slowest", milliseconds(quantile(runs, 1))}});
}

bool has_runs(const Timing& timing) {
  return timing.runs && !timing.runs->submission_ms.empty() && !timing.runs->reference_ms.empty();
}

/// The runs as multiples of the reference's time, the unit of the tiers.
nlohmann::json run_ratios(const Timing& timing) {
  const double unit = timing.reference_ms;
  const auto ratios = [&](const std::vector<double>& runs) {
    nlohmann::json list = nlohmann::json::array();
    for (std::size_t i = 0; i < std::min(kMostRuns, runs.size()) && unit > 0; ++i) {
      list.push_back(runs[i] / unit);
    }
    return list;
  };
  return {{"submission", ratios(timing.runs->submission_ms)},
          {"reference", ratios(timing.runs->reference_ms)}};
}

PageData roofline_row(const std::string& who, const RooflinePoint& p, const Roofline& r) {
  const double seconds = p.ms / 1000;
  const auto giga = [&](double amount) {
    return seconds > 0 ? four_digits(amount / seconds / 1e9) : "";
  };
  PageData row =
      texts({{"who", who},
             {"ms", milliseconds(p.ms)},
             {"rate", giga(p.operations)},
             {"intensity", p.bytes > 0 ? fmt::format("{:.3g}", p.operations / p.bytes) : ""},
             {"bytes", human_bytes(static_cast<std::uint64_t>(p.bytes))},
             {"bandwidth", giga(p.bytes)},
             {"share",
              p.floor_ms > 0 && p.ms > 0 ? fmt::format("{:.0f} %", 100 * p.floor_ms / p.ms) : ""}});
  row.set("flops", r.counts_flops());
  return row;
}

std::string type_name(const std::string& type) {
  return type == "tensor" ? "tensor cores" : type;
}

/// A sentence, unless the emulator counted, as the text above says.
std::string counted_words(CountSource source) {
  switch (source) {
    case CountSource::ncu:
      return "Operations and bytes were counted by ncu in the timed call.";
    case CountSource::task:
      return "This call was not profiled: operations are those of the task, bytes those of its "
             "arrays, transferred once. Use --profile to count them.";
    case CountSource::emulator:
      break;
  }
  return "Operations and bytes were counted by the emulator.";
}

PageData roofline_section(const Roofline& r) {
  PageData rows(PageData::type::list);
  PageData yours = roofline_row("Yours", r.submission, r);
  yours.set("own", true);
  rows.push_back(std::move(yours));
  rows.push_back(roofline_row("Reference", r.reference, r));
  for (const RungPoint& rung : r.rungs) {
    rows.push_back(roofline_row(fmt::format("Rung {}: {}", rung.rung, rung.title), rung.point, r));
  }
  std::vector<std::string> peaks;
  for (const Roof& roof : r.roofs) {
    peaks.push_back(fmt::format("{} Gflop/s ({})", four_digits(roof.operations_per_second / 1e9),
                                type_name(roof.type)));
  }
  PageData roof =
      texts({{"peaks", join_and(peaks)}, {"bandwidth", four_digits(r.bytes_per_second / 1e9)}});
  set_text(roof, "counted_by",
           counted_words(r.counted_by) +
               (r.kernels_only ? " Times are those of the kernels alone, without copies." : ""));
  set_text(roof, "limits",
           r.limits == LimitSource::measured
               ? "those of memory and f32 measured on this card, others by its "
                 "data sheet"
               : "from its data sheet");
  roof.set("flops", r.counts_flops());
  roof.set("has_rungs", !r.rungs.empty());
  roof.set("rows", std::move(rows));
  return roof;
}

nlohmann::json roofline_data(const Roofline& r) {
  const auto point = [](const RooflinePoint& p) {
    return nlohmann::json{{"operations", p.operations}, {"bytes", p.bytes}, {"ms", p.ms}};
  };
  nlohmann::json roofs = nlohmann::json::array();
  for (const Roof& roof : r.roofs) {
    roofs.push_back({{"name", type_name(roof.type)}, {"peak", roof.operations_per_second}});
  }
  if (roofs.empty()) {  // a grade of an earlier version
    roofs.push_back({{"name", ""}, {"peak", r.operations_per_second}});
  }
  nlohmann::json rungs = nlohmann::json::array();
  for (const RungPoint& rung : r.rungs) {
    rungs.push_back(point(rung.point));
    rungs.back()["rung"] = rung.rung;
  }
  return {{"flops", r.counts_flops()},         {"roofs", std::move(roofs)},
          {"rungs", std::move(rungs)},         {"bandwidth", r.bytes_per_second},
          {"submission", point(r.submission)}, {"reference", point(r.reference)}};
}

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
  if (has_runs(t)) {
    data["runs"] = run_ratios(t);
  }
  if (t.roofline) {
    data["roofline"] = roofline_data(*t.roofline);
  }
  return data;
}

PageData timing_section(const Grade& grade) {
  const Timing& timing = *grade.timing;
  const bool counts = grade.points_in(Category::performance) > 0;
  PageData data = texts({{"case", case_phrase(timing.name)},
                         {"source", timing.source},
                         {"submission", milliseconds(timing.submission_ms)},
                         {"reference", milliseconds(timing.reference_ms)},
                         {"ratio", fmt::format("{:.2f}", timing.ratio)}});
  PageData tiers(PageData::type::list);
  const TimingTier* reached = timing.reached();
  for (const TimingTier& tier : timing.tiers) {
    PageData row =
        texts({{"ratio", fmt::format("{:g}", tier.ratio)}, {"points", human_points(tier.points)}});
    const bool here = &tier == reached;
    row.set("here", here && counts);
    row.set("not_counted", here && !counts);
    tiers.push_back(std::move(row));
  }
  set_list(data, "tiers", std::move(tiers));
  data.set("runs", false);
  if (has_runs(timing)) {
    PageData rows(PageData::type::list);
    rows.push_back(runs_row("Yours", timing.runs->submission_ms));
    rows.push_back(runs_row("Reference", timing.runs->reference_ms));
    PageData runs(PageData::type::object);
    runs.set("rows", std::move(rows));
    set_text(
        runs, "interval",
        timing.runs->ratio_low && timing.runs->ratio_high
            ? fmt::format("{:.2f} to {:.2f}", *timing.runs->ratio_low, *timing.runs->ratio_high)
            : "");
    data.set("runs", std::move(runs));
  }
  data.set("roofline", false);
  if (timing.roofline) {
    data.set("roofline", roofline_section(*timing.roofline));
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
        {{"name", replace_all(k.name, "(anonymous namespace)::", "")},
         {"launches", grouped(double(k.launches))},
         {"grid", extents(k.grid)},
         {"block", extents(k.block)},
         {"ms", milliseconds(counter("modelled_ms"))},
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

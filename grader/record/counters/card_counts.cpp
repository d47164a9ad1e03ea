#include "grader/record/counters/card_counts.h"

#include <algorithm>
#include <array>

#include "grader/record/counters/emulator_report.h"
#include "grader/record/counters/kernel_name.h"
#include "grader/record/counters/ncu_table.h"
#include "harness/lab/counter_names.h"

namespace warpgrade {
namespace {

constexpr double kMillisecondsANanosecond = 1e-6;

/// Floating-point operations per instruction counter. The tensor cores' counters already count
/// operations.
struct FloatMetric {
  std::string_view counter;  // the name in formulas that it adds to
  const char* metric;
  double operations;
};
constexpr std::array kFloats = {
    FloatMetric{"flops_f32", "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 1},
    FloatMetric{"flops_f32", "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 1},
    FloatMetric{"flops_f32", "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 2},
    FloatMetric{"flops_f64", "smsp__sass_thread_inst_executed_op_dadd_pred_on.sum", 1},
    FloatMetric{"flops_f64", "smsp__sass_thread_inst_executed_op_dmul_pred_on.sum", 1},
    FloatMetric{"flops_f64", "smsp__sass_thread_inst_executed_op_dfma_pred_on.sum", 2},
    FloatMetric{"flops_half", "smsp__sass_thread_inst_executed_op_hadd_pred_on.sum", 1},
    FloatMetric{"flops_half", "smsp__sass_thread_inst_executed_op_hmul_pred_on.sum", 1},
    FloatMetric{"flops_half", "smsp__sass_thread_inst_executed_op_hfma_pred_on.sum", 2},
    FloatMetric{"flops_tensor", "sm__ops_path_tensor_src_fp16_dst_fp16.sum", 1},
    FloatMetric{"flops_tensor", "sm__ops_path_tensor_src_fp16_dst_fp32.sum", 1},
    FloatMetric{"flops_tensor", "sm__ops_path_tensor_src_bf16_dst_fp32.sum", 1},
    FloatMetric{"flops_tensor", "sm__ops_path_tensor_src_tf32_dst_fp32.sum", 1},
};

/// Columns that ncu always prints.
constexpr std::array kLaunchMetrics = {
    "launch__registers_per_thread", "launch__shared_mem_per_block_static",
    "launch__shared_mem_per_block_dynamic", "sm__maximum_warps_per_active_cycle_pct"};
constexpr const char* kActiveWarps = "sm__warps_active.avg.pct_of_peak_sustained_active";

bool is_sum(std::string_view metric) {
  return metric.ends_with(".sum");
}

double sum_of(const std::vector<KernelReport>& kernels, std::string_view metric) {
  double sum = 0;
  for (const KernelReport& kernel : kernels) {
    sum += kernel.counter(metric);
  }
  return sum;
}

ComparedKernel& row_of(std::vector<ComparedKernel>& rows, const KernelReport& kernel) {
  const std::string name = short_kernel_name(kernel.name);
  const auto it = std::find_if(rows.begin(), rows.end(),
                               [&](const ComparedKernel& row) { return row.name == name; });
  if (it != rows.end()) {
    return *it;
  }
  rows.emplace_back();
  rows.back().name = name;
  return rows.back();
}

}  // namespace

std::vector<std::string> card_metrics() {
  std::vector<std::string> metrics = {kDurationMetric, kActiveWarps};
  const auto add = [&](std::string_view metric) {
    if (std::find(metrics.begin(), metrics.end(), metric) == metrics.end()) {
      metrics.emplace_back(metric);
    }
  };
  for (const CounterName& counter : counter_names()) {
    if (counter.metric.find("__") != std::string_view::npos && is_sum(counter.metric)) {
      add(counter.metric);
    }
  }
  for (const FloatMetric& each : kFloats) {
    add(each.metric);
  }
  return metrics;
}

std::vector<KernelReport> kernels_of(const std::vector<ProfiledLaunch>& launches) {
  const std::vector<std::string> asked = card_metrics();
  const auto wanted = [&](const std::string& metric) {
    return std::find(asked.begin(), asked.end(), metric) != asked.end() ||
           std::find(kLaunchMetrics.begin(), kLaunchMetrics.end(), metric) != kLaunchMetrics.end();
  };
  std::vector<KernelReport> kernels;
  for (const ProfiledLaunch& launch : launches) {
    auto it = std::find_if(kernels.begin(), kernels.end(),
                           [&](const KernelReport& k) { return k.name == launch.kernel; });
    if (it == kernels.end()) {
      it = kernels.insert(kernels.end(), KernelReport{.name = launch.kernel,
                                                      .launches = 0,
                                                      .grid = {},
                                                      .block = {},
                                                      .counters = {},
                                                      .lines = {}});
    }
    ++it->launches;
    it->grid = launch.grid;
    it->block = launch.block;
    for (const auto& [metric, value] : launch.metrics) {
      if (wanted(metric)) {
        double& counter = it->counters[metric];
        counter = is_sum(metric) ? counter + value : std::max(counter, value);
      }
    }
  }
  return kernels;
}

std::map<std::string, double> work_of(const std::vector<KernelReport>& kernels) {
  std::map<std::string, double> work;
  for (const FloatMetric& each : kFloats) {
    work[std::string(each.counter)] += each.operations * sum_of(kernels, each.metric);
  }
  for (const char* name : {"dram_read_sectors", "dram_write_sectors", "warp_instructions"}) {
    work[name] = sum_of(kernels, find_counter(name)->metric);
  }
  return work;
}

double milliseconds_of(const std::vector<KernelReport>& kernels) {
  return sum_of(kernels, kDurationMetric) * kMillisecondsANanosecond;
}

std::vector<ComparedKernel> compare_counts(const std::vector<KernelReport>& emulator,
                                           const std::vector<KernelReport>& card) {
  std::vector<ComparedKernel> rows;
  // By the short name, which several kernels may share.
  std::map<std::string, std::map<std::string, std::pair<double, double>>> sums;
  for (const KernelReport& kernel : emulator) {
    ComparedKernel& row = row_of(rows, kernel);
    row.emulator_launches += kernel.launches;
    row.modelled_ms += kernel.counter(kTimeMetric);
    for (const auto& [metric, value] : kernel.counters) {
      sums[row.name][metric].first += value;
    }
  }
  for (const KernelReport& kernel : card) {
    ComparedKernel& row = row_of(rows, kernel);
    row.card_launches += kernel.launches;
    row.card_ms += kernel.counter(kDurationMetric) * kMillisecondsANanosecond;
    for (const auto& [metric, value] : kernel.counters) {
      sums[row.name][metric].second += value;
    }
  }
  const auto known_to = [](const std::vector<KernelReport>& kernels, const std::string& metric) {
    return std::any_of(kernels.begin(), kernels.end(),
                       [&](const KernelReport& k) { return k.counters.contains(metric); });
  };
  for (ComparedKernel& row : rows) {
    for (const CounterName& counter : counter_names()) {
      const std::string metric(counter.metric);
      // A counter that one side did not count is not 0.
      if (!is_sum(metric) || !known_to(emulator, metric) || !known_to(card, metric)) {
        continue;
      }
      const auto [ours, theirs] = sums[row.name][metric];
      if (ours != 0 || theirs != 0) {
        row.counters.push_back({.name = counter.name,
                                .metric = counter.metric,
                                .meaning = counter.meaning,
                                .emulator = ours,
                                .card = theirs});
      }
    }
  }
  return rows;
}

}  // namespace warpgrade

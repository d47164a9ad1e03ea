#include "grader/run/cost_model/launch_changes.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "emulator/findings/function_name.h"
#include "grader/run/cost_model/line_changes.h"

namespace warpgrade {
namespace {

using warpsim::CostInputs;

constexpr double kLaunchMs = 1e3 * warpsim::kLaunchSeconds;
/// With fewer blocks than this share of the multiprocessors, most of the device is idle, and the
/// work belongs to more threads; with more, only their division into blocks is questioned.
constexpr double kShareOfDevice = 0.25;
/// A multiprocessor with so many warps usually hides their latency.
constexpr double kFewWarps = 16;
/// A warp that executes fewer instructions has no work to share with another.
constexpr double kWorkOfWarp = 100;
/// Loads from shared memory of two threads that share the work of one: each still needs some of the
/// values that one would keep in registers.
constexpr double kLoadsOfHalf = 1.5;
/// Share of the time that must be idle to be advised on.
constexpr double kIdleShare = 0.2;

class LaunchSearch {
 public:
  LaunchSearch(const EmulatorReport& report, const LaunchCosts& costs)
      : report_(report), costs_(costs), ms_(costs.ms()) {}

  std::vector<WhatIf> run(std::size_t least_launches) {
    for (std::size_t k = 0; k < report_.kernels.size(); ++k) {
      fill_multiprocessors(k);
      fill_device(k);
      divide_blocks(k);
      fill_last_round(k);
      divide_work(k);
    }
    merge_launches(static_cast<double>(least_launches));
    return std::move(found_);
  }

 private:
  void consider(const char* change, std::string condition, const char* pitfall, std::size_t kernel,
                double ms) {
    const double times = ms > 0 ? ms_ / ms : 1;
    if (times >= kLeastGain) {
      found_.push_back(
          {.change = change,
           .condition = std::move(condition),
           .pitfall = pitfall,
           .kernel = kernel < report_.kernels.size() ? report_.kernels[kernel].name : "",
           .file = {},
           .line = 0,
           .ms = ms,
           .times_faster = times});
    }
  }

  /// Changes the groups of a kernel for which `change` returns true; nothing if there is none.
  template <class Change>
  std::optional<LaunchCosts> with(std::size_t kernel, Change change) const {
    LaunchCosts changed = costs_;
    bool any = false;
    for (LaunchCosts::Group& group : changed.groups()) {
      any |= group.kernel == kernel && change(group.inputs);
    }
    return any ? std::optional(std::move(changed)) : std::nullopt;
  }

  void fill_multiprocessors(std::size_t k) {
    const KernelReport& kernel = report_.kernels[k];
    consider("full-occupancy",
             fmt::format("{} had full occupancy instead of {:.0f} % (limited by {})",
                         warpsim::bare_name(kernel.name),
                         kernel.counter("sm__maximum_warps_per_active_cycle_pct"),
                         kernel.occupancy_limiter),
             "P66", k, ms_ / gain_of_full_occupancy(report_, costs_, k));
  }

  /// Blocks for all multiprocessors, where only a few have one: each then has as many warps as one
  /// had before.
  void fill_device(std::size_t k) {
    const double multiprocessors = costs_.card().multiprocessors;
    double threads = 0;
    double most = 0;
    bool all = true;
    const auto filled = with(k, [&](CostInputs& in) {
      const double blocks = in.blocks / in.launches;
      if (blocks > kShareOfDevice * multiprocessors) {
        all = false;
        return false;
      }
      most = std::max(most, blocks);
      threads = std::max(threads, kWarp * in.warps / in.blocks);
      in.blocks = multiprocessors * in.launches;
      in.warps *= multiprocessors / blocks;
      return true;
    });
    if (filled) {
      consider("all-multiprocessors",
               fmt::format("{} had {} blocks of {:.0f} threads, one for each multiprocessor{}",
                           warpsim::bare_name(report_.kernels[k].name), multiprocessors, threads,
                           all ? ""
                               : fmt::format(", where it now has {:.0f}{}", most,
                                             most > 1 ? " or fewer" : "")),
               "P71", k, filled->ms());
    }
  }

  /// The same threads in twice the blocks, where there are fewer blocks than multiprocessors. Often
  /// that only moves the idle time: two blocks of half the size on some multiprocessors, and one on
  /// the others.
  void divide_blocks(std::size_t k) {
    const double multiprocessors = costs_.card().multiprocessors;
    double blocks = 0;
    double threads = 0;
    const auto divided = with(k, [&](CostInputs& in) {
      const double now = in.blocks / in.launches;
      if (now <= kShareOfDevice * multiprocessors || now >= multiprocessors ||
          in.warps < 2 * in.blocks) {
        return false;
      }
      blocks = now;
      threads = kWarp * in.warps / in.blocks;
      in.blocks *= 2;
      in.blocks_per_multiprocessor *= 2;
      return true;
    });
    if (divided) {
      consider(
          "smaller-blocks",
          fmt::format("{} had {:.0f} blocks of {:.0f} threads instead of {:.0f} of {:.0f}, for "
                      "the {} multiprocessors",
                      warpsim::bare_name(report_.kernels[k].name), 2 * blocks, threads / 2, blocks,
                      threads, multiprocessors),
          "P71", k, divided->ms());
    }
  }

  void fill_last_round(std::size_t k) {
    const double multiprocessors = costs_.card().multiprocessors;
    const auto whole = with(k, [&](CostInputs& in) {
      const double blocks = in.blocks / in.launches;
      if (blocks < multiprocessors || std::fmod(blocks, multiprocessors) == 0) {
        return false;
      }
      const double even = std::floor(blocks / multiprocessors) * multiprocessors * in.launches;
      in.warps *= even / in.blocks;
      in.blocks = even;
      return true;
    });
    if (whole) {
      consider("whole-rounds",
               fmt::format("the number of {}'s blocks were a multiple of the {} multiprocessors",
                           warpsim::bare_name(report_.kernels[k].name), multiprocessors),
               "", k, whole->ms());
    }
  }

  /// Twice the threads with half of the work each, where there are too few warps to hide their
  /// latency.
  void divide_work(std::size_t k) {
    const warpsim::Card& card = costs_.card();
    double idle = 0;
    double fewest = kFewWarps;
    const auto divided = with(k, [&](CostInputs& in) {
      const warpsim::LaunchShape shape = warpsim::shape_of(in.scaled(1 / in.launches), card);
      if (!has_few_warps(in, card) || in.instructions < kWorkOfWarp * in.warps) {
        return false;
      }
      idle += costs_.scale() *
              warpsim::split_time(in, card).ms[static_cast<std::size_t>(warpsim::TimeCause::idle)];
      fewest = std::min(fewest, shape.active_warps);
      in.warps *= 2;
      scale_shared_loads(in, kLoadsOfHalf);
      return true;
    });
    if (divided && idle >= kIdleShare * ms_) {
      consider("more-threads",
               fmt::format("{} had twice as many threads with half of the work each, as {:.0f} "
                           "warps are too few to keep a multiprocessor busy",
                           warpsim::bare_name(report_.kernels[k].name), fewest),
               "P66", k, divided->ms());
    }
  }

  void merge_launches(double least) {
    const double launches = costs_.sum().launches;
    if (launches <= least) {
      return;
    }
    consider("one-launch",
             least > 1 ? fmt::format("{:.0f} launches did the work of {:.0f}", least, launches)
                       : fmt::format("one launch did the work of {:.0f}", launches),
             "", report_.kernels.size(), ms_ - costs_.scale() * kLaunchMs * (launches - least));
  }

  const EmulatorReport& report_;
  const LaunchCosts& costs_;
  double ms_ = 0;
  std::vector<WhatIf> found_;
};

}  // namespace

bool has_few_warps(const CostInputs& launches, const warpsim::Card& card) {
  const warpsim::LaunchShape shape =
      warpsim::shape_of(launches.scaled(1 / launches.launches), card);
  return launches.blocks > kShareOfDevice * card.multiprocessors * launches.launches &&
         shape.resident >= shape.rounds && shape.active_warps < kFewWarps;
}

std::vector<WhatIf> launch_changes(const EmulatorReport& report, const LaunchCosts& costs,
                                   std::size_t least_launches) {
  return LaunchSearch(report, costs).run(least_launches);
}

}  // namespace warpgrade

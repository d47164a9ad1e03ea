#include "grader/run/cost_model/what_if.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "grader/core/text.h"
#include "grader/run/cost_model/launch_changes.h"
#include "grader/run/cost_model/line_changes.h"

namespace warpgrade {
namespace {

using warpsim::Card;
using warpsim::CostInputs;

/// Sectors and wavefronts are examined if they exceed the minimum by this factor.
constexpr double kExcess = 1.1;
/// Loads whose lanes are all in different sectors exceed the minimum eight times; other loads of
/// the same line may be adjacent.
constexpr double kExcessOfWalks = 2;
/// A warp that does the work of a thread has its own indices and loop, and adds up 32 results.
constexpr double kInstructionsToShare = 64;
/// Lines with less than this share of a count are ignored.
constexpr double kShareOfLine = 0.05;
/// A value that is loaded at least so often is worth keeping in shared memory.
constexpr double kReloads = 4;
constexpr double kTileWidth = 16;
constexpr double kWideAccess = 4;  // floats
constexpr double kBytesOfWarp = 128;  // of a warp whose lanes access a float each
constexpr double kSectorBytes = 32;
constexpr double kSectorsOfWarp = 4;

// Limits the time for a program of any length.
constexpr std::size_t kMostSites = 100;
constexpr std::size_t kMostGroups = 200;

/// A line of a kernel, with its share of the traffic.
struct Site {
  std::size_t kernel = 0;
  const KernelLine* line = nullptr;
  CostInputs cost;
};

/// The wording of a change and its effect on one line.
struct LineChange {
  const char* slug;
  const char* pitfall;
  /// The condition, with "{}" for the lines.
  const char* condition;
  /// Whether the change applies to the line.
  bool (*concerns)(const CostInputs& line);
  void (*change)(CostInputs& line);
};

double per_request(double count, double requests) {
  return requests > 0 ? count / requests : 0;
}

void coalesce_loads(CostInputs& in) {
  set_loads(in, in.global_load_requests, in.global_load_ideal_sectors);
}

bool loads_floats_side_by_side(const CostInputs& in) {
  return in.global_load_requests > 0 &&
         in.global_load_sectors <= kExcess * in.global_load_ideal_sectors &&
         per_request(in.global_load_bytes, in.global_load_requests) > 0.8 * kBytesOfWarp &&
         per_request(in.global_load_bytes, in.global_load_requests) < 1.01 * kBytesOfWarp &&
         per_request(in.global_load_sectors, in.global_load_requests) > 0.8 * kSectorsOfWarp;
}
bool stores_floats_side_by_side(const CostInputs& in) {
  return in.global_store_requests > 0 &&
         in.global_store_sectors <= kExcess * in.global_store_ideal_sectors &&
         per_request(in.global_store_bytes, in.global_store_requests) > 0.8 * kBytesOfWarp &&
         per_request(in.global_store_bytes, in.global_store_requests) < 1.01 * kBytesOfWarp;
}

constexpr std::array kLineChanges = {
    LineChange{"coalesced-loads", "P62", "the loads of {} were coalesced",
               [](const CostInputs& in) {
                 return in.global_load_sectors > kExcess * in.global_load_ideal_sectors;
               },
               coalesce_loads},
    LineChange{"coalesced-stores", "P62", "the stores of {} were coalesced",
               [](const CostInputs& in) {
                 return in.global_store_sectors > kExcess * in.global_store_ideal_sectors;
               },
               [](CostInputs& in) {
                 set_stores(in, in.global_store_requests, in.global_store_ideal_sectors);
               }},
    LineChange{"no-bank-conflicts", "P69", "the shared accesses of {} had no bank conflicts",
               [](const CostInputs& in) {
                 return in.shared_load_wavefronts > kExcess * in.shared_load_ideal_wavefronts ||
                        in.shared_store_wavefronts > kExcess * in.shared_store_ideal_wavefronts ||
                        in.copy_wavefronts > kExcess * in.copy_ideal_wavefronts;
               },
               [](CostInputs& in) {
                 in.shared_load_wavefronts = in.shared_load_ideal_wavefronts;
                 in.shared_store_wavefronts = in.shared_store_ideal_wavefronts;
                 in.copy_wavefronts = in.copy_ideal_wavefronts;
               }},
    LineChange{"apart-in-shared", "P65",
               "the threads of a warp updated different words of shared memory at {}",
               [](const CostInputs& in) {
                 return in.shared_atomic_wavefronts > kExcess * in.shared_atomic_requests;
               },
               [](CostInputs& in) { in.shared_atomic_wavefronts = in.shared_atomic_requests; }},
    LineChange{"fewer-atomics", "P65", "{} did a tenth of its updates of global memory",
               [](const CostInputs& in) { return in.global_updates > 0; },
               [](CostInputs& in) { scale_global_atomics(in, 0.1); }},
    LineChange{"half-the-barriers", "P70", "half the barriers of {} were removed",
               [](const CostInputs& in) { return in.barriers > 0; },
               [](CostInputs& in) {
                 in.instructions -= in.barriers / 2;
                 in.barriers /= 2;
               }},
    LineChange{"wide-accesses", "", "each access of {} moved 16 bytes per thread",
               [](const CostInputs& in) {
                 return loads_floats_side_by_side(in) || stores_floats_side_by_side(in);
               },
               [](CostInputs& in) {
                 if (loads_floats_side_by_side(in)) {
                   set_loads(in, in.global_load_requests / kWideAccess, in.global_load_sectors);
                 }
                 if (stores_floats_side_by_side(in)) {
                   set_stores(in, in.global_store_requests / kWideAccess, in.global_store_sectors);
                 }
               }},
    LineChange{
        "reuse-in-registers", "",
        "each value that {} loads from shared memory were used for two results of its thread",
        [](const CostInputs& in) { return in.shared_load_requests > 0 && in.f32 > 0; },
        [](CostInputs& in) { scale_shared_loads(in, 0.5); }},
    LineChange{"full-warps", "P63", "all 32 threads of a warp were active at {}",
               [](const CostInputs& in) { return in.lanes < 0.75 * kWarp * in.instructions; },
               [](CostInputs& in) { in.instructions = in.lanes / kWarp; }},
    LineChange{
        "no-local-memory", "P67", "the values of {} stayed in registers",
        [](const CostInputs& in) { return in.local_load_requests + in.local_store_requests > 0; },
        [](CostInputs& in) {
          in.instructions =
              std::max(0.0, in.instructions - in.local_load_requests - in.local_store_requests);
          in.l2_reads = std::max(0.0, in.l2_reads - in.local_load_sectors + in.local_load_hits);
          in.l2_read_hits = std::min(in.l2_read_hits, in.l2_reads);
          in.dram_reads = std::min(in.dram_reads, in.l2_reads);
          in.l2_writes = std::max(0.0, in.l2_writes - in.local_store_sectors);
          in.dram_writes = std::min(in.dram_writes, in.l2_writes + in.l2_atomics);
          in.local_load_requests = in.local_load_sectors = in.local_load_hits = 0;
          in.local_store_requests = in.local_store_sectors = 0;
        }},
    LineChange{"float", "", "the arithmetic of {} were done in float instead of double",
               [](const CostInputs& in) { return in.f64 > 0; },
               [](CostInputs& in) {
                 in.f32 += in.f64;
                 in.f64 = 0;
               }},
};

std::string with_lines(const char* condition, const std::string& lines) {
  return replace_all(condition, "{}", lines);
}

class Search {
 public:
  Search(const EmulatorReport& report, const LaunchCosts& costs)
      : report_(report), costs_(costs), ms_(costs.ms()) {
    for (std::size_t k = 0; k < report.kernels.size(); ++k) {
      const CostInputs kernel = costs.sum(k);
      kernels_.push_back(kernel);
      for (const KernelLine& line : report.kernels[k].lines) {
        // Line 0 is a compiler's own code, such as what Numba calls a kernel by.
        if (is_own(line.file) && line.line > 0) {
          sites_.push_back({k, &line, line_with_traffic(line.cost, kernel)});
        }
      }
    }
    // For a long program, the lines with the most work; the others do not matter for its time.
    std::stable_sort(sites_.begin(), sites_.end(), [](const Site& a, const Site& b) {
      return a.cost.instructions > b.cost.instructions;
    });
    sites_.resize(std::min(sites_.size(), kMostSites));
  }

  std::vector<WhatIf> run(std::size_t least_launches) {
    if (costs_.groups().size() > kMostGroups) {
      return {};
    }
    for (const LineChange& change : kLineChanges) {
      change_lines(change);
    }
    coalesce_with_more_warps();
    share_loads();
    for (WhatIf& change : launch_changes(report_, costs_, least_launches)) {
      found_.push_back(std::move(change));
    }
    std::stable_sort(found_.begin(), found_.end(), [](const WhatIf& a, const WhatIf& b) {
      return std::tuple(-a.times_faster, a.line) < std::tuple(-b.times_faster, b.line);
    });
    return std::move(found_);
  }

 private:
  using Sites = std::vector<const Site*>;

  void consider(WhatIf what, const LaunchCosts& changed) {
    what.ms = changed.ms();
    what.times_faster = what.ms > 0 ? ms_ / what.ms : 1;
    if (what.times_faster >= kLeastGain) {
      found_.push_back(std::move(what));
    }
  }

  [[nodiscard]] LaunchCosts with(const Sites& sites,
                                 const std::function<void(CostInputs&)>& change) const {
    LaunchCosts changed = costs_;
    for (const Site* site : sites) {
      CostInputs after = site->cost;
      change(after);
      follow_counts(site->cost, after);
      changed.replace(site->kernel, site->cost, after);
    }
    return changed;
  }

  [[nodiscard]] WhatIf about(const char* slug, const char* pitfall, const char* condition,
                             const Sites& sites) const {
    std::vector<const KernelLine*> lines;
    for (const Site* site : sites) {
      lines.push_back(site->line);
    }
    return {.change = slug,
            .condition = with_lines(condition, lines_phrase(report_, lines)),
            .pitfall = pitfall,
            .kernel = report_.kernels[sites.front()->kernel].name,
            .file = sites.front()->line->file,
            .line = sites.front()->line->line};
  }

  /// Accesses of 16 bytes leave a quarter of the threads, and each has more to wait for: the worse
  /// of both counts.
  [[nodiscard]] LaunchCosts to_the_end(const LineChange& change, std::size_t kernel,
                                       LaunchCosts changed) const {
    if (change.slug != std::string_view("wide-accesses")) return changed;
    LaunchCosts fewer = changed;
    for (LaunchCosts::Group& group : fewer.groups()) {
      if (group.kernel != kernel) continue;
      group.inputs.warps /= kWideAccess;
      group.inputs.blocks /= kWideAccess;
    }
    return fewer.ms() > changed.ms() ? fewer : changed;
  }

  /// Tries each line alone, and all together if that gains more than the best of them.
  void change_lines(const LineChange& change) {
    Sites concerned;
    for (const Site& site : sites_) {
      if (change.concerns(site.cost)) {
        concerned.push_back(&site);
      }
    }
    struct Alone {
      const Site* site;
      double times;
    };
    std::vector<Alone> gains;
    double best = 1;
    for (const Site* site : concerned) {
      const LaunchCosts changed = to_the_end(change, site->kernel, with({site}, change.change));
      const double times = ms_ / changed.ms();
      best = std::max(best, times);
      gains.push_back({site, times});
      consider(about(change.slug, change.pitfall, change.condition, {site}), changed);
    }
    std::stable_sort(gains.begin(), gains.end(),
                     [](const Alone& a, const Alone& b) { return a.times > b.times; });
    constexpr std::size_t kMostTogether = 3;
    Sites together;
    for (const Alone& alone : gains) {
      if (alone.times > 1 + kShareOfLine * (best - 1) && together.size() < kMostTogether) {
        together.push_back(alone.site);
      }
    }
    if (together.size() < 2) {
      return;
    }
    const LaunchCosts changed = with(together, change.change);
    if (ms_ / changed.ms() >= kLeastGain * best) {
      consider(about(change.slug, change.pitfall, change.condition, together), changed);
    }
  }

  /// The loads of threads that each walk through elements of their own, done by a warp for each
  /// thread. With too few warps, coalesced loads alone do not help: each warp still waits for them.
  void coalesce_with_more_warps() {
    const Card& card = costs_.card();
    for (std::size_t k = 0; k < kernels_.size(); ++k) {
      Sites loading;
      for (const Site& site : sites_) {
        if (site.kernel == k &&
            site.cost.global_load_sectors > kExcessOfWalks * site.cost.global_load_ideal_sectors) {
          loading.push_back(&site);
        }
      }
      if (loading.empty()) {
        continue;
      }
      LaunchCosts changed = with(loading, coalesce_loads);
      bool any = false;
      for (LaunchCosts::Group& group : changed.groups()) {
        if (group.kernel == k && has_few_warps(group.inputs, card)) {
          any = true;
          const double threads = kWarp * group.inputs.warps;
          group.inputs.instructions += threads * kInstructionsToShare;
          group.inputs.lanes += threads * kInstructionsToShare * kWarp;
          group.inputs.blocks *= kWarp;
          group.inputs.warps *= kWarp;
        }
      }
      if (any) {
        consider(about("warp-per-thread", "P62",
                       "a warp did the work of each thread, so that the loads of {} were coalesced",
                       loading),
                 changed);
      }
    }
  }

  /// Loads of a kernel that read the same values repeatedly.
  void share_loads() {
    for (std::size_t k = 0; k < kernels_.size(); ++k) {
      const CostInputs& kernel = kernels_[k];
      // All caches are empty when a launch starts, so DRAM reads count the distinct values.
      const double distinct = kSectorBytes * kernel.dram_reads;
      const double reloads = distinct > 0 ? kernel.global_load_bytes / distinct : 0;
      Sites loading;
      for (const Site& site : sites_) {
        if (site.kernel == k &&
            site.cost.global_load_requests >= 0.1 * kernel.global_load_requests &&
            site.cost.global_load_requests > 0) {
          loading.push_back(&site);
        }
      }
      if (loading.empty() || reloads < 2) {
        continue;
      }
      const bool tiled = kernel.shared_load_requests > kernel.global_load_requests;
      if (tiled && kernel.barriers > 0) {
        enlarge_tile(kernel, loading);
      } else if (!tiled && reloads >= kReloads) {
        const double times = std::min(kTileWidth, reloads);
        const double lines = static_cast<double>(loading.size());
        const LaunchCosts changed =
            with(loading, [&](CostInputs& in) { move_to_tile(in, times, lines); });
        consider(about("tile", "P64",
                       "the data loaded at {} came from a tile in shared memory, loaded by the "
                       "whole block",
                       loading),
                 changed);
      }
    }
  }

  /// Half of the loads that fill a tile, for one of twice the size.
  void enlarge_tile(const CostInputs& kernel, Sites loading) {
    // What is stored at another line than it is loaded comes from a register. It is a tile if it is
    // read several times; sums of a block, which a tree adds up, are read once or twice.
    const bool rereads = kernel.shared_load_requests >= kReloads * kernel.shared_store_requests;
    std::erase_if(loading, [&](const Site* site) {
      const double stores =
          rereads ? kernel.shared_store_requests : site->cost.shared_store_requests;
      return stores < site->cost.global_load_requests / 2;
    });
    if (loading.empty()) {
      return;
    }
    const LaunchCosts changed = with(loading, [](CostInputs& in) {
      set_loads(in, in.global_load_requests / 2, in.global_load_sectors / 2);
    });
    consider(about("larger-tile", "P64", "the tiles that {} load were twice as large", loading),
             changed);
  }

  /// Loads through a tile that the block fills together: one in `times` remains, the others read
  /// shared memory.
  static void move_to_tile(CostInputs& in, double times, double lines) {
    const double requests = in.global_load_requests;
    const double remain = requests / times;
    set_loads(in, remain, std::min(in.global_load_sectors, kSectorsOfWarp * remain));
    in.instructions += requests + remain + 2 * remain / lines;
    in.shared_load_requests += requests;
    in.shared_load_wavefronts += requests;
    in.shared_load_ideal_wavefronts += requests;
    in.shared_store_requests += remain;
    in.shared_store_wavefronts += remain;
    in.shared_store_ideal_wavefronts += remain;
    in.barriers += 2 * remain / lines;  // after the loads and before the next tile
  }

  const EmulatorReport& report_;
  const LaunchCosts& costs_;
  double ms_ = 0;
  std::vector<CostInputs> kernels_;
  std::vector<Site> sites_;
  std::vector<WhatIf> found_;
};

}  // namespace

std::string lines_phrase(const EmulatorReport& report,
                         const std::vector<const KernelLine*>& lines) {
  std::set<std::string> files;
  for (const KernelReport& kernel : report.kernels) {
    for (const KernelLine& line : kernel.lines) {
      if (is_own(line.file) && line.line > 0) {
        files.insert(line.file);
      }
    }
  }
  std::set<std::pair<std::string, std::uint32_t>> places;
  for (const KernelLine* line : lines) {
    places.emplace(line->file, line->line);
  }
  std::vector<std::string> words;
  for (const auto& [file, line] : places) {
    words.push_back(
        files.size() > 1
            ? fmt::format("{}:{}", std::filesystem::path(file).filename().string(), line)
            : std::to_string(line));
  }
  if (files.size() > 1) {
    return join_and(words);
  }
  return (words.size() == 1 ? "line " : "lines ") + join_and(words);
}

double gain_of_full_occupancy(const EmulatorReport& report, const LaunchCosts& costs,
                              std::size_t kernel) {
  const double percent = report.kernels[kernel].counter("sm__maximum_warps_per_active_cycle_pct");
  if (!(percent > 0) || percent >= 99.5) {
    return 1;
  }
  LaunchCosts full = costs;
  for (LaunchCosts::Group& group : full.groups()) {
    if (group.kernel == kernel) {
      group.inputs.blocks_per_multiprocessor *= 100 / percent;
    }
  }
  const double ms = full.ms();
  return ms > 0 ? std::max(1.0, costs.ms() / ms) : 1;
}

std::vector<WhatIf> what_if(const EmulatorReport& report, const LaunchCosts& costs,
                            std::size_t least_launches) {
  return Search(report, costs).run(least_launches);
}

}  // namespace warpgrade

#include <fmt/format.h>

#include <algorithm>

#include "emulator/checkers/host_findings.h"

namespace warpsim {
namespace {

constexpr Dim3 kMaxBlock = {1024, 1024, 64};
constexpr Dim3 kMaxGrid = {2147483647, 65535, 65535};

std::string text_of(const Dim3& dim) {
  return fmt::format("({},{},{})", dim.x, dim.y, dim.z);
}

bool exceeds(const Dim3& dim, const Dim3& limit) {
  return dim.x > limit.x || dim.y > limit.y || dim.z > limit.z;
}

LaunchViolation violation(std::string message, std::string got, std::string want,
                          std::string next) {
  return {LaunchViolation::Code::configuration,
          std::move(message),
          std::move(got),
          std::move(want),
          std::move(next),
          FindingDetail::none};
}

std::optional<LaunchViolation> check_dimensions(const Card& card,
                                                const LaunchConfiguration& shape) {
  const std::string got =
      fmt::format("grid {}, block {}", text_of(shape.grid), text_of(shape.block));
  if (shape.grid.count() == 0) {
    LaunchViolation empty =
        violation("launch of a grid without blocks", got, "every dimension of the grid >= 1",
                  "A grid computed from n is empty for n = 0: launch only when there is work.");
    empty.detail = FindingDetail::no_blocks;
    return empty;
  }
  if (shape.block.count() == 0) {
    return violation("launch of blocks without threads", got, "every dimension of the block >= 1",
                     "Check how the block size is computed.");
  }
  const auto max_threads = static_cast<std::uint64_t>(card.max_threads_per_block);
  if (shape.block.count() > max_threads) {
    return violation(fmt::format("launch with {} threads per block", shape.block.count()), got,
                     fmt::format("at most {} threads per block", max_threads),
                     "The kernel did not run. Use smaller blocks and more of them.");
  }
  if (exceeds(shape.block, kMaxBlock)) {
    return violation("launch with a block that is too large in one dimension", got,
                     fmt::format("block at most {}", text_of(kMaxBlock)),
                     "The kernel did not run. Only x and y may reach 1024; z ends at 64.");
  }
  if (exceeds(shape.grid, kMaxGrid)) {
    return violation("launch with a grid that is too large in one dimension", got,
                     fmt::format("grid at most {}", text_of(kMaxGrid)),
                     "The kernel did not run. Put the long dimension into x, or loop in the "
                     "kernel.");
  }
  return std::nullopt;
}

std::optional<LaunchViolation> check_launch_bounds(const KernelInfo& kernel,
                                                   const LaunchConfiguration& shape) {
  const auto& most = kernel.limits.max_threads;
  const auto& exact = kernel.limits.required_threads;
  const std::string got = fmt::format("block {}", text_of(shape.block));
  if (exact[0] != 0) {
    const Dim3 required = {exact[0], exact[1] == 0 ? 1 : exact[1], exact[2] == 0 ? 1 : exact[2]};
    if (shape.block == required) return std::nullopt;
    return violation("launch with a block size other than the kernel requires", got,
                     fmt::format("block {} exactly", text_of(required)),
                     "The kernel did not run. Launch it with the block size that it declares.");
  }
  if (most[0] == 0) return std::nullopt;
  const std::uint64_t limit =
      std::uint64_t{most[0]} * (most[1] == 0 ? 1 : most[1]) * (most[2] == 0 ? 1 : most[2]);
  if (shape.block.count() <= limit) return std::nullopt;
  return violation(fmt::format("launch with {} threads per block of a kernel bounded to {}",
                               shape.block.count(), limit),
                   got, fmt::format("at most {} threads, as declared by __launch_bounds__", limit),
                   "The kernel did not run. Use smaller blocks or raise the bound.");
}

std::optional<LaunchViolation> check_shared(const Card& card, const KernelInfo& kernel,
                                            const LaunchConfiguration& shape) {
  const std::uint64_t fixed = kernel.static_shared_bytes;
  const std::uint64_t total = fixed + shape.dynamic_shared_bytes;
  const std::string got =
      fmt::format("{} bytes of shared memory per block: {} static and {} dynamic", total, fixed,
                  shape.dynamic_shared_bytes);
  if (total > card.shared_per_block_optin) {
    return violation("launch with more shared memory than the device has per block", got,
                     fmt::format("at most {} bytes on {}", card.shared_per_block_optin, card.name),
                     "The kernel did not run. The shared memory size of a launch is in bytes; use "
                     "smaller tiles.");
  }
  if (shape.dynamic_shared_bytes > shape.dynamic_shared_limit) {
    return violation(
        "launch with more dynamic shared memory than was allowed", got,
        fmt::format("at most {} dynamic bytes", shape.dynamic_shared_limit),
        fmt::format("The kernel did not run. Up to {} bytes are possible after "
                    "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, "
                    "bytes).",
                    card.shared_per_block_optin - fixed));
  }
  return std::nullopt;
}

bool fits_registers(const Card& card, const LaunchConfiguration& shape, std::uint32_t registers) {
  return occupancy(card, static_cast<int>(shape.block.count()), static_cast<int>(registers), 0)
             .blocks_per_sm > 0;
}

/// A kernel with bounds is compiled to fit them.
bool is_bounded(const KernelInfo& kernel) {
  return kernel.limits.max_threads[0] != 0 || kernel.limits.required_threads[0] != 0;
}

/// By what ptxas allocates. Where it could not be asked, only if half of the estimate is too much:
/// ptxas keeps as many registers as the estimate or more, and never saves that many of them.
std::optional<LaunchViolation> check_registers(const Card& card, const KernelInfo& kernel,
                                               const LaunchConfiguration& shape) {
  const bool known = kernel.allocated_registers != 0;
  const bool has_limit = is_bounded(kernel) || kernel.limits.max_registers != 0;
  if (!known && has_limit) return std::nullopt;
  const std::uint32_t registers = known ? kernel.allocated_registers : kernel.registers / 2;
  if (registers == 0 || fits_registers(card, shape, registers)) return std::nullopt;
  const std::uint64_t threads = shape.block.count();
  const std::string each =
      known ? fmt::format("{} registers each, as ptxas allocates them for {}", registers, card.name)
            : fmt::format("about {} registers each, by an estimate", kernel.registers);
  LaunchViolation result = violation(
      "launch of blocks that need more registers than a multiprocessor has",
      fmt::format("{} threads per block with {}", threads, each),
      fmt::format("at most {} registers for all threads of a block", card.registers_per_sm),
      fmt::format("The kernel did not run. Use smaller blocks, or declare the kernel "
                  "__launch_bounds__({}), which makes the compiler use fewer registers.",
                  threads));
  result.code = LaunchViolation::Code::too_many_resources;
  return result;
}

std::optional<LaunchViolation> check_cooperative(const Card& card, const KernelInfo& kernel,
                                                 const LaunchConfiguration& shape) {
  if (!shape.cooperative) return std::nullopt;
  const Occupancy fit =
      occupancy(card, static_cast<int>(shape.block.count()), static_cast<int>(kernel.registers),
                kernel.static_shared_bytes + shape.dynamic_shared_bytes);
  const auto resident = static_cast<std::uint64_t>(fit.blocks_per_sm) *
                        static_cast<std::uint64_t>(card.multiprocessors);
  if (shape.grid.count() <= resident) return std::nullopt;
  LaunchViolation result = violation(
      "cooperative launch of more blocks than can be resident at once",
      fmt::format("{} blocks of {} threads", shape.grid.count(), shape.block.count()),
      fmt::format("at most {} blocks: {} on each of {} multiprocessors, limited by {}", resident,
                  fit.blocks_per_sm, card.multiprocessors, fit.limiter),
      "The kernel did not run. Ask cudaOccupancyMaxActiveBlocksPerMultiprocessor for the grid size "
      "and let each block do more.");
  result.code = LaunchViolation::Code::cooperative_too_large;
  return result;
}

LaunchViolation cluster_violation(std::string message, std::string got, std::string want,
                                  std::string next) {
  LaunchViolation result =
      violation(std::move(message), std::move(got), std::move(want), std::move(next));
  result.code = LaunchViolation::Code::cluster_size;
  return result;
}

std::optional<LaunchViolation> check_cluster(const Card& card, const KernelInfo& kernel,
                                             const LaunchConfiguration& shape) {
  const auto& declared = kernel.limits.cluster;
  Dim3 cluster = shape.cluster;
  if (declared[0] != 0) {
    const Dim3 required = {declared[0], std::max(declared[1], 1u), std::max(declared[2], 1u)};
    if (cluster.count() > 1 && !(cluster == required)) {
      return cluster_violation("launch with a cluster size other than the kernel declares",
                               fmt::format("cluster {}", text_of(cluster)),
                               fmt::format("cluster {} exactly", text_of(required)),
                               "The kernel did not run. Leave the launch attribute out, or give "
                               "the size of __cluster_dims__.");
    }
    cluster = required;
  }
  if (cluster == Dim3{}) return std::nullopt;
  const std::string got = fmt::format("grid {}, cluster {}", text_of(shape.grid), text_of(cluster));
  if (cluster.count() == 0) {
    return cluster_violation("launch with an empty cluster", got,
                             "every dimension of the cluster >= 1",
                             "The kernel did not run. Check how the cluster size is computed.");
  }
  if (card.major < 9) {
    return cluster_violation("launch with clusters on a device without clusters", got,
                             fmt::format("compute capability 9.0 or later; {} has {}.{}", card.name,
                                         card.major, card.minor),
                             "The kernel did not run. Choose such a card: --card h100.");
  }
  const std::uint64_t most = shape.non_portable_cluster ? 16 : 8;
  if (cluster.count() > most) {
    return cluster_violation(
        fmt::format("launch with clusters of {} blocks", cluster.count()), got,
        fmt::format("at most {} blocks per cluster", most),
        "The kernel did not run. Up to 16 are possible after cudaFuncSetAttribute(kernel, "
        "cudaFuncAttributeNonPortableClusterSizeAllowed, 1) on devices that support them.");
  }
  if (shape.grid.x % cluster.x != 0 || shape.grid.y % cluster.y != 0 ||
      shape.grid.z % cluster.z != 0) {
    return cluster_violation("launch of a grid that is not a multiple of its cluster size", got,
                             "a multiple of the cluster size in each dimension of the grid",
                             "The kernel did not run. Round the number of blocks up.");
  }
  return std::nullopt;
}

}  // namespace

bool may_lack_registers(const Card& card, const KernelInfo& kernel,
                        const LaunchConfiguration& shape) {
  if (is_bounded(kernel) || kernel.allocated_registers != 0 || check_dimensions(card, shape))
    return false;
  // ptxas keeps up to half as many again as the estimate: it moves loads up to hide their latency.
  const std::uint32_t at_worst = std::min(kernel.registers * 3 / 2, 255u);
  const std::uint32_t most = kernel.limits.max_registers;
  return !fits_registers(card, shape, most != 0 ? std::min(at_worst, most) : at_worst);
}

std::optional<LaunchViolation> check_launch(const Card& card, const KernelInfo& kernel,
                                            const LaunchConfiguration& shape) {
  if (auto found = check_dimensions(card, shape)) return found;
  if (auto found = check_launch_bounds(kernel, shape)) return found;
  if (auto found = check_shared(card, kernel, shape)) return found;
  if (auto found = check_registers(card, kernel, shape)) return found;
  if (auto found = check_cluster(card, kernel, shape)) return found;
  return check_cooperative(card, kernel, shape);
}

Finding illegal_launch(const CallSite& site, const std::string& kernel,
                       const LaunchViolation& violation) {
  Finding finding(FindingKind::illegal_launch);
  finding.kernel = kernel;
  finding.message = fmt::format("{}: {}", kernel, violation.message);
  place(finding, site);
  finding.got = violation.got;
  finding.want = violation.want;
  finding.next = violation.next;
  finding.detail = violation.detail;
  return finding;
}

Finding unchecked_error(const CallSite& site, std::string_view error_name, bool by_launch) {
  Finding finding(FindingKind::unchecked_error);
  finding.message =
      by_launch
          ? fmt::format("a launch failed with {} and the program did not check", error_name)
          : fmt::format("{} failed with {} and the program did not check", site.api, error_name);
  place(finding, site);
  finding.got = error_name;
  finding.want = "a program that checks every error";
  finding.next = by_launch ? "Call cudaGetLastError() after the launch and check the result of "
                             "cudaDeviceSynchronize()."
                           : "Check the return value of every runtime call.";
  return finding;
}

}  // namespace warpsim

#include <algorithm>
#include <array>
#include <string_view>

#include "emulator/ptx/operands.h"

namespace warpsim::ptx {
namespace {

// PTX ISA 9.0, chapter 10. A '#' at the end of a name is replaced by a number.
constexpr std::array<std::string_view, 36> kScalars = {
    "laneid",
    "warpid",
    "nwarpid",
    "smid",
    "nsmid",
    "gridid",
    "is_explicit_cluster",
    "cluster_ctarank",
    "cluster_nctarank",
    "lanemask_eq",
    "lanemask_le",
    "lanemask_lt",
    "lanemask_ge",
    "lanemask_gt",
    "clock",
    "clock_hi",
    "clock64",
    "globaltimer",
    "globaltimer_lo",
    "globaltimer_hi",
    "reserved_smem_offset_begin",
    "reserved_smem_offset_end",
    "reserved_smem_offset_cap",
    "reserved_smem_offset_#",
    "total_smem_size",
    "aggr_smem_size",
    "dynamic_smem_size",
    "current_graph_exec",
    "envreg#",
    "pm#",
    "pm0_64",
    "pm1_64",
    "pm2_64",
    "pm3_64",
    "pm4_64",
    "pm5_64",
};

constexpr std::array<std::string_view, 8> kVectors = {
    "tid", "ntid", "ctaid", "nctaid", "clusterid", "nclusterid", "cluster_ctaid", "cluster_nctaid"};

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= 2 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool matches(std::string_view pattern, std::string_view name) {
  if (pattern.back() != '#') return pattern == name;
  pattern.remove_suffix(1);
  return name.starts_with(pattern) && is_number(name.substr(pattern.size()));
}

}  // namespace

bool is_special_register(std::string_view name) {
  const std::size_t dot = name.find('.');
  const std::string_view base = name.substr(0, dot);
  if (std::find(kVectors.begin(), kVectors.end(), base) != kVectors.end()) {
    return dot == std::string_view::npos || element_position(name.substr(dot + 1)) >= 0;
  }
  return dot == std::string_view::npos &&
         std::any_of(kScalars.begin(), kScalars.end(),
                     [&](std::string_view pattern) { return matches(pattern, name); });
}

}  // namespace warpsim::ptx

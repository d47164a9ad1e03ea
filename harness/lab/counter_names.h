#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace warpgrade {

/// How a counter of a case is computed from those of its kernels.
enum class CounterScope : std::uint8_t {
  all_kernels,  // the sum over all kernels
  costliest_kernel,  // of the kernel with the longest modelled time
  launches,  // kernels launched
  block_threads,  // threads per block, of the costliest kernel
  largest_grid,  // blocks of the largest launch
  transfers,  // of the run, not of kernels
  timeline_time,  // microseconds of the call, with copies and waits
  timeline_overlap,  // microseconds of it in which two engines worked
};

/// A counter that a lab's formulas may name.
struct CounterName {
  std::string_view name;  // in lab.toml
  CounterScope scope = CounterScope::all_kernels;
  std::string_view metric = {};  // in the emulator's report; empty if the scope is enough
  std::string_view metric_too = {};  // a second metric, added to the first
  std::string_view meaning;
  /// Counts the same, without what is not meant by the name; used where a report has it, as the
  /// emulator's. Others, such as ncu's and those of ladder.json, have only `metric`.
  std::string_view narrower = {};
};

[[nodiscard]] std::span<const CounterName> counter_names();
/// Null if there is none with that name.
[[nodiscard]] const CounterName* find_counter(std::string_view name);

}  // namespace warpgrade

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

// The one table of what checkers report. The emulator makes its findings from it, and a grade reads
// from it what they mean; there is no other list of kinds.

namespace warpsim {

enum class Severity { note, warning, error };
/// "note", "warning", "error": as printed and as written to the report.
[[nodiscard]] std::string_view severity_name(Severity severity);

enum class FindingKind : std::uint8_t {
  oob_global_read,
  oob_global_write,
  oob_shared_read,
  oob_shared_write,
  oob_local_read,
  oob_local_write,
  oob_surface_read,
  oob_surface_write,
  null_pointer,
  host_pointer_in_kernel,
  write_to_constant,
  misaligned_global,
  misaligned_shared,
  misaligned_local,
  misaligned_generic,
  misaligned_surface,
  misaligned_bulk_copy,
  invalid_texture,
  invalid_surface,
  use_after_free,
  double_free,
  invalid_free,
  invalid_device_free,
  leak,
  unwritten_global_read,
  unwritten_shared_read,
  unwritten_local_read,
  unwritten_copy,
  race_shared,
  race_global,
  race_same_value,
  warp_synchronous,
  fence_scope,
  barrier_divergence,
  barrier_early_exit,
  sync_mask,
  shuffle_inactive_lane,
  deadlock,
  block_order,
  instruction_budget,
  stack_overflow,
  assertion,
  trap,
  bad_function_pointer,
  unresolved_call,
  device_runtime_call,
  async_copy_in_flight,
  async_copy_overwritten,
  async_copy_source,
  async_copy_after_exit,
  mbarrier_uninitialized,
  mbarrier_overwritten,
  mbarrier_overflow,
  mbarrier_not_shared,
  mbarrier_deadlock,
  cluster_shared_after_exit,
  cluster_barrier,
  illegal_launch,
  oob_copy,
  invalid_copy_pointer,
  wrong_copy_direction,
  symbol_copied_by_address,
  host_access_of_device_memory,
  host_access_before_sync,
  stream_race,
  unchecked_error,
  unsupported_api,
  unsupported_instruction,
  unloadable_module,
  internal_error,
};

/// What a finding means for a grade.
enum class FindingEffect : std::uint8_t {
  unsafe,  // costs the points for safety
  half,  // costs half of them
  advice,  // costs nothing
  not_assessed,  // the emulator lacks something or broke: the case cannot be judged
};

/// What a finding is about.
enum class FindingTopic : std::uint8_t {
  address,  // an access that no memory answers; a GPU ends the program for most of them
  lifetime,  // of allocations
  tidiness,  // leaves memory intact and every result right
  unwritten,  // uninitialized memory
  race,  // accesses that nothing orders
  luck,  // what no rule promises, although it went well here
  waiting,  // barriers, masks and mbarriers, and waits in vain
  endless,  // a kernel that does not end
  stop,  // a kernel that ends by a fault of its own
  launch,  // a launch that is refused
  emulator,  // what the emulator lacks, or where it broke
};

struct FindingInfo {
  FindingKind kind;
  std::string_view slug;  // "oob-global-read"; stable: reports, labs and grades have it
  std::string_view title;  // for people: "read past the end of an array"
  FindingTopic topic;
  /// Of most findings of this kind; one whose data tells more may be milder, never worse.
  Severity severity = Severity::error;
  /// "P1" when the kind implies one; else empty, and a finding's data may imply one. A finding's
  /// own, where its data tells more, takes its place.
  std::string_view pitfall = {};
  FindingEffect effect = FindingEffect::unsafe;
  /// It says what happened, not why: only the lab knows which barrier is missing, or what was to be
  /// set to zero.
  bool many_causes = false;
};

/// All kinds, in the order of the enumerators.
[[nodiscard]] std::span<const FindingInfo> finding_kinds();
[[nodiscard]] const FindingInfo& info_of(FindingKind kind);
[[nodiscard]] std::string_view slug(FindingKind kind);
/// The row with this slug; null if there is none.
[[nodiscard]] const FindingInfo* find_finding_kind(std::string_view slug);

}  // namespace warpsim

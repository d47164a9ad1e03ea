#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

// The only table of kinds of findings, used by the emulator and by grading.

namespace warpsim {

enum class Severity { note, warning, error };
inline constexpr std::array<std::string_view, 3> kSeverityNames = {"note", "warning", "error"};
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
  no_peer_access,
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
  read_only_written,
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
  proxy_fence,
  tensor_map,
  matrix_descriptor,
  warp_group,
  group_fence,
  group_registers,
  group_operand,
  cluster_shared_after_exit,
  cluster_barrier,
  illegal_launch,
  stream_of_other_device,
  oob_copy,
  invalid_copy_pointer,
  wrong_copy_direction,
  symbol_copied_by_address,
  host_access_of_device_memory,
  host_access_before_sync,
  stream_race,
  library_argument,
  unchecked_error,
  unused_store,
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
  /// A missing feature or an internal error of the emulator: the case cannot be assessed.
  not_assessed,
};

/// What else is known about one finding, where rules depend on it and its kind does not say it.
enum class FindingDetail : std::uint8_t {
  none,
  threads_ended,  // of a barrier: threads that are missing at it have ended
  copies_overlap,  // of two streams: both are copies, and both write
  no_blocks,  // a launch that fails since its grid is empty
  blocks_overlap,  // of a race: two blocks write the same element of an array
};

/// In the order of the enumerators.
inline constexpr std::array<std::string_view, 5> kFindingDetails = {
    "", "threads-ended", "copies-overlap", "no-blocks", "blocks-overlap"};

/// What a finding is about.
enum class FindingTopic : std::uint8_t {
  address,  // an access outside allocated memory; on a GPU most of them end the program
  lifetime,  // of allocations
  tidiness,  // affects neither memory nor results
  unwritten,  // uninitialized memory
  race,  // unordered accesses
  luck,  // undefined behavior that happened to work
  waiting,  // barriers, masks and mbarriers, and waits that never end
  endless,  // a kernel that does not end
  stop,  // a kernel that ends itself by a trap or assertion
  launch,  // a launch that fails
  emulator,  // missing features and internal errors of the emulator
};

struct FindingInfo {
  FindingKind kind;
  std::string_view slug;  // "oob-global-read"; stable: reports, labs and grades have it
  std::string_view title;  // for people: "read past the end of an array"
  FindingTopic topic;
  /// Of most findings of this kind; a single finding may be milder, never worse.
  Severity severity = Severity::error;
  /// "P1" if the kind implies one; otherwise empty. A finding's own pitfall, if its data imply one,
  /// has precedence.
  std::string_view pitfall = {};
  FindingEffect effect = FindingEffect::unsafe;
  /// Names a symptom, not its cause: only the lab knows which barrier is missing, or what should be
  /// set to zero.
  bool many_causes = false;
  /// Of a launch or a copy: findings in kernels may be its consequences.
  bool precedes_kernels = false;
};

/// All kinds, in the order of the enumerators.
[[nodiscard]] std::span<const FindingInfo> finding_kinds();
[[nodiscard]] const FindingInfo& info_of(FindingKind kind);
[[nodiscard]] std::string_view slug(FindingKind kind);
/// "", "threads-ended", "copies-overlap", "no-blocks", "blocks-overlap": as written to the report.
[[nodiscard]] std::string_view slug(FindingDetail detail);
[[nodiscard]] bool is_finding_detail(std::string_view slug);
/// The row with this slug; null if there is none.
[[nodiscard]] const FindingInfo* find_finding_kind(std::string_view slug);

}  // namespace warpsim

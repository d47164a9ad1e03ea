#pragma once

#include <optional>

#include "grader/judge/diagnose/clues.h"
#include "grader/judge/diagnose/diagnose.h"

/// The rules of diagnose(), one function per cause. Each returns a diagnosis only if it is certain:
/// its sentence must be true of the program on its own, whatever rule comes before it.
namespace warpgrade::rules {

using Result = std::optional<Diagnosis>;

// How the program ended, and what cannot be assessed: rules_ending.cpp.
[[nodiscard]] Result does_not_build(const Clues& clues);
[[nodiscard]] Result our_fault(const Clues& clues);
[[nodiscard]] Result not_assessed(const Clues& clues);
[[nodiscard]] Result fails_as_second_call(const Clues& clues);
[[nodiscard]] Result ends_the_program(const Clues& clues);
[[nodiscard]] Result clue_on_endless(const Clues& clues);
[[nodiscard]] Result never_ends(const Clues& clues);
[[nodiscard]] Result breaks_the_contract(const Clues& clues);
[[nodiscard]] Result no_kernel(const Clues& clues);
[[nodiscard]] Result nondeterministic(const Clues& clues);
[[nodiscard]] Result failed_case(const Clues& clues);

// Pointers, copies and launches on the host: rules_host.cpp.
[[nodiscard]] Result host_uses_device_pointer(const Clues& clues);
[[nodiscard]] Result clue_on_copy(const Clues& clues);
[[nodiscard]] Result bytes_for_elements(const Clues& clues);
[[nodiscard]] Result wrong_copy_direction(const Clues& clues);
[[nodiscard]] Result inputs_copied_backwards(const Clues& clues);
[[nodiscard]] Result result_stays_on_device(const Clues& clues);
[[nodiscard]] Result grid_too_small(const Clues& clues);
[[nodiscard]] Result clue_on_launch(const Clues& clues);
[[nodiscard]] Result illegal_launch(const Clues& clues);

// What the wrong elements have in common: rules_values.cpp.
[[nodiscard]] Result index_overflows(const Clues& clues);
[[nodiscard]] Result index_overflows_and_leaves(const Clues& clues);
[[nodiscard]] Result steps_too_far(const Clues& clues);
[[nodiscard]] Result subnormals_lost(const Clues& clues);
[[nodiscard]] Result low_precision(const Clues& clues);
[[nodiscard]] Result garbage_accumulated(const Clues& clues);
[[nodiscard]] Result transposed_output(const Clues& clues);

// What the checkers found, and the lab's clues on failures: rules_findings.cpp.
[[nodiscard]] Result race_in_endless_kernel(const Clues& clues);
[[nodiscard]] Result clue_on_memory_error(const Clues& clues);
[[nodiscard]] Result memory_error(const Clues& clues);
/// @param by_signs  only one with a page whose evidence is more than which cases fail
[[nodiscard]] Result clue_on_failure(const Clues& clues, bool by_signs = false);
/// The lab's clue for the cases that fail, if a line of the source is part of its evidence.
[[nodiscard]] Result clue_in_source(const Clues& clues);
[[nodiscard]] Result other_error(const Clues& clues);
[[nodiscard]] Result blocks_overlap(const Clues& clues);
[[nodiscard]] Result unordered_where_it_differs(const Clues& clues);
[[nodiscard]] Result warned_where_wrong(const Clues& clues);
[[nodiscard]] Result untidy(const Clues& clues);
[[nodiscard]] Result relies_on_luck(const Clues& clues);

// Everything is right, but costs too much: rules_cost.cpp.
[[nodiscard]] Result clue_on_cost(const Clues& clues);
[[nodiscard]] Result idle_device(const Clues& clues);
[[nodiscard]] Result does_too_much(const Clues& clues);
[[nodiscard]] Result slow(const Clues& clues);

}  // namespace warpgrade::rules

#include <fmt/core.h>

#include <algorithm>

#include "grader/judge/diagnose/lab_clue.h"
#include "grader/judge/diagnose/places.h"
#include "grader/judge/diagnose/rules.h"
#include "harness/core/plural.h"

namespace warpgrade::rules {
namespace {

using warpsim::FindingDetail;
using warpsim::FindingKind;

constexpr const char* kStoreMetric = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";

/// `ceil(n / 256)` with integers: the division has truncated before ceil sees it.
bool uses_integer_ceil(const Clues& clues) {
  return clues.source_matches(R"(\bceilf?\s*\(\s*\(?\s*[A-Za-z_]\w*\s*/\s*\w+\s*\)?\s*\))");
}

/// Whether the right elements of every wrong case are its first 1/parts. @returns one of them, or
/// null
const CaseReport* right_up_to_a_part(const Clues& clues, std::uint64_t part) {
  const CaseReport* example = nullptr;
  for (const CaseOutcome& c : clues.evidence().cases) {
    const CaseReport& r = c.report;
    if (r.verdict != CaseVerdict::wrong || r.elements < 64) {
      continue;
    }
    const bool starts_right = (r.pattern == "tail" || r.pattern == "first-block-only" ||
                               r.pattern == "first-bytes-only") &&
                              !r.first_mismatches.empty() &&
                              r.first_mismatches.front().index == r.elements / part;
    if (!starts_right) {
      return nullptr;
    }
    example = example == nullptr ? &r : example;
  }
  return example;
}

}  // namespace

/// P44: the emulator names the allocation; the signal alone does not.
Result host_uses_device_pointer(const Clues& clues) {
  const ReportedFinding* f = clues.finding(FindingKind::host_access_of_device_memory);
  if (f == nullptr) {
    return std::nullopt;
  }
  return Diagnosis{
      fmt::format("Host code uses a device pointer: {}; copy with cudaMemcpy first.", f->message),
      f->pitfall.empty() ? "P44" : f->pitfall};
}

/// P45: only the first quarter (float) or eighth (double) of the elements is right at every size,
/// or allocations have as many bytes as there should be elements.
Result bytes_for_elements(const Clues& clues) {
  for (const std::uint64_t size : {4u, 8u}) {
    const CaseReport* example =
        clues.outputs_on_device() ? nullptr : right_up_to_a_part(clues, size);
    if (example != nullptr) {
      return Diagnosis{
          fmt::format("Only the first {} of {} elements arrive: a size is given in elements "
                      "instead of bytes ({} bytes per element).",
                      example->first_mismatches.front().index, example->elements, size),
          "P45"};
    }
  }
  if (const ReportedFinding* f = clues.finding(FindingKind::unwritten_global_read)) {
    const auto cases = accesses_of(clues, *f);
    if (f->is_error() && written_by_elements(cases)) {
      const warpsim::ArrayAccess& one = cases.front();
      return Diagnosis{
          fmt::format("{}:{}: {}. Only the first {} of its {} elements were set: a copy or a "
                      "cudaMemset gets a number of elements instead of bytes ({} bytes per "
                      "element).",
                      f->file, f->line, f->message, one.element(), one.elements(), one.width),
          "P45"};
    }
  }
  if (const ReportedFinding* f = clues.finding(FindingKind::oob_copy)) {
    return Diagnosis{fmt::format("A copy is out of bounds: {}.", f->message), "P45"};
  }
  return std::nullopt;
}

Result wrong_copy_direction(const Clues& clues) {
  const ReportedFinding* f = clues.finding(FindingKind::wrong_copy_direction);
  if (f == nullptr) {
    return std::nullopt;
  }
  return Diagnosis{fmt::format("A copy has the wrong direction: {}.", f->message), "P43"};
}

/// P43: the caller's array was overwritten with uninitialized device memory.
Result inputs_copied_backwards(const Clues& clues) {
  const CaseOutcome* c = clues.first(CaseVerdict::broke_contract);
  if (c == nullptr || clues.finding(FindingKind::unwritten_copy) == nullptr) {
    return std::nullopt;
  }
  return Diagnosis{
      fmt::format(
          "A copy has the wrong direction and overwrites the caller's data. Case \"{}\": {}",
          c->report.name, c->report.message),
      "P43"};
}

/// P43: kernels stored results, and none of them came back.
Result result_stays_on_device(const Clues& clues) {
  const CaseOutcome* c = clues.first_pattern("unwritten");
  const bool whole = c != nullptr && c->report.wrong_elements == c->report.elements;
  if (!whole || clues.outputs_on_device() || !c->emulator ||
      !(c->emulator->total(kStoreMetric) > 0)) {
    return std::nullopt;
  }
  return Diagnosis{
      "The kernel ran and stored its results, but none of them reached the caller: check source, "
      "destination and direction of the copy back.",
      "P43"};
}

/// P2, P3: the grid has too few threads, by less than a block.
Result grid_too_small(const Clues& clues) {
  const CaseReport* example = nullptr;
  std::uint64_t threads = 0;
  for (const CaseOutcome& c : clues.evidence().cases) {
    const CaseReport& r = c.report;
    if (r.verdict != CaseVerdict::wrong || r.first_mismatches.empty() || !c.emulator ||
        c.emulator->kernels.empty()) {
      continue;
    }
    const auto& kernels = c.emulator->kernels;
    const auto largest = std::max_element(
        kernels.begin(), kernels.end(),
        [](const KernelReport& a, const KernelReport& b) { return threads_of(a) < threads_of(b); });
    const std::uint64_t block = largest->block.empty() ? 0 : largest->block.front();
    // More than a block is missing, so it is not rounding.
    if (threads_of(*largest) + block <= r.elements) {
      example = nullptr;
      break;
    }
    if (example == nullptr && r.first_mismatches.front().index == threads_of(*largest)) {
      example = &r;
      threads = threads_of(*largest);
    }
  }
  if (example != nullptr && threads < example->elements) {
    const bool ceil = uses_integer_ceil(clues);
    return Diagnosis{fmt::format("The grid has {} for {} elements: {}", plural(threads, "thread"),
                                 example->elements,
                                 ceil ? "integer division truncates before ceil can round up."
                                      : "the number of blocks is rounded down, not up."),
                     ceil ? "P3" : "P2"};
  }
  // Below one block, rounding down gives an empty grid, and the launch fails. With no elements, a
  // right formula gives an empty grid, too, and so it does where one of several devices has none.
  const ReportedFinding* launch = clues.finding(FindingKind::illegal_launch);
  const auto& cases = clues.evidence().cases;
  const bool no_blocks = launch != nullptr && launch->has(FindingDetail::no_blocks) &&
                         clues.evidence().lab->devices == 1 &&
                         std::any_of(cases.begin(), cases.end(), [&](const CaseOutcome& c) {
                           return !has_nothing_to_do(c) && c.emulator &&
                                  c.emulator->find(FindingKind::illegal_launch) != nullptr;
                         });
  if (no_blocks) {
    const bool ceil = uses_integer_ceil(clues);
    return Diagnosis{fmt::format("A grid of 0 blocks was launched for a small size: {}",
                                 ceil ? "integer division truncates before ceil can round up."
                                      : "the number of blocks is rounded down, not up."),
                     ceil ? "P3" : "P2"};
  }
  return std::nullopt;
}

Result clue_on_copy(const Clues& clues) {
  return find_lab_clue(
      clues, [](const Clue& clue) { return clue.finding == warpsim::slug(FindingKind::oob_copy); });
}

Result clue_on_launch(const Clues& clues) {
  return find_lab_clue(clues, [](const Clue& clue) {
    return clue.finding == warpsim::slug(FindingKind::illegal_launch);
  });
}

Result illegal_launch(const Clues& clues) {
  const ReportedFinding* f = clues.finding(FindingKind::illegal_launch);
  if (f == nullptr) {
    return std::nullopt;
  }
  const std::string pitfall = f->pitfall.empty() ? "P15" : f->pitfall;
  const auto& cases = clues.evidence().cases;
  const auto refused = [](const CaseOutcome& c) {
    return c.emulator && c.emulator->find(FindingKind::illegal_launch) != nullptr;
  };
  const bool only_for_nothing = std::any_of(cases.begin(), cases.end(), refused) &&
                                std::all_of(cases.begin(), cases.end(), [&](const CaseOutcome& c) {
                                  return has_nothing_to_do(c) || !refused(c);
                                });
  if (only_for_nothing && !f->cases.empty()) {
    return Diagnosis{fmt::format("Case \"{}\": there is no work, but a kernel is launched "
                                 "nevertheless, which is an error: {}.",
                                 f->cases.front(), f->message),
                     pitfall};
  }
  return Diagnosis{fmt::format("A kernel never ran: {}.", f->message), pitfall};
}

}  // namespace warpgrade::rules

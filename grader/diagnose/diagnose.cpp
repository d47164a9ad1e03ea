#include "grader/diagnose/diagnose.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "grader/diagnose/clues.h"
#include "grader/diagnose/hidden_clue.h"
#include "grader/diagnose/lab_clue.h"
#include "grader/diagnose/sizes.h"
#include "grader/score/formula.h"
#include "grader/speed/speed.h"
#include "harness/data/poison.h"
#include "harness/lab/counter_names.h"

namespace warpgrade {
namespace {

using Result = std::optional<Diagnosis>;
using warpsim::FindingKind;

constexpr const char* kStoreMetric = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
constexpr const char* kAtomicMetric = "global_atomic_threads";
constexpr double kLargestHalf = 65504;
constexpr double kSmallestHalf = 5.9604644775390625e-8;  // 2^-24, subnormal

Result does_not_build(const Clues& clues) {
  if (clues.evidence().build_problem.empty()) {
    return std::nullopt;
  }
  return Diagnosis{fmt::format("Make it build first: {}.", clues.evidence().build_problem), ""};
}

Result our_fault(const Clues& clues) {
  const CaseOutcome* c = clues.first(CaseVerdict::error);
  if (c == nullptr) {
    const std::optional<HiddenPart>& hidden = clues.evidence().hidden;
    return hidden && hidden->error
               ? Result({"Nothing for you to do: the grader failed on a hidden case.", ""})
               : std::nullopt;
  }
  return Diagnosis{fmt::format("Nothing for you to do: the grader failed. {}", c->report.message),
                   ""};
}

/// The emulator lacks something, and what it could run is right.
Result not_assessed(const Clues& clues) {
  const CaseOutcome* c = clues.first(CaseVerdict::not_assessed);
  if (c == nullptr) {
    return std::nullopt;
  }
  for (const CaseOutcome& other : clues.evidence().cases) {
    const CaseVerdict verdict = other.report.verdict;
    if (verdict != CaseVerdict::passed && verdict != CaseVerdict::not_assessed) {
      return std::nullopt;
    }
  }
  return Diagnosis{fmt::format("Nothing for you to do: case \"{}\" could not be assessed here. {}",
                               c->report.name, c->report.message),
                   ""};
}

/// All is right in a call of its own: no pattern of the case says anything about what is left.
Result fails_as_second_call(const Clues& clues) {
  for (const CaseOutcome& c : clues.evidence().cases) {
    if (c.fails_as_second_call) {
      return Diagnosis{fmt::format("Case \"{}\": {}", c.report.name, c.report.message), ""};
    }
  }
  return std::nullopt;
}

Result ends_the_program(const Clues& clues) {
  for (const CaseOutcome& c : clues.evidence().cases) {
    if (c.ended_early) {
      return Diagnosis{c.report.message, ""};
    }
  }
  return std::nullopt;
}

/// P44: the emulator names the allocation, the signal alone would not.
Result host_uses_device_pointer(const Clues& clues) {
  const ReportedFinding* f = clues.finding(FindingKind::host_access_of_device_memory);
  if (f == nullptr) {
    return std::nullopt;
  }
  return Diagnosis{
      fmt::format("Host code uses a device pointer: {}; copy with cudaMemcpy first.", f->message),
      f->pitfall.empty() ? "P44" : f->pitfall};
}

Result never_ends(const Clues& clues) {
  const CaseOutcome* c = clues.first(CaseVerdict::never_ends);
  if (c == nullptr) {
    return std::nullopt;
  }
  return Diagnosis{fmt::format("Find the loop that does not end. Case \"{}\": {}", c->report.name,
                               c->report.message),
                   c->pitfall};
}

/// P45: right up to a quarter (float) or an eighth (double) of the elements, or allocations that
/// have as many bytes as there should be elements.
Result bytes_for_elements(const Clues& clues) {
  for (const CaseOutcome& c : clues.evidence().cases) {
    const CaseReport& r = c.report;
    const bool starts_wrong = !clues.outputs_on_device() &&
                              (r.pattern == "tail" || r.pattern == "first-block-only" ||
                               r.pattern == "first-bytes-only") &&
                              !r.first_mismatches.empty() && r.elements >= 64;
    if (!starts_wrong) {
      continue;
    }
    const std::uint64_t right = r.first_mismatches.front().index;
    for (const std::uint64_t size : {4u, 8u}) {
      if (right == r.elements / size) {
        return Diagnosis{
            fmt::format("Only the first {} of {} elements arrive: a size is given in elements "
                        "where bytes are wanted ({} bytes an element).",
                        right, r.elements, size),
            "P45"};
      }
    }
  }
  if (const ReportedFinding* f = clues.finding(FindingKind::oob_copy)) {
    return Diagnosis{fmt::format("A copy does not fit: {}.", f->message), "P45"};
  }
  return std::nullopt;
}

Result wrong_copy_direction(const Clues& clues) {
  const ReportedFinding* f = clues.finding(FindingKind::wrong_copy_direction);
  if (f == nullptr) {
    return std::nullopt;
  }
  return Diagnosis{fmt::format("A copy goes the wrong way: {}.", f->message), "P43"};
}

/// `ceil(n / 256)` with integers: the division has truncated before ceil sees it.
bool uses_integer_ceil(const Clues& clues) {
  return clues.source_matches(R"(\bceilf?\s*\(\s*\(?\s*[A-Za-z_]\w*\s*/\s*\w+\s*\)?\s*\))");
}

/// P2, P3: the grid has fewer threads than there are elements, by less than a block.
Result grid_too_small(const Clues& clues) {
  for (const CaseOutcome& c : clues.evidence().cases) {
    const CaseReport& r = c.report;
    if (r.verdict != CaseVerdict::wrong || r.first_mismatches.empty() || !c.emulator) {
      continue;
    }
    const auto& kernels = c.emulator->kernels;
    const bool covered = std::any_of(kernels.begin(), kernels.end(), [&](const KernelReport& k) {
      return threads_of(k) >= r.elements;
    });
    if (covered) {  // a smaller launch beside it has its reasons
      continue;
    }
    for (const KernelReport& kernel : kernels) {
      const std::uint64_t threads = threads_of(kernel);
      const std::uint64_t block = kernel.block.empty() ? 0 : kernel.block.front();
      if (r.first_mismatches.front().index == threads && threads + block > r.elements) {
        const bool ceil = uses_integer_ceil(clues);
        return Diagnosis{
            fmt::format("The grid has {} threads for {} elements: {}", threads, r.elements,
                        ceil ? "integer division truncates before ceil can round up."
                             : "the number of blocks is rounded down, not up."),
            ceil ? "P3" : "P2"};
      }
    }
  }
  // Below one block, rounding down gives no block at all, and the launch is refused.
  const ReportedFinding* launch = clues.finding(FindingKind::illegal_launch);
  const bool no_blocks = launch != nullptr && clues.evidence().lab != nullptr &&
                         launch->got.find("(0,") != std::string::npos;
  const bool elsewhere = std::any_of(
      clues.evidence().cases.begin(), clues.evidence().cases.end(), [](const CaseOutcome& c) {
        return c.report.verdict != CaseVerdict::passed && c.report.elements > 0;
      });
  if (no_blocks && elsewhere) {
    const bool ceil = uses_integer_ceil(clues);
    return Diagnosis{fmt::format("A grid of 0 blocks was launched for a small size: {}",
                                 ceil ? "integer division truncates before ceil can round up."
                                      : "the number of blocks is rounded down, not up."),
                     ceil ? "P3" : "P2"};
  }
  return std::nullopt;
}

/// P16: right below 2^15 or 2^16 elements only.
Result index_overflows(const Clues& clues) {
  for (const CaseOutcome& c : clues.evidence().cases) {
    if (c.report.verdict != CaseVerdict::wrong || c.report.first_mismatches.empty()) {
      continue;
    }
    const std::uint64_t first = c.report.first_mismatches.front().index;
    if (first == 1u << 15 || first == 1u << 16) {
      return Diagnosis{
          fmt::format(
              "Right up to element {}, the end of a 16-bit index's range; use int or size_t.",
              first),
          "P16"};
    }
  }
  return std::nullopt;
}

/// Such an index turns negative, and points in front of the array.
Result index_overflows_and_leaves(const Clues& clues) {
  const auto& findings = clues.evidence().findings;
  const bool leaves = std::any_of(findings.begin(), findings.end(), [](const ReportedFinding& f) {
    return f.is(FindingKind::oob_global_read) || f.is(FindingKind::oob_global_write);
  });
  return leaves ? index_overflows(clues) : std::nullopt;
}

Result illegal_launch(const Clues& clues) {
  const ReportedFinding* f = clues.finding(FindingKind::illegal_launch);
  if (f == nullptr) {
    return std::nullopt;
  }
  return Diagnosis{fmt::format("A kernel never ran: {}.", f->message),
                   f->pitfall.empty() ? "P15" : f->pitfall};
}

/// P43: the caller's array was overwritten with device memory that nobody had filled.
Result inputs_copied_backwards(const Clues& clues) {
  const CaseOutcome* c = clues.first(CaseVerdict::broke_contract);
  if (c == nullptr || clues.finding(FindingKind::unwritten_copy) == nullptr) {
    return std::nullopt;
  }
  return Diagnosis{
      fmt::format("A copy goes the wrong way, onto data of the caller. Case \"{}\": {}",
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
      "The kernel ran and stored its results, but none of them reached the caller: look at the "
      "copy "
      "back, its source, destination and direction.",
      "P43"};
}

/// P19: a step of blockDim squared, which is the grid's for one size only.
Result steps_too_far(const Clues& clues) {
  const CaseOutcome* c = clues.first(CaseVerdict::wrong);
  if (c == nullptr || !clues.source_matches(R"(blockDim\s*\.\s*x\s*\*\s*blockDim\s*\.\s*x)")) {
    return std::nullopt;
  }
  return Diagnosis{
      fmt::format("The loop steps by the square of the block, not by the threads of the grid: some "
                  "elements belong to nobody. Case \"{}\": {}",
                  c->report.name, c->report.message),
      "P19"};
}

/// P56: wrong everywhere, but by no more than a type of 8 to 11 bits would be.
Result low_precision(const Clues& clues) {
  constexpr double kLargest = 1.0 / 128;  // bfloat16 keeps 8 bits
  std::size_t compared = 0;
  for (const CaseOutcome& c : clues.evidence().cases) {
    for (const MismatchedElement& m : c.report.first_mismatches) {
      const double error = std::abs(m.got - m.want);
      const bool near = error <= kLargest * std::abs(m.want) || error <= kSmallestHalf;
      const bool overflowed = std::isinf(m.got) && std::abs(m.want) > kLargestHalf;
      if (std::isfinite(m.got) && std::isfinite(m.want) && !near) {
        return std::nullopt;
      }
      compared += near || overflowed ? 1 : 0;
    }
  }
  if (compared < 4) {
    return std::nullopt;
  }
  return Diagnosis{
      "Nearly right everywhere, but off by more than rounding explains: something is computed with "
      "fewer bits than the contract's type has.",
      "P56"};
}

Diagnosis finding_first(const ReportedFinding& f) {
  const std::string place = f.line == 0 ? "" : fmt::format("{}:{}: ", f.file, f.line);
  return {fmt::format("{}{}.", place, f.message), f.pitfall};
}

/// Accesses that cannot be right, wherever they come from.
Result memory_error(const Clues& clues) {
  for (const ReportedFinding& f : clues.evidence().findings) {
    if (f.is_error() && !f.is_tidiness() && !f.has_many_causes()) {
      return finding_first(f);
    }
  }
  return std::nullopt;
}

/// Any other finding that is an error; those about tidiness come later.
Result other_error(const Clues& clues) {
  for (const ReportedFinding& f : clues.evidence().findings) {
    if (f.is_error() && !f.is_tidiness()) {
      return finding_first(f);
    }
  }
  return std::nullopt;
}

/// P40, P1: seen by the harness itself.
Result breaks_the_contract(const Clues& clues) {
  const CaseOutcome* c = clues.first(CaseVerdict::broke_contract);
  if (c == nullptr) {
    return std::nullopt;
  }
  return Diagnosis{fmt::format("Case \"{}\": {}", c->report.name, c->report.message), c->pitfall};
}

// The lab's own clues are asked in four places. One that names a finding says more of it than the
// finding itself does, and comes just before it; the others come after all that is certain and
// before all that is guessed, and those about cost when everything is right.

Result clue_on_endless(const Clues& clues) {
  return find_lab_clue(clues, [](const Clue& clue) {
    const warpsim::FindingInfo* kind = warpsim::find_finding_kind(clue.finding);
    return kind != nullptr && kind->topic == warpsim::FindingTopic::endless;
  });
}

Result clue_on_launch(const Clues& clues) {
  return find_lab_clue(clues, [](const Clue& clue) {
    return clue.finding == warpsim::slug(FindingKind::illegal_launch);
  });
}

Result clue_on_memory_error(const Clues& clues) {
  return find_lab_clue(clues, [&](const Clue& clue) {
    const ReportedFinding* f = clues.finding(clue.finding);
    return f != nullptr && f->is_error() && !f->is_tidiness() && !f->has_many_causes();
  });
}

/// A source or a counter says nothing against a program that is right: those need a case that is
/// not, or a finding. A program that has all its points is told nothing.
Result clue_on_failure(const Clues& clues) {
  const bool unsafe = clues.falls_short(Category::safety);
  const bool wrong = clues.any_failure();
  const bool costly = clues.falls_short(Category::concept_check);
  return find_lab_clue(clues, [&](const Clue& clue) {
    return clue.finding.empty() ? wrong && tells_what_fails(clue) : wrong || unsafe || costly;
  });
}

Result clue_on_cost(const Clues& clues) {
  if (!clues.falls_short(Category::concept_check) && !clues.falls_short(Category::performance)) {
    return std::nullopt;
  }
  return clues.any_failure() ? std::nullopt
                             : find_lab_clue(clues, [](const Clue&) { return true; });
}

/// Whether an element holds its right value on top of the poison that the harness put there.
bool is_on_top_of_poison(const MismatchedElement& m) {
  constexpr double kWraps = 4294967296.0;  // 2^32
  constexpr auto kGarbage = static_cast<std::uint32_t>(poison_bits(ElementType::i32));
  if (std::isnan(m.got)) {
    return std::isfinite(m.want);  // the poison of floats is a NaN
  }
  const double more = std::fmod(m.got - m.want, kWraps);
  return (more < 0 ? more + kWraps : more) == kGarbage;
}

/// P34: sums on top of what the output held before the call. One element of several could hold its
/// garbage for another reason, all of them not.
Result garbage_accumulated(const Clues& clues) {
  for (const CaseOutcome& c : clues.evidence().cases) {
    const CaseReport& r = c.report;
    const bool adds = c.emulator && c.emulator->total(kAtomicMetric) > 0;
    if (r.verdict == CaseVerdict::wrong && adds && r.wrong_elements == r.elements &&
        std::all_of(r.first_mismatches.begin(), r.first_mismatches.end(), is_on_top_of_poison)) {
      return Diagnosis{fmt::format("Case \"{}\": atomics add to what the output held before the "
                                   "call, which may be anything; set it to its start value first.",
                                   r.name),
                       "P34"};
    }
  }
  return std::nullopt;
}

/// P5: in any lab whose output is a matrix.
Result transposed_output(const Clues& clues) {
  const CaseOutcome* c = clues.first_pattern("transposed");
  if (c == nullptr) {
    return std::nullopt;
  }
  return Diagnosis{fmt::format("Case \"{}\": {}", c->report.name, c->report.message), "P5"};
}

/// P28, P29: hardware often forgives these, so they are warnings; they are the cause where the
/// wrong cases are those that have them.
Result warned_where_wrong(const Clues& clues) {
  for (const ReportedFinding& f : clues.evidence().findings) {
    if (!f.is(FindingKind::barrier_early_exit) && !f.is(FindingKind::warp_synchronous)) {
      continue;
    }
    const auto& cases = clues.evidence().cases;
    const bool same = std::all_of(cases.begin(), cases.end(), [&](const CaseOutcome& c) {
      const bool warned = std::find(f.cases.begin(), f.cases.end(), c.report.name) != f.cases.end();
      return warned == (c.report.verdict == CaseVerdict::wrong);
    });
    if (same) {
      return finding_first(f);
    }
  }
  return std::nullopt;
}

/// P39 is the commonest reason; a race that the emulator did find has been named before.
Result nondeterministic(const Clues& clues) {
  const CaseOutcome* c = clues.first_pattern("nondeterministic");
  if (c == nullptr) {
    return std::nullopt;
  }
  return Diagnosis{fmt::format("Case \"{}\": {}", c->report.name, c->report.message), "P39"};
}

Result no_kernel(const Clues& clues) {
  const bool all_wrong = std::none_of(
      clues.evidence().cases.begin(), clues.evidence().cases.end(), [](const CaseOutcome& c) {
        return c.report.verdict == CaseVerdict::passed && c.report.elements > 0;
      });
  if (clues.any_kernel() || !clues.any_report() || !all_wrong) {
    return std::nullopt;
  }
  return Diagnosis{"No kernel is launched yet: that is the next step.", ""};
}

Result failed_case(const Clues& clues) {
  for (const CaseVerdict verdict : {CaseVerdict::crashed, CaseVerdict::cuda_error,
                                    CaseVerdict::broke_contract, CaseVerdict::wrong}) {
    if (const CaseOutcome* c = clues.first(verdict)) {
      return Diagnosis{fmt::format("Case \"{}\": {}", c->report.name, c->report.message),
                       c->pitfall};
    }
  }
  return std::nullopt;
}

/// Right this time: what the program relies on does not hold everywhere.
Result relies_on_luck(const Clues& clues) {
  for (const ReportedFinding& f : clues.evidence().findings) {
    if (f.severity == "warning" && !f.pitfall.empty() && !f.is_tidiness()) {
      return finding_first(f);
    }
  }
  return std::nullopt;
}

Result untidy(const Clues& clues) {
  for (const ReportedFinding& f : clues.evidence().findings) {
    if (f.is_error()) {
      return Diagnosis{fmt::format("{}.", f.message), f.pitfall};
    }
  }
  return std::nullopt;
}

/// P71: a single block, or a single thread, for the lab's large case.
Result idle_device(const Clues& clues) {
  const Evidence& evidence = clues.evidence();
  const CaseOutcome* c = evidence.find_case(evidence.lab->performance_case);
  const bool falls_short =
      std::any_of(clues.items().begin(), clues.items().end(), [](const Item& item) {
        return item.category == Category::performance && item.status != ItemStatus::passed;
      });
  if (c == nullptr || !c->emulator || c->emulator->kernels.empty() || !falls_short) {
    return std::nullopt;
  }
  // The grid is the last launch's only; a tree ends with one block, whatever it began with.
  const std::vector<KernelReport>& kernels = c->emulator->kernels;
  const auto count = [&](const char* name) { return counter_value(*find_counter(name), kernels); };
  if (count("blocks") > count("launches")) {
    return std::nullopt;
  }
  const double threads = count("block_threads");
  return Diagnosis{
      fmt::format(
          "Right, but one block of {:.0f} thread{} does all the work of case \"{}\", and the "
          "rest of the device nothing.",
          threads, threads == 1 ? "" : "s", c->report.name),
      "P71"};
}

/// P19: the loop's step is one block, so every block redoes what others did. Then the work grows
/// with the number of blocks; a loop over a block's own piece has the same step and no such excess.
bool steps_by_one_block(const Clues& clues) {
  if (!clues.source_matches(R"((\+=|(step|stride)\s*=)\s*blockDim\s*\.\s*x\s*[;)])")) {
    return false;
  }
  const Evidence& evidence = clues.evidence();
  const CaseOutcome* c = evidence.find_case(evidence.lab->performance_case);
  const auto reference = evidence.references.find(evidence.lab->performance_case);
  if (c == nullptr || !c->emulator || reference == evidence.references.end()) {
    return true;
  }
  constexpr double kShareOfBlocks = 0.1;
  constexpr double kLeastExcess = 3;
  const std::vector<KernelReport>& kernels = c->emulator->kernels;
  const auto own = [&](const char* name) { return counter_value(*find_counter(name), kernels); };
  const auto needed = reference->second.counters.find("global_load_sectors");
  if (needed == reference->second.counters.end() || !(needed->second > 0)) {
    return true;
  }
  return own("global_load_sectors") / needed->second >
         std::max(kLeastExcess, kShareOfBlocks * own("max_launch_blocks"));
}

/// " 1.9 times faster if ...", where the cost model has that to say of a pitfall; or nothing.
std::string gain_by_pitfall(const Evidence& evidence, const std::string& pitfall) {
  const std::optional<SpeedReport> speed = speed_of(evidence);
  for (const WhatIf& gain : speed ? speed->what_if : std::vector<WhatIf>()) {
    if (!pitfall.empty() && gain.pitfall == pitfall) {
      return fmt::format(" {}.", gain_words(gain));
    }
  }
  return {};
}

Result does_too_much(const Clues& clues) {
  for (const Item& item : clues.items()) {
    if (item.category != Category::concept_check || item.status != ItemStatus::failed) {
      continue;
    }
    if (item.pitfall == "P75" && steps_by_one_block(clues)) {
      return Diagnosis{
          fmt::format("The loop's step is one block instead of the whole grid: {}", item.message),
          "P19"};
    }
    return Diagnosis{fmt::format("Right, but it misses \"{}\": {}{}", item.title, item.message,
                                 gain_by_pitfall(clues.evidence(), item.pitfall)),
                     item.pitfall};
  }
  return std::nullopt;
}

Result slow(const Clues& clues) {
  for (const Item& item : clues.items()) {
    const bool short_of = item.status == ItemStatus::failed || item.status == ItemStatus::partial;
    if (item.category == Category::performance && short_of) {
      const std::optional<SpeedReport> speed = speed_of(clues.evidence());
      if (speed && !speed->what_if.empty()) {
        const WhatIf& gain = speed->what_if.front();
        return Diagnosis{
            fmt::format("Right; now make it faster: {}. {}", gain_words(gain), item.message),
            gain.pitfall.empty() ? item.pitfall : gain.pitfall};
      }
      return Diagnosis{fmt::format("Right; now make it faster. {}", item.message), item.pitfall};
    }
  }
  return std::nullopt;
}

/// The first that knows an answer decides: what stops a program before what it got wrong, causes
/// before their consequences, what was seen before what is concluded, and cost only when all is
/// right.
constexpr std::array kRules = {
    // Certain: nothing after these could have been otherwise.
    does_not_build,
    our_fault,
    fails_as_second_call,
    ends_the_program,
    host_uses_device_pointer,
    clue_on_endless,
    never_ends,
    // Before the findings that they lead to: too small a copy leaves memory unwritten, a grid of no
    // blocks is refused, an index of 16 bits is out of bounds.
    bytes_for_elements,
    wrong_copy_direction,
    inputs_copied_backwards,
    grid_too_small,
    index_overflows_and_leaves,
    clue_on_launch,
    illegal_launch,
    clue_on_memory_error,
    memory_error,
    breaks_the_contract,
    not_assessed,
    no_kernel,  // before the clues, which the stub must not meet
    // What the lab knows, then what holds for any lab: races and unwritten reads first, since they
    // have a place; then what the values, the source and at last the sizes suggest.
    clue_on_failure,
    other_error,
    nondeterministic,
    garbage_accumulated,
    index_overflows,
    result_stays_on_device,
    steps_too_far,
    low_precision,
    transposed_output,
    warned_where_wrong,
    sizes_that_fail,
    failed_case,
    hidden_fails,
    untidy,
    relies_on_luck,
    hidden_findings,
    // All is right and clean from here on.
    clue_on_cost,
    idle_device,
    does_too_much,
    slow,
};

}  // namespace

Diagnosis diagnose(const Evidence& evidence, const std::vector<Item>& items,
                   const std::vector<SourceFile>& sources) {
  const Clues clues(evidence, items, sources);
  for (const auto& rule : kRules) {
    if (Result result = rule(clues)) {
      return *result;
    }
  }
  return {"Everything that could be assessed here passes.", ""};
}

}  // namespace warpgrade

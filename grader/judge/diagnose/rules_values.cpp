#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "grader/judge/diagnose/rules.h"
#include "grader/judge/experiment/old_content.h"

namespace warpgrade::rules {
namespace {

using warpsim::FindingKind;

constexpr const char* kAtomicMetric = "global_atomic_threads";
constexpr double kLargestHalf = 65504;
constexpr double kSmallestHalf = 5.9604644775390625e-8;  // 2^-24, subnormal

}  // namespace

/// P16: right below 2^15 or 2^16 elements only.
Result index_overflows(const Clues& clues) {
  if (clues.first(CaseVerdict::wrong) == nullptr ||
      !clues.source_matches(R"(\b(u?short|u?int16_t)\b)")) {
    return std::nullopt;
  }
  for (const CaseOutcome& c : clues.evidence().cases) {
    if (c.report.verdict != CaseVerdict::wrong || c.report.first_mismatches.empty()) {
      continue;
    }
    const std::uint64_t first = c.report.first_mismatches.front().index;
    if (first == 1u << 15 || first == 1u << 16) {
      return Diagnosis{fmt::format("Correct up to element {}, the end of the range of a 16-bit "
                                   "index; use int or size_t.",
                                   first),
                       "P16"};
    }
  }
  return std::nullopt;
}

/// Such an index becomes negative, and points before the start of the array.
Result index_overflows_and_leaves(const Clues& clues) {
  const auto& findings = clues.evidence().findings;
  const bool leaves = std::any_of(findings.begin(), findings.end(), [](const ReportedFinding& f) {
    return f.is(FindingKind::oob_global_read) || f.is(FindingKind::oob_global_write);
  });
  return leaves ? index_overflows(clues) : std::nullopt;
}

/// P19: a stride of blockDim squared, which equals the grid's size for one n only.
Result steps_too_far(const Clues& clues) {
  const CaseOutcome* c = clues.first(CaseVerdict::wrong);
  if (c == nullptr || !clues.source_matches(R"(blockDim\s*\.\s*x\s*\*\s*blockDim\s*\.\s*x)")) {
    return std::nullopt;
  }
  return Diagnosis{fmt::format("The loop's stride is the square of the block size, not the number "
                               "of threads in the grid: some elements are skipped. Case \"{}\": {}",
                               c->report.name, c->report.message),
                   "P19"};
}

/// Sums without their subnormal parts, in programs with float atomics.
Result subnormals_lost(const Clues& clues) {
  constexpr double kSmallestNormal = 1.17549435082228750797e-38;  // 2^-126
  const CaseOutcome* example = nullptr;
  for (const CaseOutcome& c : clues.evidence().cases) {
    if (c.report.verdict != CaseVerdict::wrong) {
      continue;
    }
    const auto& wrong = c.report.first_mismatches;
    const bool adds = c.emulator && c.emulator->total(kAtomicMetric) > 0;
    const bool tiny = std::all_of(wrong.begin(), wrong.end(), [&](const MismatchedElement& m) {
      return std::abs(m.got - m.want) < kSmallestNormal;
    });
    if (!adds || wrong.empty() || !tiny) {
      return std::nullopt;
    }
    example = &c;
  }
  if (example == nullptr) {
    return std::nullopt;
  }
  return Diagnosis{
      fmt::format("Case \"{}\": sums below the normal range of float are lost. atomicAdd of floats "
                  "in global memory flushes subnormal numbers to 0 (PTX ISA, atom.add); additions "
                  "in registers and in shared memory do not.",
                  example->report.name),
      ""};
}

/// P56: wrong everywhere, but within the rounding error of a type with an 8- to 11-bit significand.
Result low_precision(const Clues& clues) {
  constexpr double kLargest = 1.0 / 128;  // bfloat16 has 8 significant bits
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
  // Low precision would affect every case; if some are right, the cause is another.
  const auto& cases = clues.evidence().cases;
  const auto wrong = std::count_if(cases.begin(), cases.end(), [](const CaseOutcome& c) {
    return c.report.verdict == CaseVerdict::wrong && c.report.elements > 0;
  });
  const auto right = std::count_if(cases.begin(), cases.end(), [](const CaseOutcome& c) {
    return c.report.verdict == CaseVerdict::passed && c.report.elements > 0;
  });
  if (compared < 4 || wrong < right) {
    return std::nullopt;
  }
  return Diagnosis{
      "Close to correct everywhere, but the error exceeds rounding error: something is computed "
      "with less precision than the contract's type.",
      "P56"};
}

/// P34: sums added to the output's old contents. A single one of several elements could hold its
/// poison for another reason, but not all of them, nor several one after the other.
Result garbage_accumulated(const Clues& clues) {
  for (const CaseOutcome& c : clues.evidence().cases) {
    const CaseReport& r = c.report;
    const bool adds = c.emulator && c.emulator->total(kAtomicMetric) > 0;
    const auto& first = r.first_mismatches;
    if (r.verdict != CaseVerdict::wrong || !adds ||
        !std::ranges::all_of(first, is_on_top_of_poison)) {
      continue;
    }
    if (r.wrong_elements == r.elements) {
      return Diagnosis{fmt::format("Case \"{}\": atomics add to the output's previous content, "
                                   "which is undefined; initialize it first.",
                                   r.name),
                       "P34"};
    }
    // A NaN has other causes, too.
    const bool numbers =
        std::ranges::none_of(first, [](const auto& m) { return std::isnan(m.got); });
    if (numbers && first.size() > 1 &&
        first.back().index == first.front().index + first.size() - 1) {
      return Diagnosis{
          fmt::format("Case \"{}\": from index {} on, atomics add to the previous content of `{}`, "
                      "which is undefined; initialize all of it first.",
                      r.name, first.front().index, first.front().parameter),
          "P34"};
    }
  }
  return std::nullopt;
}

/// P5, in any lab whose output is a matrix.
Result transposed_output(const Clues& clues) {
  const CaseOutcome* c = clues.first_pattern("transposed");
  if (c == nullptr) {
    return std::nullopt;
  }
  return Diagnosis{fmt::format("Case \"{}\": {}", c->report.name, c->report.message), "P5"};
}

}  // namespace warpgrade::rules

#include "grader/judge/diagnose/proven_cause.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "grader/judge/experiment/wording.h"

namespace warpgrade {
namespace {

/// Pages of docs/pitfalls that describe a mistake more precisely than the kind of change that
/// repairs it.
std::vector<std::string_view> pitfalls_of(CauseKind kind) {
  switch (kind) {
    case CauseKind::direction:
      return {"P43"};
    case CauseKind::launch:
      return {"P15", "P41", "P48", "P67"};
    case CauseKind::outside:
      return {"P1",  "P4",  "P6",  "P7",  "P10", "P11", "P13", "P16",
              "P17", "P18", "P20", "P45", "P48", "P49", "P59", "P60"};
    case CauseKind::barrier:
      return {"P22", "P23", "P24", "P25", "P26", "P29", "P33", "P35", "P37"};
    case CauseKind::indivisible:
      return {"P30", "P36", "P39"};
    case CauseKind::uninitialized:
      return {"P4",  "P8",  "P10", "P21", "P25", "P26", "P34",
              "P35", "P41", "P45", "P47", "P48", "P52", "P58"};
    case CauseKind::outputs:
      return {"P34", "P45"};
    case CauseKind::blocks:
      return {"P2", "P3", "P9", "P13", "P15", "P58"};  // P15: a grid of no blocks is refused
    case CauseKind::axes:
      return {"P5"};
    case CauseKind::block_size:
      return {"P21", "P15", "P9"};
    case CauseKind::row_length:
      return {"P5"};
    case CauseKind::thread_and_block:
      return {};
    case CauseKind::signs:
      return {"P16", "P17", "P18"};
    case CauseKind::bytes:
      return {"P45"};
  }
  return {};
}

std::string_view usual_pitfall(CauseKind kind) {
  switch (kind) {
    case CauseKind::barrier:
      return "P22";
    case CauseKind::indivisible:
      return "P30";
    default:
      return {};
  }
}

}  // namespace

Diagnosis with_proof(Diagnosis by_rules, const Cause& cause) {
  const std::vector<std::string_view> pages = pitfalls_of(cause.kind);
  const bool agree = !by_rules.pitfall.empty() &&
                     (by_rules.pitfall == cause.pitfall ||
                      std::find(pages.begin(), pages.end(), by_rules.pitfall) != pages.end());
  const std::string pitfall =
      cause.pitfall.empty() ? std::string(usual_pitfall(cause.kind)) : cause.pitfall;
  // A rule without a page describes symptoms, and any cause says more.
  const bool proves_all = cause.right == cause.tried || by_rules.pitfall.empty();
  // No page is about it, but it is the cause of what the rule names.
  const bool stands_alone = cause.kind == CauseKind::thread_and_block;
  if (agree || (pitfall.empty() && !stands_alone) || !proves_all) {
    by_rules.summary += " " + cause.message;
    return by_rules;
  }
  return {fmt::format("{} {}", headline(cause), cause.message), pitfall};
}

Diagnosis with_proof_of(Diagnosis explained, const Explanation& explanation, const Cause& cause) {
  if (!explanation.of_lab) return with_proof(std::move(explained), cause);
  if (cause.right < cause.tried) return explained;
  explained.summary += " " + cause.message;
  if (explained.pitfall.empty()) {
    explained.pitfall =
        cause.pitfall.empty() ? std::string(usual_pitfall(cause.kind)) : cause.pitfall;
  }
  return explained;
}

}  // namespace warpgrade

#include <algorithm>
#include <bit>
#include <utility>

#include "emulator/debug/control.h"

// Stops at findings.

namespace warpsim::debug {

bool Control::stops_on(const Finding& finding) const {
  return finding.severity == Severity::error ? stops_on_errors : stops_on_warnings;
}

Stop Control::stop_of(const Finding& finding) {
  return {.reason = "exception",
          .description = std::string(info_of(finding.kind).title),
          .text = finding.message,
          .breakpoints = {},
          .finding = render(finding)};
}

void Control::found(const WarpContext& context, const Finding& finding) {
  std::unique_lock lock(mutex);
  if (launch_ == nullptr || warp == nullptr || aborted()) return;
  // Of a warp that waits, as in a deadlock: no instruction is being executed.
  const bool waits = &context != warp;
  if (waits && !context.splits.empty()) {
    warp = const_cast<WarpContext*>(&context);  // the block's own, which says so for others
    at = context.splits[std::min(context.current, context.splits.size() - 1)].pc;
  }
  if (records() && !race_) {  // it finds races by itself
    recorder_->at_fault = at_fault;
    recorder_->found(context, finding);
  }
  if (target_ || search_.what != Search::What::none) return;
  const std::uint32_t lanes = std::exchange(at_fault, 0u);
  if (!stops_on(finding) || warp->splits.empty()) return;
  if (lanes != 0) lane_ = std::countr_zero(lanes);
  within_ = !waits;
  wait(lock, *warp, stop_of(finding));
  within_ = false;
  resumed_at_ = {};  // the instruction is being executed already
}

}  // namespace warpsim::debug

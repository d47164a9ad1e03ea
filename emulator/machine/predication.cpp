#include "emulator/machine/predication.h"

#include <algorithm>
#include <utility>

#include "emulator/isa/description.h"
#include "emulator/machine/paths.h"
#include "emulator/machine/polls.h"

namespace warpsim {
namespace {

/// Instructions between a branch and its target that are predicated, without copies of values,
/// which are none of the card's. ptxas weighs more than their number.
constexpr std::ptrdiff_t kMostPredicated = 8;

/// Instructions [first, end) of a text.
struct Skipped {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
};

class Predicator {
 public:
  explicit Predicator(const ptx::Function& function)
      : function_(function),
        count_(static_cast<std::uint32_t>(function.instructions.size())),
        jumps_(count_ + 1),
        result_{std::vector<bool>(count_, false), std::vector<std::vector<std::uint32_t>>(count_)} {
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (!ends_block(function.instructions[i])) continue;
      for (const std::uint32_t target : branch_targets(function, i)) {
        jumps_[std::min(target, count_)].push_back(i);
      }
    }
  }

  Predication run() {
    // An outer branch may be one that is predicated once the branches within it are.
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t i = 0; i < count_; ++i) changed = predicate(i) || changed;
    }
    return std::move(result_);
  }

 private:
  /// The only target of a branch that leads forward; 0 if it is not such a branch.
  [[nodiscard]] std::uint32_t forward_target(std::uint32_t branch) const {
    if (result_.removed[branch] || control_of(function_.instructions[branch]) != Control::branch) {
      return 0;
    }
    const std::vector<std::uint32_t> targets = branch_targets(function_, branch);
    return targets.size() == 1 && targets[0] > branch + 1 ? targets[0] : 0;
  }

  /// Whether the instructions can be predicated, if only `entry` jumps to the first one.
  [[nodiscard]] bool can_be(const Skipped& range, std::uint32_t entry) const {
    std::ptrdiff_t size = 0;
    for (std::uint32_t i = range.first; i < range.end; ++i) {
      for (const std::uint32_t from : jumps_[i]) {
        if (!result_.removed[from] && !(i == range.first && from == entry)) return false;
      }
      if (result_.removed[i]) continue;
      const Description does = describe(function_.instructions[i]);
      switch (does.effect) {
        case Effect::pure:
        case Effect::load:
        case Effect::store:
        case Effect::atomic:
        case Effect::harmless:
          break;
        default:
          return false;
      }
      if (ends_block(function_.instructions[i]) || polls(function_, i)) return false;
      if (!does.copies && ++size > kMostPredicated) return false;
    }
    return true;
  }

  void guard(const Skipped& range, std::uint32_t branch) {
    result_.removed[branch] = true;
    for (std::uint32_t i = range.first; i < range.end; ++i) result_.guards[i].push_back(branch);
  }

  bool predicate(std::uint32_t branch) {
    const ptx::Instruction& instruction = function_.instructions[branch];
    if (instruction.guard.reg == ptx::kNoIndex) return false;
    const std::uint32_t target = forward_target(branch);
    if (target == 0 || target > count_) return false;
    const Skipped skipped{branch + 1, target};
    if (can_be(skipped, branch)) {
      guard(skipped, branch);
      return true;
    }
    // @p bra Else; ...; bra End; Else: ...; End:
    const std::uint32_t last = target - 1;
    if (last == branch || falls_through(function_.instructions[last])) return false;
    const std::uint32_t end = forward_target(last);
    if (end <= target || end > count_) return false;
    if (!can_be({branch + 1, last}, branch) || !can_be({target, end}, branch)) return false;
    guard({branch + 1, end}, branch);
    result_.removed[last] = true;
    return true;
  }

  const ptx::Function& function_;
  std::uint32_t count_;
  std::vector<std::vector<std::uint32_t>> jumps_;  // to an instruction, from which
  Predication result_;
};

}  // namespace

Predication predicate(const ptx::Function& function) {
  return Predicator(function).run();
}

}  // namespace warpsim

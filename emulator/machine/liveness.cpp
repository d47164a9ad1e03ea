#include "emulator/machine/liveness.h"

#include <algorithm>
#include <utility>

#include "emulator/machine/paths.h"

namespace warpsim {
namespace {

using Bits = std::vector<std::uint64_t>;

bool test(const Bits& bits, std::uint32_t i) {
  return (bits[i / 64] >> (i % 64)) & 1;
}
void set(Bits& bits, std::uint32_t i) {
  bits[i / 64] |= std::uint64_t{1} << (i % 64);
}
void clear(Bits& bits, std::uint32_t i) {
  bits[i / 64] &= ~(std::uint64_t{1} << (i % 64));
}

/// 32-bit registers that a value takes; predicates have a file of their own.
std::uint32_t cost(ptx::Type type) {
  if (type == ptx::Type::pred) return 0;
  return std::max<std::uint32_t>(1, static_cast<std::uint32_t>(ptx::size_bytes(type) / 4));
}

struct BasicBlock {
  std::uint32_t first = 0, last = 0;  // instructions [first, last)
  std::vector<std::uint32_t> next;  // blocks
  Bits in, out;
};

class Liveness {
 public:
  explicit Liveness(const ptx::Function& function) : function_(function) {
    for (const auto& instruction : function.instructions)
      uses_.push_back(register_use(instruction));
    split();
    solve();
  }

  [[nodiscard]] std::uint32_t peak() const {
    std::uint32_t most = 0;
    for (const BasicBlock& block : blocks_) {
      Bits live = block.out;
      std::uint32_t now = weigh(live);
      most = std::max(most, now);
      for (std::uint32_t i = block.last; i-- > block.first;) {
        step(live, i, now);
        most = std::max(most, now);
      }
    }
    return most;
  }

  [[nodiscard]] std::vector<LiveRange> ranges() const {
    std::vector<LiveRange> result(function_.registers.size());
    const auto extend = [&](std::uint32_t r, std::uint32_t i) {
      result[r].first = std::min(result[r].first, i);
      result[r].last = std::max(result[r].last, i);
    };
    for (const BasicBlock& block : blocks_) {
      for (std::uint32_t r = 0; r < function_.registers.size(); ++r) {
        if (test(block.in, r)) extend(r, block.first);
        if (test(block.out, r)) extend(r, block.last - 1);
      }
      for (std::uint32_t i = block.first; i < block.last; ++i) {
        for (const std::uint32_t r : uses_[i].reads) extend(r, i);
        for (const std::uint32_t r : uses_[i].writes) extend(r, i);
      }
    }
    return result;
  }

  [[nodiscard]] std::vector<Bits> before() const {
    std::vector<Bits> result(function_.instructions.size() + 1);
    result.back().assign(function_.registers.size() / 64 + 1, 0);
    for (const BasicBlock& block : blocks_) {
      Bits live = block.out;
      std::uint32_t unused = 0;
      for (std::uint32_t i = block.last; i-- > block.first;) {
        step(live, i, unused);
        result[i] = live;
      }
    }
    return result;
  }

  /// Nothing can be asked afterwards.
  [[nodiscard]] std::vector<RegisterUse> take_uses() { return std::move(uses_); }

  [[nodiscard]] bool any_live_at_entry() const {
    const Bits& live = blocks_.front().in;
    return std::any_of(live.begin(), live.end(), [](std::uint64_t word) { return word != 0; });
  }

 private:
  [[nodiscard]] std::uint32_t weigh(const Bits& live) const {
    std::uint32_t total = 0;
    for (std::uint32_t r = 0; r < function_.registers.size(); ++r) {
      if (test(live, r)) total += cost(function_.registers[r].type);
    }
    return total;
  }

  /// From the registers that are live after instruction `i` to those before it.
  void step(Bits& live, std::uint32_t i, std::uint32_t& weight) const {
    // A guarded write may leave the old value in place, so the register stays live.
    const bool guarded = function_.instructions[i].guard.reg != ptx::kNoIndex;
    for (const std::uint32_t r : uses_[i].writes) {
      if (!guarded && test(live, r)) {
        clear(live, r);
        weight -= cost(function_.registers[r].type);
      }
    }
    for (const std::uint32_t r : uses_[i].reads) {
      if (!test(live, r)) {
        set(live, r);
        weight += cost(function_.registers[r].type);
      }
    }
  }

  void split() {
    const auto count = static_cast<std::uint32_t>(function_.instructions.size());
    std::vector<bool> leads(count + 1, false);
    leads[0] = true;
    for (std::uint32_t i = 0; i < count; ++i) {
      for (const std::uint32_t target : branch_targets(function_, i)) leads[target] = true;
      if (ends_block(function_.instructions[i])) leads[i + 1] = true;
    }
    block_of_.assign(count + 1, 0);
    for (std::uint32_t i = 0; i < count; ++i) {
      if (leads[i]) blocks_.push_back({i, i, {}, {}, {}});
      block_of_[i] = static_cast<std::uint32_t>(blocks_.size() - 1);
      blocks_.back().last = i + 1;
    }
    block_of_[count] = static_cast<std::uint32_t>(blocks_.size());
    for (BasicBlock& block : blocks_) {
      const std::uint32_t end = block.last - 1;
      for (const std::uint32_t target : branch_targets(function_, end)) {
        if (target < count) block.next.push_back(block_of_[target]);
      }
      if (falls_through(function_.instructions[end]) && block.last < count)
        block.next.push_back(block_of_[block.last]);
    }
  }

  void solve() {
    const std::size_t words = function_.registers.size() / 64 + 1;
    for (BasicBlock& block : blocks_) {
      block.in.assign(words, 0);
      block.out.assign(words, 0);
    }
    std::uint32_t unused = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t b = blocks_.size(); b-- > 0;) {
        BasicBlock& block = blocks_[b];
        for (const std::uint32_t n : block.next) {
          for (std::size_t w = 0; w < words; ++w) block.out[w] |= blocks_[n].in[w];
        }
        Bits live = block.out;
        for (std::uint32_t i = block.last; i-- > block.first;) step(live, i, unused);
        if (live != block.in) {
          block.in = std::move(live);
          changed = true;
        }
      }
    }
  }

  const ptx::Function& function_;
  std::vector<RegisterUse> uses_;
  std::vector<BasicBlock> blocks_;
  std::vector<std::uint32_t> block_of_;
};

}  // namespace

RegisterDemand register_demand(const ptx::Function& function) {
  if (function.instructions.empty()) return {};
  Liveness liveness(function);
  RegisterDemand demand{liveness.peak(), liveness.any_live_at_entry(), liveness.ranges(), {}};
  demand.uses = liveness.take_uses();
  return demand;
}

std::vector<std::vector<std::uint64_t>> live_registers(const ptx::Function& function) {
  if (function.instructions.empty()) return {};
  return Liveness(function).before();
}

}  // namespace warpsim

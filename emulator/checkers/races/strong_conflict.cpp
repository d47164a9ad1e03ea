#include "emulator/checkers/races/strong_conflict.h"

#include <algorithm>

#include "emulator/isa/description.h"
#include "emulator/machine/linker.h"
#include "emulator/machine/polls.h"

namespace warpsim {
namespace {

const ptx::Instruction* source_of(const RaceSite& site) {
  return site.program->source[site.inst->index];
}

/// True when the function of `site` has another access to the same address, as written, for which
/// `condition` holds. It gets the instruction and its index.
template <class Condition>
bool has_there(const RaceSite& site, Condition condition) {
  const ptx::Operand* here = address_of(*source_of(site));
  if (here == nullptr || here->reg == ptx::kNoIndex) return false;
  for (std::size_t i = 0; i < site.program->source.size(); ++i) {
    const ptx::Instruction* other = site.program->source[i];
    if (other == nullptr || !condition(*other, static_cast<std::uint32_t>(i))) continue;
    const ptx::Operand* there = address_of(*other);
    if (there != nullptr && there->reg == here->reg && there->offset == here->offset) return true;
  }
  return false;
}

/// An atomic whose result is made of what was there: what others write in between is lost, and who
/// reads sees a part of the sum.
bool accumulates(const RaceSite& site, bool also_limits) {
  const ptx::Instruction& source = *source_of(site);
  if (only_reads(source)) return false;
  switch (describe(source).atomic) {
    case AtomicOperation::add:
    case AtomicOperation::increment:
    case AtomicOperation::decrement:
    case AtomicOperation::bit_xor:
      return true;
    // What tightens a limit is tried again by a thread that read an old one.
    case AtomicOperation::minimum:
    case AtomicOperation::maximum:
    case AtomicOperation::bit_and:
    case AtomicOperation::bit_or:
      return also_limits;
    default:
      return false;
  }
}

bool lost_update(const RaceSite& write, const RaceSite& update) {
  if (!accumulates(update, true)) return false;
  // Who has updated the place before sets it back: its own update came after the others'.
  return !has_there(write, [&](const ptx::Instruction& other, std::uint32_t index) {
    const Description does = describe(other);
    return does.effect == Effect::atomic && does.has_result && index < write.inst->index;
  });
}

bool partial_sum(const RaceSite& read, const RaceSite& update) {
  if (!accumulates(update, false) || read.polls) return false;
  // Where the value is compared and exchanged, an old one is noticed; where a loop has waited for
  // the sum, it is complete.
  const bool looks_twice = has_there(read, [&](const ptx::Instruction& other, std::uint32_t index) {
    return describe(other).atomic == AtomicOperation::compare_and_swap ||
           polls(*read.program->function, text_index(*read.program, index));
  });
  return !looks_twice &&
         becomes_data(*read.program->function, text_index(*read.program, read.inst->index));
}

}  // namespace

bool is_atomic(const RaceSite& site) {
  const ptx::Instruction* source = source_of(site);
  return source != nullptr && describe(*source).effect == Effect::atomic;
}

bool is_volatile(const RaceSite& site) {
  const ptx::Instruction* source = source_of(site);
  return source != nullptr && describe(*source).is_volatile;
}

bool worth_a_warning(const Conflict& conflict, const RaceSite& a, const RaceSite& b) {
  if (is_volatile(a) == is_volatile(b) && !is_volatile(a)) return false;
  if (conflict.meeting == Meeting::narrow) return !a.polls && !b.polls;
  const RaceSite& plain = is_volatile(a) ? a : b;
  const RaceSite& update = is_volatile(a) ? b : a;
  if (!is_atomic(update)) return false;
  const bool writes = (is_volatile(a) ? conflict.first : conflict.second).write();
  return writes ? lost_update(plain, update) : partial_sum(plain, update);
}

}  // namespace warpsim

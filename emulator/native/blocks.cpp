#include "emulator/native/blocks.h"

namespace warpsim::native {

using namespace asmjit;

std::uint32_t Blocks::find(std::int32_t slot) const {
  for (std::uint32_t i = 0; i < kRegisters; ++i) {
    if (registers_[i].slot == slot) return i;
  }
  return kRegisters;
}

std::uint32_t Blocks::take() {
  std::uint32_t best = kRegisters;
  for (std::uint32_t i = 0; i < kRegisters; ++i) {
    const Register& r = registers_[i];
    if (r.busy) continue;
    if (r.slot == kFree) {
      best = i;
      break;
    }
    if (best == kRegisters || r.last_use < registers_[best].last_use) best = i;
  }
  Register& r = registers_[best];  // an instruction needs far fewer than there are
  if (r.slot != kFree && r.dirty) write({r.slot, best, r.any_nan});
  r = {};
  r.busy = true;
  r.last_use = ++now_;
  return best;
}

Zmm Blocks::scratch() {
  return x86::zmm(take());
}

Zmm Blocks::use(std::int32_t slot, bool canonical) {
  std::uint32_t reg = find(slot);
  if (reg == kRegisters) {
    reg = take();
    registers_[reg].slot = slot;
    out_.vmovdqa32(x86::zmm(reg), x86::ptr(place::kRegisters, slot));
  }
  Register& r = registers_[reg];
  r.busy = true;
  r.last_use = ++now_;
  if (canonical && r.any_nan) make_canonical(reg);
  return x86::zmm(reg);
}

void Blocks::make_canonical(std::uint32_t reg) {
  const Zmm value = x86::zmm(reg);
  out_.vcmpps(x86::k1, value, value, 3);  // unordered
  out_.k(x86::k1).vmovdqa32(value, x86::ptr(canonical_nan_));
  registers_[reg].any_nan = false;
}

void Blocks::define(std::int32_t slot, Zmm value, bool any_nan) {
  const std::uint32_t old = find(slot);
  if (old != kRegisters && old != value.id()) {
    registers_[old].slot = kFree;
    registers_[old].dirty = registers_[old].any_nan = false;
  }
  Register& r = registers_[value.id()];
  r.slot = slot;
  r.dirty = true;
  r.any_nan = any_nan;
}

void Blocks::release() {
  for (Register& r : registers_) r.busy = false;
}

bool Blocks::is_dirty(std::int32_t slot) const {
  const std::uint32_t reg = find(slot);
  return reg != kRegisters && registers_[reg].dirty;
}

void Blocks::write_back_around(std::int32_t slot) {
  const std::uint32_t reg = find(slot / kBytes * kBytes);
  if (reg == kRegisters) return;
  Register& r = registers_[reg];
  if (r.dirty) write({r.slot, reg, r.any_nan});
  r.slot = kFree;
  r.dirty = r.any_nan = false;
}

void Blocks::write(const Dirty& block) {
  const Zmm value = x86::zmm(block.reg);
  if (block.any_nan) {
    out_.vcmpps(x86::k1, value, value, 3);
    out_.k(x86::k1).vmovdqa32(value, x86::ptr(canonical_nan_));
  }
  out_.vmovdqa32(x86::ptr(place::kRegisters, block.slot), value);
}

void Blocks::write_back_all() {
  for (const Dirty& block : dirty()) {
    write(block);
    registers_[block.reg].dirty = registers_[block.reg].any_nan = false;
  }
}

void Blocks::forget_all() {
  registers_ = {};
}

std::vector<Blocks::Dirty> Blocks::dirty() const {
  std::vector<Dirty> result;
  for (std::uint32_t i = 0; i < kRegisters; ++i) {
    const Register& r = registers_[i];
    if (r.slot != kFree && r.dirty) result.push_back({r.slot, i, r.any_nan});
  }
  return result;
}

}  // namespace warpsim::native

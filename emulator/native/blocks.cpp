#include "emulator/native/blocks.h"

namespace warpsim::native {

using namespace asmjit;

std::uint32_t Blocks::find(std::int32_t slot) const {
  for (std::uint32_t i = 0; i < vectors_.registers(); ++i) {
    if (registers_[i].slot == slot) return i;
  }
  return kNone;
}

std::uint32_t Blocks::take() {
  std::uint32_t best = kNone;
  for (std::uint32_t i = 0; i < vectors_.registers(); ++i) {
    const Register& r = registers_[i];
    if (r.busy) continue;
    if (r.slot == kFree) {
      best = i;
      break;
    }
    if (best == kNone || r.last_use < registers_[best].last_use) best = i;
  }
  Register& r = registers_[best];  // an instruction needs far fewer than there are
  if (r.slot != kFree && r.dirty) write({r.slot, best, r.any_nan});
  r = {};
  r.busy = true;
  r.last_use = ++now_;
  return best;
}

Vec Blocks::scratch() {
  return vectors_.reg(take());
}

Vec Blocks::use(std::int32_t slot, bool canonical) {
  slot = like(slot);
  std::uint32_t reg = find(slot);
  if (reg == kNone) {
    reg = take();
    registers_[reg].slot = slot;
    vectors_.move(vectors_.reg(reg), x86::ptr(place::kRegisters, slot));
  }
  Register& r = registers_[reg];
  r.busy = true;
  r.last_use = ++now_;
  if (canonical && r.any_nan) {
    vectors_.make_canonical(vectors_.reg(reg), canonical_nan_);
    r.any_nan = false;
  }
  return vectors_.reg(reg);
}

void Blocks::define(std::int32_t slot, Vec value, bool any_nan) {
  const std::uint32_t old = find(slot);
  if (old != kNone && old != value.id()) {
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
  return reg != kNone && registers_[reg].dirty;
}

void Blocks::write_back_around(std::int32_t slot) {
  const std::uint32_t reg = find(slot / vectors_.bytes() * vectors_.bytes());
  if (reg == kNone) return;
  Register& r = registers_[reg];
  if (r.dirty) write({r.slot, reg, r.any_nan});
  r.slot = kFree;
  r.dirty = r.any_nan = false;
}

void Blocks::write(const Dirty& block) {
  const Vec value = vectors_.reg(block.reg);
  if (block.any_nan) vectors_.make_canonical(value, canonical_nan_);
  vectors_.keep(x86::ptr(place::kRegisters, block.slot), value);
}

void Blocks::write_back(std::int32_t slot, std::int32_t count) {
  for (const Dirty& block : dirty()) {
    if (block.slot < slot || block.slot >= slot + count * vectors_.bytes()) continue;
    write(block);
    registers_[block.reg].dirty = registers_[block.reg].any_nan = false;
  }
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
  for (std::uint32_t i = 0; i < vectors_.registers(); ++i) {
    const Register& r = registers_[i];
    if (r.slot != kFree && r.dirty) result.push_back({r.slot, i, r.any_nan});
  }
  return result;
}

}  // namespace warpsim::native

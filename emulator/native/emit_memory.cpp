#include <algorithm>
#include <cstddef>
#include <optional>

#include "emulator/machine/context.h"
#include "emulator/native/emitter.h"
#include "emulator/native/lane_places.h"

// Loads and stores whose lanes' addresses have the shape for which the trace was made.

namespace warpsim::native {

using namespace asmjit;
using namespace place;

namespace {

/// Registers that hold where groups are; nothing else is in them but around calls.
constexpr x86::Gp kHosts[] = {x86::rsi, x86::rdi, x86::r8, x86::r9, x86::r10, x86::r11};

}  // namespace

bool Emitter::has_shadow(const TraceGroup& group) const {
  return group.is_shared && (trace_.watch & kSharedInitialization) != 0;
}

void Emitter::access(const Step& step) {
  TraceAccess& access = trace_.accesses[step.access];
  const TraceGroup& group = trace_.groups[access.group];
  if (!guarded_[access.group]) {
    guard(access, group);
    guarded_[access.group] = true;
    blocks_.release();
  }
  const bool stores =
      step.form->op == NativeOp::store_global || step.form->op == NativeOp::store_shared;
  if (!stores && has_shadow(group)) {
    check_initialized(access, group);
    blocks_.release();
  }
  access.exits_before = static_cast<std::uint32_t>(trace_.exits.size());
  if (access.residues != 0) count(access, group, *step.inst);
  if (stores) {
    if (access.store != TraceAccess::kNotTold) tell_store(step, access.store);
    store(step, group);
  } else {
    load(step, group);
  }
}

void Emitter::guard(const TraceAccess& access, const TraceGroup& group) {
  // All registers first: what the exit writes must stay where it is.
  const bool in_register = blocks_.is_dirty(group.slot);
  const bool is_like = group.like != TraceGroup::kNone;
  const bool looks_up = group.by_warp != 0 && !in_register;
  const ShapeRegisters registers = is_like ? ShapeRegisters() : shape_registers(group, !looks_up);
  const Label exit = add_exit(access.place, &trace_.inst_of(access)).label;
  const Label passed = out_.newLabel();
  const x86::Mem of_warp =
      x86::qword_ptr(kState, x86::rcx, 3, static_cast<std::int32_t>(8 * group.by_warp));
  if (in_register) {
    const Vec a = blocks_.use(group.slot);
    if (group.is_wide) {
      out_.vmovq(x86::rax, a.xmm());
    } else {
      out_.vmovd(x86::eax, a.xmm());
    }
  } else if (group.is_wide) {
    out_.mov(x86::rax, x86::qword_ptr(kRegisters, group.slot));
  } else {
    out_.mov(x86::eax, x86::dword_ptr(kRegisters, group.slot));
  }
  if (group.is_shared && group.is_wide) out_.mov(x86::eax, x86::eax);
  if (looks_up) {
    out_.mov(x86::ecx, x86::dword_ptr(kWarp, offsetof(Warp, warp_index)));
    out_.cmp(x86::rax, of_warp);
    out_.je(passed);
  }
  if (group.is_shared) {
    out_.mov(x86::rcx, x86::rax);
    const auto from = static_cast<std::int32_t>(8 * group_word(group, state::kFrom));
    out_.sub(x86::ecx, x86::dword_ptr(kState, from));
  } else {
    out_.mov(x86::rcx, x86::rax);
    out_.sub(x86::rcx, word(group_word(group, state::kFrom)));
  }
  out_.cmp(x86::rcx, word(group_word(group, state::kPlaces)));
  out_.jae(exit);
  out_.lea(x86::edx, x86::ptr(x86::rax, static_cast<std::int32_t>(group.offset)));
  out_.test(x86::edx, group.width - 1);
  out_.jnz(exit);
  if (!is_like) guard_shape(group, x86::rax, registers, exit);
  if (looks_up) {
    out_.mov(x86::ecx, x86::dword_ptr(kWarp, offsetof(Warp, warp_index)));
    out_.mov(of_warp, x86::rax);
    out_.bind(passed);
  }
  // With its offset the sum is in the array, but the address alone may be below all of them.
  if (group.is_shared) out_.movsxd(x86::rax, x86::eax);
  out_.mov(word(group_word(group, state::kFirst)), x86::rax);
  if (group.is_shared) {
    out_.add(x86::rax, kShared);
  } else {
    out_.add(x86::rax, word(group_word(group, state::kToHost)));
  }
  out_.mov(word(group_word(group, state::kHost)), x86::rax);
  out_.mov(new_host(group), x86::rax);
}

Emitter::ShapeRegisters Emitter::shape_registers(const TraceGroup& group, bool keeps) {
  ShapeRegisters registers;
  registers.are_kept = keeps;
  if (keeps) {
    for (std::int32_t i = 0; i < vectors_.blocks(group.is_wide ? 8 : 4); ++i) {
      registers.addresses[i] = blocks_.use(group.slot + i * vectors_.bytes());
    }
  } else {
    registers.addresses[0] = blocks_.scratch();
  }
  registers.start = blocks_.scratch();
  registers.off = blocks_.scratch();
  registers.distance = blocks_.scratch();
  return registers;
}

void Emitter::guard_shape(const TraceGroup& group, Gp first, const ShapeRegisters& registers,
                          const Label& exit) {
  const auto& [addresses, start, off, distance, are_kept] = registers;
  const std::int32_t element = group.is_wide ? 8 : 4;
  const std::int32_t bytes = vectors_.bytes();
  const std::int32_t lanes = bytes / element;
  if (group.is_wide) {
    vectors_.broadcast64(start, first);
  } else {
    vectors_.broadcast32(start, first);
  }
  for (std::int32_t i = 0; i < vectors_.blocks(element); ++i) {
    const std::uint32_t* const relative = group.shape.relative + std::ptrdiff_t{lanes} * i;
    std::int64_t wide[8] = {};
    for (std::int32_t k = 0; k < 8 && k < lanes; ++k) {
      wide[k] = static_cast<std::int32_t>(relative[k]);
    }
    const x86::Mem expected = group.is_wide ? constant(wide) : constant(relative);
    if (!are_kept) vectors_.move(addresses[0], x86::ptr(kRegisters, group.slot + i * bytes));
    const Vec& address = addresses[are_kept ? i : 0];
    vectors_.emit(group.is_wide ? op::kIdVpsubq : op::kIdVpsubd, distance, address, start);
    vectors_.bit_xor(i == 0 ? off : distance, distance, expected);
    if (i != 0) vectors_.bit_or(off, off, distance);
  }
  if (group.is_wide && group.is_shared) {
    // Of an offset, 32 bits count.
    std::uint64_t low[8];
    std::ranges::fill(low, 0xffffffffu);
    vectors_.bit_and(off, off, constant(low));
  }
  if (vectors_.wide()) {
    out_.emit(op::kIdVptestmd, x86::k1, off, off);
    out_.kortestw(x86::k1, x86::k1);
  } else {
    out_.emit(op::kIdVptest, off, off);
  }
  out_.jnz(exit);
}

Emitter::Gp Emitter::host(const TraceGroup& group) {
  const auto number = static_cast<std::uint32_t>(&group - trace_.groups.data());
  for (std::size_t i = 0; i < std::size(kHosts); ++i) {
    if (host_of_[i] == number) return kHosts[i];
  }
  const Gp host = new_host(group);
  out_.mov(host, word(group_word(group, state::kHost)));
  return host;
}

Emitter::Gp Emitter::new_host(const TraceGroup& group) {
  const std::size_t i = next_host_++ % std::size(kHosts);
  host_of_[i] = static_cast<std::uint32_t>(&group - trace_.groups.data());
  return kHosts[i];
}

void Emitter::count(const TraceAccess& access, const TraceGroup& group, const Inst& in) {
  out_.mov(x86::ecx, word(group_word(group, state::kFirst)));
  out_.add(x86::ecx, static_cast<std::int32_t>(in.offset));
  const Residues residues(in.width);
  if (residues.shift != 0) out_.shr(x86::ecx, residues.shift);
  out_.and_(x86::ecx, static_cast<std::uint32_t>(residues.count() - 1));
  out_.inc(x86::qword_ptr(kState, x86::rcx, 3, static_cast<std::int32_t>(8 * access.residues)));
}

void Emitter::load_bytes(const Inst& in, const TraceGroup& group) {
  const auto lanes = static_cast<std::uint32_t>(vectors_.bytes()) / 4;
  const Gp from = host(group);
  for (std::uint32_t block = 0; block < 32 / lanes; ++block) {
    const std::uint32_t* const relative = group.shape.relative + block * lanes;
    const Vec d = blocks_.scratch();
    const auto offset = static_cast<std::int32_t>(in.offset);
    const std::int32_t place = offset + static_cast<std::int32_t>(relative[0]);
    switch (lanes_of(relative, lanes, 1)) {
      case Lanes::row:
        vectors_.emit(op::kIdVpmovzxbd, d, x86::ptr(from, place, lanes));
        break;
      case Lanes::same:
        out_.movzx(x86::eax, x86::byte_ptr(from, place));
        vectors_.broadcast32(d, x86::eax);
        break;
      case Lanes::scattered:
        if (are_near(relative, lanes)) {
          pick_bytes(d, from, offset, relative);
        } else {
          gather_bytes(d, from, offset, relative);
        }
        break;
    }
    blocks_.define(in.d + static_cast<std::int32_t>(block) * vectors_.bytes(), d);
    blocks_.release();
  }
}

void Emitter::pick_bytes(const Vec& d, Gp from, std::int32_t offset,
                         const std::uint32_t* relative) {
  std::uint8_t picks[64];
  std::ranges::fill(picks, std::uint8_t{0x80});  // zero
  for (std::int32_t part = 0; part < vectors_.bytes() / 16; ++part) {
    const std::uint32_t* const four = relative + std::ptrdiff_t{4} * part;
    const std::int32_t first = first_of_bytes(four);
    for (std::int32_t lane = 0; lane < 4; ++lane) {
      const std::int32_t place = static_cast<std::int32_t>(four[lane]) - first;
      picks[16 * part + 4 * lane] = static_cast<std::uint8_t>(place);
    }
    const x86::Mem bytes = x86::xmmword_ptr(from, offset + first);
    if (part == 0) {
      out_.emit(vectors_.wide() ? op::kIdVmovdqu32 : op::kIdVmovdqu, d.xmm(), bytes);
    } else {
      out_.emit(vectors_.wide() ? op::kIdVinserti32x4 : op::kIdVinserti128, d, d, bytes, part);
    }
  }
  vectors_.emit(op::kIdVpshufb, d, d, constant(picks));
}

void Emitter::gather_bytes(const Vec& d, Gp from, std::int32_t offset,
                           const std::uint32_t* relative) {
  // Words, of which the lowest byte counts.
  std::uint32_t places[16] = {};
  std::copy_n(relative, vectors_.bytes() / 4, places);
  gather(d, from, offset, places, 4, {blocks_.scratch(), blocks_.scratch()});
  std::uint32_t low[16];
  std::ranges::fill(low, 0xffu);
  vectors_.bit_and(d, d, constant(low));
}

void Emitter::load(const Step& step, const TraceGroup& group) {
  const Inst& in = *step.inst;
  if (in.width == 1) return load_bytes(in, group);
  const std::uint32_t bytes = element_bytes(*step.form);
  const auto lanes = static_cast<std::uint32_t>(vectors_.bytes()) / bytes;
  const Gp from = host(group);
  for (std::uint32_t element = 0; element < in.aux; ++element) {
    const auto offset =
        static_cast<std::int32_t>(in.offset) + static_cast<std::int32_t>(element * bytes);
    Vec loaded[8];
    std::optional<GatherRegisters> registers;
    for (std::uint32_t block = 0; block < 32 / lanes; ++block) {
      const std::uint32_t* const relative = group.shape.relative + block * lanes;
      const std::int32_t place = offset + static_cast<std::int32_t>(relative[0]);
      const Vec d = loaded[block] = blocks_.scratch();
      // Rows of threads often load the same.
      const std::uint32_t like = first_alike(group.shape.relative, lanes, block);
      if (like != block) {
        vectors_.move(d, loaded[like]);
      } else {
        switch (lanes_of(relative, lanes, bytes)) {
          case Lanes::row:
            vectors_.load(d, x86::ptr(from, place));
            break;
          case Lanes::same:
            vectors_.emit(bytes == 4 ? op::kIdVbroadcastss : op::kIdVpbroadcastq, d,
                          x86::ptr(from, place, bytes));
            break;
          case Lanes::scattered: {
            std::uint32_t places[16] = {};
            std::copy_n(relative, lanes, places);
            if (!registers) registers = {blocks_.scratch(), blocks_.scratch()};
            gather(d, from, offset, places, bytes, *registers);
            break;
          }
        }
      }
      blocks_.define(
          element_slot(in, element) + static_cast<std::int32_t>(block) * vectors_.bytes(), d);
    }
    blocks_.release();
  }
}

void Emitter::gather(const Vec& d, Gp from, std::int32_t offset, const std::uint32_t* places,
                     std::uint32_t bytes, const GatherRegisters& registers) {
  const auto& [index, all] = registers;
  vectors_.move(index, constant(places));
  const Vec used = bytes == 4 ? index : vectors_.half(index);
  const x86::Mem memory = x86::ptr(from, used, 0, offset);
  const auto id = bytes == 4 ? op::kIdVpgatherdd : op::kIdVpgatherdq;
  if (vectors_.wide()) {
    out_.kxnorw(x86::k1, x86::k1, x86::k1);
    vectors_.bit_xor(d, d, d);
    out_.k(x86::k1).emit(id, d, memory);
    return;
  }
  vectors_.set(all);
  out_.emit(id, d, memory, all);
}

}  // namespace warpsim::native

#include <algorithm>
#include <cstddef>
#include <vector>

#include "emulator/machine/context.h"
#include "emulator/machine/written.h"
#include "emulator/native/emitter.h"
#include "emulator/native/lane_places.h"

// Stores, and the shadow of what is stored and loaded.

namespace warpsim::native {

using namespace asmjit;
using namespace place;

void Emitter::store(const Step& step, const TraceGroup& group) {
  const Inst& in = *step.inst;
  const auto bytes = static_cast<std::uint32_t>(vectors_.bytes());
  const std::uint32_t lanes = bytes / element_bytes(*step.form);
  const std::uint32_t lanes_of_vector = bytes / in.width;
  const Gp to = host(group);
  for (std::uint32_t block = 0; block < 32 / lanes; ++block) {
    Vec values[4];
    for (std::uint32_t k = 0; k < in.aux; ++k) {
      const std::int32_t slot = element_slot(in, k);
      values[k] = blocks_.use(slot + static_cast<std::int32_t>(block * bytes));
    }
    if (in.aux == 2) interleave(element_bytes(*step.form), values);
    if (in.aux == 4) interleave_four(values);
    for (std::uint32_t k = 0; k < in.aux; ++k) {
      const std::uint32_t lane = block * lanes + k * lanes_of_vector;
      const auto relative = static_cast<std::int32_t>(group.shape.relative[lane]);
      vectors_.store(x86::ptr(to, static_cast<std::int32_t>(in.offset) + relative), values[k]);
    }
    blocks_.release();
  }
  if (!group.is_shared || has_shadow(group)) mark(in, group, lanes_of_vector);
}

void Emitter::interleave(std::uint32_t element, Vec* values) {
  // Within 16 bytes, and then these.
  const Vec low = blocks_.scratch();
  const Vec high = blocks_.scratch();
  vectors_.emit(element == 8 ? op::kIdVpunpcklqdq : op::kIdVpunpckldq, low, values[0], values[1]);
  vectors_.emit(element == 8 ? op::kIdVpunpckhqdq : op::kIdVpunpckhdq, high, values[0], values[1]);
  const Vec first = blocks_.scratch();
  const Vec second = blocks_.scratch();
  if (vectors_.wide()) {
    constexpr std::uint32_t kLowHalves = 0x44, kHighHalves = 0xee, kMiddleSwapped = 0xd8;
    out_.emit(op::kIdVshufi32x4, first, low, high, kLowHalves);
    out_.emit(op::kIdVshufi32x4, second, low, high, kHighHalves);
    out_.emit(op::kIdVshufi32x4, first, first, first, kMiddleSwapped);
    out_.emit(op::kIdVshufi32x4, second, second, second, kMiddleSwapped);
  } else {
    constexpr std::uint32_t kLowHalves = 0x20, kHighHalves = 0x31;
    out_.emit(op::kIdVperm2i128, first, low, high, kLowHalves);
    out_.emit(op::kIdVperm2i128, second, low, high, kHighHalves);
  }
  values[0] = first;
  values[1] = second;
}

void Emitter::interleave_four(Vec* values) {
  const auto pair = [&](op::Id id, const Vec& a, const Vec& b) {
    const Vec d = blocks_.scratch();
    vectors_.emit(id, d, a, b);
    return d;
  };
  const Vec low01 = pair(op::kIdVpunpckldq, values[0], values[1]);
  const Vec high01 = pair(op::kIdVpunpckhdq, values[0], values[1]);
  const Vec low23 = pair(op::kIdVpunpckldq, values[2], values[3]);
  const Vec high23 = pair(op::kIdVpunpckhdq, values[2], values[3]);
  // The i-th of these has lanes i, i + 4, ..., with 16 bytes each.
  Vec lanes[4];
  lanes[0] = pair(op::kIdVpunpcklqdq, low01, low23);
  vectors_.emit(op::kIdVpunpckhqdq, low01, low01, low23);
  lanes[1] = low01;
  lanes[2] = pair(op::kIdVpunpcklqdq, high01, high23);
  vectors_.emit(op::kIdVpunpckhqdq, high01, high01, high23);
  lanes[3] = high01;
  if (vectors_.wide()) {
    constexpr std::uint32_t kHalves[] = {0x44, 0xee};
    constexpr std::uint32_t kEven = 0x88, kOdd = 0xdd;
    for (std::uint32_t half = 0; half < 2; ++half) {
      const Vec even = blocks_.scratch();
      const Vec odd = blocks_.scratch();
      const Vec upper = blocks_.scratch();
      out_.emit(op::kIdVshufi32x4, even, lanes[0], lanes[1], kHalves[half]);
      out_.emit(op::kIdVshufi32x4, upper, lanes[2], lanes[3], kHalves[half]);
      out_.emit(op::kIdVshufi32x4, odd, even, upper, kOdd);
      out_.emit(op::kIdVshufi32x4, even, even, upper, kEven);
      values[2 * half] = even;
      values[2 * half + 1] = odd;
    }
    return;
  }
  constexpr std::uint32_t kHalves[] = {0x20, 0x31};
  for (std::uint32_t half = 0; half < 2; ++half) {
    for (std::uint32_t k = 0; k < 2; ++k) {
      const Vec d = blocks_.scratch();
      out_.emit(op::kIdVperm2i128, d, lanes[2 * k], lanes[2 * k + 1], kHalves[half]);
      values[2 * half + k] = d;
    }
  }
}

void Emitter::check_initialized(const TraceAccess& access, const TraceGroup& group) {
  const Inst& in = trace_.inst_of(access);
  const auto bytes = static_cast<std::uint32_t>(vectors_.bytes());
  const std::uint32_t lanes = bytes / 4;
  // All registers first, as in guard().
  const Vec all = blocks_.scratch();
  const Vec part = blocks_.scratch();
  const Vec index = blocks_.scratch();
  const Vec mask = blocks_.scratch();
  const Label exit = add_exit(access.place, &in).label;
  out_.mov(x86::rax, x86::qword_ptr(kRun, offsetof(HotRun, shared_shadow)));
  out_.add(x86::rax, word(group_word(group, state::kFirst)));
  std::uint8_t bits[64];
  std::ranges::fill(bits, std::uint8_t{1});
  const x86::Mem written = constant(bits);
  vectors_.move(all, written);
  std::vector<std::int32_t> seen;  // places of lanes that are all the same
  for (std::uint32_t first = 0; first < 32; first += lanes) {
    const std::uint32_t* const relative = group.shape.relative + first;
    const std::int32_t place =
        static_cast<std::int32_t>(in.offset) + static_cast<std::int32_t>(relative[0]);
    const Lanes how = lanes_of(relative, lanes, in.width);
    if (how == Lanes::same) {
      if (std::ranges::find(seen, place) != seen.end()) continue;
      seen.push_back(place);
    }
    for (std::uint32_t word = 0; word < in.width / 4; ++word) {
      const auto further = static_cast<std::int32_t>(4 * word);
      switch (how) {
        case Lanes::row:
          vectors_.bit_and(all, all,
                           x86::ptr(x86::rax, place + static_cast<std::int32_t>(bytes * word)));
          break;
        case Lanes::same:
          vectors_.emit(op::kIdVpbroadcastd, part, x86::dword_ptr(x86::rax, place + further));
          vectors_.bit_and(all, all, part);
          break;
        case Lanes::scattered: {
          std::uint32_t places[16] = {};
          std::copy_n(relative, lanes, places);
          gather(part, x86::rax, static_cast<std::int32_t>(in.offset) + further, places, 4,
                 {index, mask});
          vectors_.bit_and(all, all, part);
          break;
        }
      }
    }
  }
  if (vectors_.wide()) {
    out_.emit(op::kIdVpcmpeqb, x86::k1, all, written);
    out_.kortestq(x86::k1, x86::k1);
    out_.jnc(exit);  // some byte is not
  } else {
    out_.emit(op::kIdVptest, all, written);
    out_.jnc(exit);
  }
}

/// The shadow of what a store wrote, where the allocation has one.
void Emitter::mark(const Inst& in, const TraceGroup& group, std::uint32_t lanes) {
  const Label done = out_.newLabel();
  const Vec all = blocks_.scratch();
  if (group.is_shared) {
    out_.mov(x86::rax, x86::qword_ptr(kRun, offsetof(HotRun, shared_shadow)));
  } else {
    out_.mov(x86::rax, word(group_word(group, state::kShadow)));
    out_.test(x86::rax, x86::rax);
    out_.jz(done);
  }
  out_.add(x86::rax, word(group_word(group, state::kFirst)));
  std::uint8_t marks[64];
  std::ranges::fill(marks, written_by_store(in.width));
  vectors_.move(all, constant(marks));
  for (std::uint32_t block = 0; block < 32 / lanes; ++block) {
    const auto relative = static_cast<std::int32_t>(group.shape.relative[block * lanes]);
    vectors_.store(x86::ptr(x86::rax, static_cast<std::int32_t>(in.offset) + relative), all);
  }
  out_.bind(done);
}

}  // namespace warpsim::native

#include "emulator/isa/handlers/memory_bind.h"
#include "emulator/isa/handlers/memory_path.h"
#include "emulator/machine/address.h"
#include "emulator/machine/decoder.h"

// ld and st of local memory and of parameters. A thread's local memory holds its .local variables
// and the parameters of the calls that it makes.

namespace warpsim::WARPSIM_SIMD {
namespace {

template <class A>
[[gnu::always_inline]] inline void lane_offsets(const Warp& w, const Inst& in, u64* offset) {
  const A* a = w.reg<A>(in.a);
  const u64 constant = static_cast<u64>(in.offset);
  const u64 first = u64{a[std::countr_zero(w.active)]} + constant;
  for (int i = 0; i < kWarpSize; ++i) {
    offset[i] = (w.active >> i) & 1 ? u64{a[i]} + constant : first;
  }
}

/// Parameters of calls are where the compiler put them.
constexpr u8 kIsParameter = 1;

template <class A>
struct Local {
  static ptx::Space space(const Inst& in) {
    return in.aux2 == kIsParameter ? ptx::Space::param : ptx::Space::local;
  }
  static void addresses(const Warp& w, const Inst& in, u64* address) {
    lane_offsets<A>(w, in, address);
  }
};

/// Kernel parameters through an address in a register (arrays and structures indexed at run time).
template <class E, class R>
const Inst* load_kernel_parameter(Warp& w, const Inst& in) {
  const auto& parameters = w.context->block->launch->parameters;
  Located at;
  lane_offsets<u64>(w, in, at.address);
  for (unsigned k = 0; k < in.aux; ++k) {
    R* d = w.reg<R>(element_slot(in, k));
    for_each_lane(w.active, [&](int i) {
      const u64 from = at.address[i] + k * sizeof(E);
      const bool inside = from + sizeof(E) <= parameters.size();
      d[i] = inside ? extend<R>(peek<E>(parameters.data() + from)) : R{0};
    });
  }
  return &in + 1;
}

template <class E, class R>
const Inst* copy_value(Warp& w, const Inst& in) {
  return map1<R, R>(w, in, [](R a) { return a; });
}

struct KernelParameter {
  template <class E, class R>
  static constexpr Handler run = load_kernel_parameter<E, R>;
};
struct Copy {
  template <class E, class R>
  static constexpr Handler run = copy_value<E, R>;
};

template <AccessType kType>
void bind_local(Binder& b, const MemoryForm& form, bool wide_address) {
  b.inst.run = wide_address ? pick_handler<AccessLanes<Local<u64>, kType>>(b, form)
                            : pick_handler<AccessLanes<Local<u32>, kType>>(b, form);
  if (b.inst.aux2 != kIsParameter) {
    decoder_of(b).access(kType == AccessType::load ? AccessKind::local_load
                                                   : AccessKind::local_store);
  }
}

}  // namespace

void bind_local_load(Binder& b, const MemoryForm& form, bool wide_address) {
  bind_local<AccessType::load>(b, form, wide_address);
}
void bind_local_store(Binder& b, const MemoryForm& form, bool wide_address) {
  bind_local<AccessType::store>(b, form, wide_address);
}

void bind_parameter_load(Binder& b, const MemoryForm& form) {
  const auto& address = b.operand(1);
  Decoder& decoder = decoder_of(b);
  const auto place = decoder.place(address);
  if (place.kind == Decoder::Place::Kind::none) {
    b.inst.run = pick_handler<KernelParameter>(b, form);
    return;
  }
  // A parameter at a fixed place is one value for the whole grid: a slot that every frame has.
  const std::size_t bytes = ptx::size_bytes(form.element);
  for (unsigned k = 0; k < form.count; ++k) {
    Inst copy;
    copy.d = element_slot(b.inst, k);
    copy.a = decoder.frame_slot(
        FrameValue::kernel_parameter, ptx::size_bytes(form.container),
        parameter_operand(place.address + k * bytes, bytes, ptx::is_signed(form.element)));
    copy.run = pick_handler<Copy>(b, form);
    if (k + 1 == form.count) {
      b.inst = copy;
      if (form.count == 1) decoder.copy();
    } else {
      decoder.emit_before(copy);
    }
  }
}

}  // namespace warpsim::WARPSIM_SIMD

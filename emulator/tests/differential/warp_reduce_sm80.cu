#include "emulator/tests/differential/kernel.h"

// __reduce_*_sync: warp-wide reductions in one instruction.

namespace differential {
namespace {

using S = std::int32_t;
using U = std::uint32_t;

#define REDUCTION(Name, T, intrinsic, expression)                                 \
  struct Name {                                                                   \
    static __device__ T device(unsigned mask, T x) { return intrinsic(mask, x); } \
    static T combine(T a, T b) { return expression; }                             \
  };
REDUCTION(Add, U, __reduce_add_sync, a + b)
REDUCTION(AddSigned, S, __reduce_add_sync, S(U(a) + U(b)))
REDUCTION(Minimum, U, __reduce_min_sync, a < b ? a : b)
REDUCTION(MinimumSigned, S, __reduce_min_sync, a < b ? a : b)
REDUCTION(Maximum, U, __reduce_max_sync, a > b ? a : b)
REDUCTION(MaximumSigned, S, __reduce_max_sync, a > b ? a : b)
REDUCTION(And, U, __reduce_and_sync, a& b)
REDUCTION(Or, U, __reduce_or_sync, a | b)
REDUCTION(Xor, U, __reduce_xor_sync, a ^ b)

/// The whole warp, then its two ends apart: 10 lanes and 22.
template <class F, class T>
__global__ void reduce(T* out, const T* in, int) {
  const unsigned i = threadIdx.x;
  const T x = in[i];
  out[i] = F::device(0xffffffffu, x);
  if (i % 32 < 10) {
    out[64 + i] = F::device(0x3ffu, x);
  } else {
    out[64 + i] = F::device(~0x3ffu, x);
  }
}

template <class F, class T>
void add_reduction(Suite& suite, const char* name) {
  add_kernel(suite, name, reduce<F, T>, {.block = 64}, random_values<T>(64, 3), 128,
             [](const std::vector<T>& in, std::vector<T>& out) {
               const auto combined = [&](std::size_t from, std::size_t to) {
                 T all = in[from];
                 for (std::size_t i = from + 1; i < to; ++i) all = F::combine(all, in[i]);
                 return all;
               };
               for (std::size_t i = 0; i < 64; ++i) {
                 const std::size_t warp = i / 32 * 32;
                 out[i] = combined(warp, warp + 32);
                 out[64 + i] =
                     i % 32 < 10 ? combined(warp, warp + 10) : combined(warp + 10, warp + 32);
               }
             });
}

}  // namespace

void register_cases(Suite& suite) {
  add_reduction<Add, U>(suite, "reduce_add u32");
  add_reduction<AddSigned, S>(suite, "reduce_add s32");
  add_reduction<Minimum, U>(suite, "reduce_min u32");
  add_reduction<MinimumSigned, S>(suite, "reduce_min s32");
  add_reduction<Maximum, U>(suite, "reduce_max u32");
  add_reduction<MaximumSigned, S>(suite, "reduce_max s32");
  add_reduction<And, U>(suite, "reduce_and");
  add_reduction<Or, U>(suite, "reduce_or");
  add_reduction<Xor, U>(suite, "reduce_xor");
}

}  // namespace differential

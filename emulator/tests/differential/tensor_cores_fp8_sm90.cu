#include "emulator/tests/differential/tensor_fragments.h"

// mma on 8-bit floats.

namespace differential {
namespace tensor {

TENSOR_OP_4_2_4(E4m3K32, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32")
TENSOR_OP_4_2_4(E5m2K32, "mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32")
TENSOR_OP_4_2_4(MixedK32, "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32")
TENSOR_OP_4_2_2(E4m3K32Half, "mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e4m3.f16")
TENSOR_OP_2_1_4(E4m3K16, "mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e4m3.f32")

}  // namespace tensor

void register_cases(Suite& suite) {
  using namespace tensor;
  add_instruction<E4m3K32>(suite, "m16n8k32 e4m3", {16, 8, 32, kE4m3, kE4m3, kF32, kF32});
  add_instruction<E5m2K32>(suite, "m16n8k32 e5m2", {16, 8, 32, kE5m2, kE5m2, kF32, kF32});
  add_instruction<MixedK32>(suite, "m16n8k32 e4m3 e5m2", {16, 8, 32, kE4m3, kE5m2, kF32, kF32});
  add_instruction<E4m3K32Half>(suite, "m16n8k32 e4m3 to f16",
                               {16, 8, 32, kE4m3, kE4m3, kF16, kF16});
  add_instruction<E4m3K16>(suite, "m16n8k16 e4m3", {16, 8, 16, kE4m3, kE4m3, kF32, kF32});
}

}  // namespace differential

#include "emulator/tests/differential/tensor_fragments.h"

// mma on f16, bf16 and tf32: what tensor cores round, cut off and keep.

namespace differential {
namespace tensor {

TENSOR_OP_2_1_4(HalfK8, "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32")
TENSOR_OP_2_1_2(HalfK8Half, "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16")
TENSOR_OP_4_2_4(HalfK16, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
TENSOR_OP_4_2_2(HalfK16Half, "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16")
TENSOR_OP_2_1_4(Bf16K8, "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32")
TENSOR_OP_4_2_4(Bf16K16, "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32")
TENSOR_OP_2_1_4(Tf32K4, "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32")
TENSOR_OP_4_2_4(Tf32K8, "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32")
TENSOR_OP_2_2_8(Quads, "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32")

}  // namespace tensor

void register_cases(Suite& suite) {
  using namespace tensor;
  add_instruction<HalfK8>(suite, "m16n8k8 f16 to f32", {16, 8, 8, kF16, kF16, kF32, kF32});
  add_instruction<HalfK8Half>(suite, "m16n8k8 f16", {16, 8, 8, kF16, kF16, kF16, kF16});
  add_instruction<HalfK16>(suite, "m16n8k16 f16 to f32", {16, 8, 16, kF16, kF16, kF32, kF32});
  add_instruction<HalfK16Half>(suite, "m16n8k16 f16", {16, 8, 16, kF16, kF16, kF16, kF16});
  add_instruction<Bf16K8>(suite, "m16n8k8 bf16", {16, 8, 8, kBf16, kBf16, kF32, kF32});
  add_instruction<Bf16K16>(suite, "m16n8k16 bf16", {16, 8, 16, kBf16, kBf16, kF32, kF32});
  add_instruction<Tf32K4>(suite, "m16n8k4 tf32", {16, 8, 4, kTf32, kTf32, kF32, kF32});
  add_instruction<Tf32K8>(suite, "m16n8k8 tf32", {16, 8, 8, kTf32, kTf32, kF32, kF32});
  add_instruction<Quads>(suite, "m8n8k4 f16", {8, 8, 4, kF16, kF16, kF32, kF32, true});
}

}  // namespace differential

#include "emulator/counters/traits.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>

using namespace warpsim;

namespace {

/// Traits of a form such as "fma.rn.f32".
InstructionTraits traits(std::string_view form, std::string_view card = "a100") {
  ptx::Instruction instruction;
  instruction.opcode = form.substr(0, form.find('.'));
  while (form.find('.') != form.npos) {
    form.remove_prefix(form.find('.') + 1);
    instruction.modifiers.push_back(form.substr(0, form.find('.')));
  }
  return traits_of(instruction, AccessKind::none, *find_card(card));
}

}  // namespace

TEST_CASE("arithmetic is known by opcode and type", "[counters][unit]") {
  CHECK(traits("add.f32").arithmetic == Arithmetic::fadd);
  CHECK(traits("sub.ftz.f32").arithmetic == Arithmetic::fadd);
  CHECK(traits("mul.rn.f64").arithmetic == Arithmetic::dmul);
  CHECK(traits("fma.rn.f16x2").arithmetic == Arithmetic::hfma);
  CHECK(traits("fma.rn.bf16").arithmetic == Arithmetic::hfma);
  CHECK(traits("div.rn.f32").arithmetic == Arithmetic::fother);
  CHECK(traits("add.s32").arithmetic == Arithmetic::none);
  CHECK(traits("mad.lo.s32").arithmetic == Arithmetic::none);
  CHECK(traits("cvt.rn.f32.s32").arithmetic == Arithmetic::none);
  CHECK(traits("ld.global.f32").arithmetic == Arithmetic::none);
}

TEST_CASE("a fused multiply-add is two operations, a packed one four", "[counters][unit]") {
  CHECK(traits("add.f32").flops == 1);
  CHECK(traits("fma.rn.f32").flops == 2);
  CHECK(traits("fma.rn.f16").flops == 2);
  CHECK(traits("fma.rn.f16x2").flops == 4);
  CHECK(traits("add.f16x2").flops == 2);
}

TEST_CASE("a matrix instruction does 2 m n k operations", "[counters][unit]") {
  const auto mma = traits("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32");
  CHECK(mma.arithmetic == Arithmetic::tensor);
  CHECK(mma.flops == 2 * 16 * 8 * 16);
  CHECK(traits("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32").flops == 2 * 16 * 16 * 16);
  CHECK(traits("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32").flops == 0);
  CHECK(traits("wmma.load.a.sync.aligned.row.m16n16k16.global.f16").arithmetic == Arithmetic::none);
}

TEST_CASE("smaller elements take a matrix pipe less time", "[counters][unit]") {
  const std::uint32_t half =
      traits("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32").matrix_work;
  CHECK(half == 2 * 16 * 8 * 16);
  CHECK(traits("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32").matrix_work == half);
  CHECK(traits("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32").matrix_work == half);
  CHECK(traits("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32").matrix_work == half);
  CHECK(traits("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32").matrix_work == half);
  CHECK(traits("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64").matrix_work ==
        16 * 2 * 8 * 8 * 4);
}

TEST_CASE("a warp does a quarter of its group's product, in the same time for all types",
          "[counters][unit]") {
  const InstructionTraits product = traits("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16");
  CHECK(product.arithmetic == Arithmetic::tensor);
  CHECK(product.flops == 2 * 16 * 256 * 16);
  CHECK(product.matrix_work == 2 * 16 * 256 * 16);
  const auto work = [](const char* form) {
    return traits(std::string("wgmma.mma_async.sync.aligned.") + form).matrix_work;
  };
  CHECK(work("m64n256k8.f32.tf32.tf32") == product.matrix_work);
  CHECK(work("m64n256k32.f32.e4m3.e5m2") == product.matrix_work);
  CHECK(work("m64n256k32.s32.u8.s8") == product.matrix_work);
  CHECK(work("m64n256k256.s32.b1.b1.and.popc") == product.matrix_work);
  CHECK(traits("wgmma.fence.sync.aligned").arithmetic == Arithmetic::none);
}

TEST_CASE("on Hopper a warp's own product reaches two thirds of the matrix pipe, a small one half",
          "[counters][unit]") {
  const auto cycles = [](const char* form) { return traits(form, "h200").matrix_cycles; };
  CHECK(cycles("wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16") == 64);
  CHECK(cycles("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16") == 4);
  CHECK(cycles("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32") == 6);
  CHECK(cycles("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32") == 6);
  CHECK(cycles("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32") == 6);
  CHECK(cycles("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32") == 4);
  CHECK(cycles("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64") == 16);
  // Other cards have no faster instruction.
  CHECK(traits("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "a100").matrix_cycles == 8);
  // A product of 16 x 16 results is two instructions of machine code.
  CHECK(traits("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32").matrix_instructions == 2);
  CHECK(traits("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32").matrix_instructions == 1);
}

TEST_CASE("what a bulk copy does is told from its state spaces", "[counters][unit]") {
  const auto use = [](const char* form) { return traits(form).bulk; };
  CHECK(use("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes") == BulkUse::load);
  CHECK(use("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group") == BulkUse::store);
  CHECK(use("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32") == BulkUse::reduction);
  CHECK(use("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes") ==
        BulkUse::to_shared);
  CHECK(use("cp.async.bulk.prefetch.tensor.2d.L2.global") == BulkUse::prefetch);
  CHECK(use("cp.async.bulk.commit_group") == BulkUse::none);
  CHECK(use("cp.async.cg.shared.global") == BulkUse::none);
}

TEST_CASE("barriers of a block are told from those of a warp or a cluster", "[counters][unit]") {
  CHECK(traits("bar.sync").barrier);
  CHECK(traits("barrier.sync.aligned").barrier);
  CHECK(traits("bar.red.popc.u32").barrier);
  CHECK_FALSE(traits("bar.warp.sync").barrier);
  CHECK_FALSE(traits("barrier.cluster.arrive").barrier);
  CHECK(traits("bra.uni").branch);
  CHECK(traits("div.rn.f32").special);
}

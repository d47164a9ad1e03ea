#include "emulator/machine/tensor_copy.h"

#include "emulator/isa/handlers/async_bind.h"
#include "emulator/isa/handlers/families.h"

// cp.async.bulk.tensor: copies by tensor map.

namespace warpsim::WARPSIM_SIMD {
namespace {

/// [map, {x, y, ...}], as many coordinates as the form has dimensions.
void bind_map(Binder& b, std::size_t i, TensorOperands& operands) {
  const ptx::Operand& address = b.operand(i);
  operands.map = bind_async_address(b, address, false);
  if (address.elements.size() != 1) b.unsupported("no coordinates");
  const ptx::Operand& list = address.elements[0];
  const bool vector = list.kind == ptx::Operand::Kind::vector;
  if ((vector ? list.elements.size() : 1) != operands.rank) b.unsupported("number of coordinates");
  for (std::size_t d = 0; d < operands.rank; ++d) {
    operands.coordinates[d] = b.src(vector ? list.elements[d] : list, Type::s32);
  }
}

BulkReduction take_reduction(Binder& b) {
  static constexpr BulkReduction kReductions[] = {
      BulkReduction::add, BulkReduction::min,     BulkReduction::max,    BulkReduction::inc,
      BulkReduction::dec, BulkReduction::bit_and, BulkReduction::bit_or, BulkReduction::bit_xor};
  const int which = b.take_one_of({"add", "min", "max", "inc", "dec", "and", "or", "xor"});
  if (which < 0) b.unsupported("no operation");
  return kReductions[which];
}

void bind_tensor(Binder& b) {
  const bool reduces = b.take("reduce");
  // The rows of other copies have more to say about other forms.
  if (!b.take("async") || !b.take("bulk") || !b.take("tensor")) b.unsupported();
  TensorOperands& operands = new_tensor_operands();
  const int rank = b.take_one_of({"1d", "2d", "3d", "4d", "5d"});
  if (rank < 0) b.unsupported("number of dimensions");
  operands.rank = static_cast<u8>(rank + 1);
  for (const std::string_view modifier : b.source().modifiers) {
    if (modifier.starts_with("im2col") || modifier.starts_with("tile::")) {
      b.unsupported("copies in the modes im2col, gather and scatter are not emulated");
    }
  }
  b.take("tile");
  std::size_t next = 2;
  if (b.take("prefetch")) {
    operands.kind = TensorOperands::Kind::prefetch;
    if (!b.take("L2") || !b.take("global")) b.unsupported("prefetch");
    bind_map(b, 0, operands);
    next = 1;
  } else if (b.take("bulk_group")) {
    operands.kind = TensorOperands::Kind::store;
    if (!b.take("global") || !b.take("shared::cta")) b.unsupported("state spaces");
    if (reduces) {
      operands.reduction = take_reduction(b);
      decoder_of(b).program().order_sensitive = true;
    }
    bind_map(b, 0, operands);
    operands.shared = bind_async_address(b, 1, true);
  } else {
    if (reduces || !b.take("mbarrier::complete_tx::bytes")) b.unsupported("completion mechanism");
    if (b.take_one_of({"shared::cluster", "shared::cta"}) < 0 || !b.take("global")) {
      b.unsupported("state spaces");
    }
    operands.shared = bind_async_address(b, 0, true);
    bind_map(b, 1, operands);
    operands.barrier = bind_async_address(b, 2, true);
    next = 3;
    if (b.take("multicast::cluster")) operands.mask = b.src(next++, Type::u16);
  }
  if (b.take("L2::cache_hint")) ++next;
  if (b.operand_count() != next) b.unsupported("number of operands");
  b.inst.extra = &operands;
  decoder_of(b).access(AccessKind::bulk_copy);
  b.inst.run = copy_tensor;
}

}  // namespace

Family tensor_copy_family() {
  static constexpr Row rows[] = {
      {.name = "cp",
       .forms = "cp.async.bulk.tensor.{1d,2d,3d,4d,5d}.shared::cluster.global."
                "mbarrier::complete_tx::bytes [a], [b, c], [d]\n"
                "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes."
                "multicast::cluster [a], [b, c], [d], mask\n"
                "cp.async.bulk.tensor.{1d,2d,3d,4d,5d}.global.shared::cta.bulk_group [a, b], [c]\n"
                "cp.reduce.async.bulk.tensor.2d.global.shared::cta.{add,min,max,and,or,xor}."
                "bulk_group [a, b], [c]\n"
                "cp.async.bulk.prefetch.tensor.2d.L2.global [a, b]",
       .bind = bind_tensor,
       .does = semantics::kAsyncCopy,
       .proven_by = "emulator/tests/differential/tensor_maps_sm90a.cu"},
  };
  return rows;
}

}  // namespace warpsim::WARPSIM_SIMD

#include "emulator/isa/atomic_operand.h"

#include <algorithm>
#include <memory>

#include "emulator/isa/kept.h"
#include "emulator/isa/unsupported.h"
#include "emulator/machine/decoder.h"

namespace warpsim {

AtomicVector* bind_atomic_vector(Binder& binder, unsigned count, ptx::Type type, bool has_result) {
  auto vector = std::make_unique<AtomicVector>();
  vector->count = count;
  const std::size_t values = has_result ? 2 : 1;
  for (const std::size_t operand : {std::size_t{0}, values}) {
    if (operand == 0 && !has_result) continue;
    const auto& elements = binder.operand(operand).elements;
    if (elements.size() != count) binder.unsupported("vector operand of another length");
    for (unsigned k = 0; k < count; ++k) {
      const bool sink = elements[k].kind == ptx::Operand::Kind::sink;
      (operand == values ? vector->values : vector->results)[k] =
          sink && operand != values ? binder.scratch(kWarpSize * ptx::size_bytes(type))
                                    : binder.src(elements[k], type);
    }
  }
  return keep(std::move(vector));
}

bool results_are_dead(const Binder& binder) {
  const auto& results = binder.operand(0).elements;
  return std::all_of(results.begin(), results.end(), [&](const ptx::Operand& result) {
    return binder.decoder().result_is_dead(result);
  });
}

}  // namespace warpsim

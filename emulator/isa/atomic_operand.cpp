#include "emulator/isa/atomic_operand.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "emulator/isa/process_lifetime.h"

namespace warpsim {

AtomicVector* bind_atomic_vector(Binder& binder, unsigned count, ptx::Type type, bool has_result) {
  const auto elements = [&](std::size_t operand) -> const std::vector<ptx::Operand>& {
    const auto& found = binder.operand(operand).elements;
    if (found.size() != count) binder.unsupported("vector operand of another length");
    return found;
  };
  auto vector = std::make_unique<AtomicVector>();
  vector->count = count;
  const auto& values = elements(has_result ? 2 : 1);
  for (unsigned k = 0; k < count; ++k) vector->values[k] = binder.src(values[k], type);
  if (has_result) {
    const auto& results = elements(0);
    for (unsigned k = 0; k < count; ++k) vector->results[k] = binder.dst(results[k]);
  } else {
    std::fill_n(vector->results, count, binder.scratch(kWarpSize * sizeof(std::uint64_t)));
  }
  return keep(std::move(vector));
}

}  // namespace warpsim

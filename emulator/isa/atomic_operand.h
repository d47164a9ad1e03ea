#pragma once

#include <cstdint>

#include "emulator/isa/binder.h"

namespace warpsim {

/// The registers of an atom or red on a vector of neighbours in memory, once decoded.
struct AtomicVector {
  static constexpr unsigned kMost = 8;
  unsigned count = 0;
  std::int32_t results[kMost] = {};  // slots
  std::int32_t values[kMost] = {};
  std::int64_t offset = 0;  // constant part of the address
};

/// Takes the operands but the address: a vector of results, if there is one, else a scratch slot
/// for them; and one of values.
/// @returns what lives as long as the process
/// @throws UnsupportedForm
[[nodiscard]] AtomicVector* bind_atomic_vector(Binder& binder, unsigned count, ptx::Type type,
                                               bool has_result);

}  // namespace warpsim

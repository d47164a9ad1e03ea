#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>

#include "emulator/libraries/curand/sequence.h"
#include "emulator/libraries/curand/types.h"
#include "emulator/libraries/runtime_entry.h"

namespace warpsim::curand {

/// curandGenerator_t. Its sequence begins anew with every change of an option, at the place where
/// it was; work that was issued before keeps the sequence that it had.
struct Generator {
  Type type = Type::xorwow;
  bool on_host = false;  // of curandCreateGeneratorHost
  cudaStream_t stream = nullptr;
  std::uint64_t seed = 0;
  std::uint64_t position = 0;  // results that were left out or made
  Ordering ordering = Ordering::standard;
  std::uint32_t dimensions = 1;
  std::shared_ptr<Sequence> sequence;  // null until it is needed

  [[nodiscard]] bool is_quasi() const { return type >= Type::quasi_default; }
  [[nodiscard]] bool has_64_bits() const {
    return type == Type::sobol64 || type == Type::scrambled_sobol64;
  }
  /// Threads that make normal numbers take one turn for two.
  [[nodiscard]] bool pairs_normals() const {
    return type == Type::xorwow || type == Type::mrg32k3a;
  }
};

/// Whether the program has created the generator and not yet destroyed it.
[[nodiscard]] bool is_live(const Generator* generator);

/// Reports a call with a generator that is not live. @returns its status
Status refuse_dead(const libraries::Caller& caller, const Generator* generator);

/// Makes the generator's sequence unless it has one. @pre the type is one that this library has
void make_sequence(Generator& generator);

/// "CURAND_STATUS_TYPE_ERROR"
[[nodiscard]] const char* name_of(Status status);
/// "CURAND_RNG_PSEUDO_XORWOW"
[[nodiscard]] const char* name_of(Type type);

}  // namespace warpsim::curand

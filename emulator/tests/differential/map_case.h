#pragma once

#include "emulator/tests/differential/suite.h"

namespace differential {

/// A map kernel with its types erased; map_case.cpp runs it.
struct MapCase {
  std::vector<const ValueType*> arguments;
  std::size_t result_size = 0;
  const ValueType* result = nullptr;  // null for a struct: compared as bytes
  /// Computes one row on the host into `out`; returns false for inputs that C++ gives no meaning.
  bool (*host)(const std::uint64_t* row, void* out) = nullptr;
  void (*launch)(void* out, int rows, const void* const* in) = nullptr;
  Tolerance tolerance;
};

/// Registers a case that runs over every combination of edge values (a sample where there are
/// many), then random rows; a number of rows that fills no whole warp.
void add_map_case(Suite& suite, std::string name, MapCase map);

}  // namespace differential

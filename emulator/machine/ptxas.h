#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace warpsim {

/// Registers per thread by mangled name of the entry, read from what `ptxas -v` prints.
[[nodiscard]] std::map<std::string, std::uint32_t> parse_ptxas(std::string_view output);

/// Asks the toolkit's ptxas how many registers each entry needs per thread: in CUDA_HOME,
/// CUDA_PATH, PATH, or the toolkit's usual place. Answers are kept in XDG_CACHE_HOME/warpsim
/// (~/.cache/warpsim).
/// @param architecture  75 for sm_75
/// @returns empty when there is no ptxas, it does not accept the module, or it takes too long
[[nodiscard]] std::map<std::string, std::uint32_t> ptxas_registers(const std::string& ptx,
                                                                   int architecture);

}  // namespace warpsim

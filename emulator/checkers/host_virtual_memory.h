#pragma once

#include <cstdint>
#include <string>

#include "emulator/checkers/host_findings.h"
#include "emulator/machine/virtual_memory.h"

// What a program that manages virtual memory leaves behind, and frees in the wrong way.

namespace warpsim {

/// A handle that was not released. @param made  where
[[nodiscard]] Finding leaked_handle(const VirtualMemory::Physical& memory, const CallSite& made);
/// A mapping that was not removed. @param range  that it is in
[[nodiscard]] Finding leaked_mapping(const VirtualMemory::Mapping& mapping,
                                     const VirtualMemory::Range& range, const CallSite& made);
/// A range of addresses that was not freed.
[[nodiscard]] Finding leaked_range(const VirtualMemory::Range& range, const CallSite& made);

/// A call that does not wait unmaps memory, or takes access away, that work may still use.
[[nodiscard]] Finding memory_taken_away(const CallSite& site, const PendingUse& use);

/// Why an address of a reserved range cannot be used, after the name of the range: "where no memory
/// is mapped".
[[nodiscard]] std::string in_words(const VirtualMemory::Unusable& reserved);

}  // namespace warpsim

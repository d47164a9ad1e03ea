#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// Call stacks of this process's threads, as addresses; call_site.h resolves them.

namespace warpsim::cudart {

/// Return addresses from a call into the runtime outwards. Cheap to take and to keep; names are
/// looked up only when a finding is written.
struct Frames {
  std::array<const void*, 4> addresses = {};
};

/// The frames of this thread from `return_address` (of an exported function) outwards. More than
/// one is needed because the toolkit's headers wrap some calls in templates: `cudaMalloc<float>`.
[[nodiscard]] Frames capture_frames(const void* return_address);

/// A loaded program or library.
struct LoadedObject {
  std::string name;  // file name without folders
  std::string file;  // the file with its symbols and line tables; empty: none
  std::uint64_t load_address = 0;
  std::string symbol;  // the dynamic symbol at the requested address; may be empty
  std::uint64_t symbol_address = 0;
};

/// `LoadedObject::file` of the program itself.
constexpr std::string_view kOwnProgram = "/proc/self/exe";

/// File names of the program and libraries loaded into this process, but for those of the emulator,
/// which lie in the folder of this one.
[[nodiscard]] std::set<std::string> loaded_libraries();
/// The program or library that contains an address.
[[nodiscard]] std::optional<LoadedObject> loaded_object(const void* address);

/// The stack of a thread of the program whose instruction faulted, innermost frame first.
using FaultStack = std::vector<const void*>;
/// The stack of this thread in a signal handler, from the faulting instruction outwards.
[[nodiscard]] FaultStack capture_fault(const void* instruction);
/// The location of a fault, computed only if there is something to report.
using FaultPlace = std::function<FaultStack()>;

}  // namespace warpsim::cudart

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// Where the threads of this process are, as addresses. Names come later (call_site.h).

namespace warpsim::cudart {

/// Return addresses from a call into the runtime outwards. Cheap to take and to keep; names are
/// looked up only when a finding is written.
struct Frames {
  std::array<const void*, 4> addresses = {};
};

/// The frames of this thread from `return_address` (of an exported function) outwards. More than
/// one is needed because the toolkit's headers wrap some calls in templates: `cudaMalloc<float>`.
[[nodiscard]] Frames capture_frames(const void* return_address);

/// A program or library as it is loaded.
struct LoadedObject {
  std::string name;  // file name without folders
  std::string file;  // where its symbols and line tables can be read; empty: nowhere
  std::uint64_t load_address = 0;
  std::string symbol;  // the dynamic symbol at the address that was asked for; may be empty
  std::uint64_t symbol_address = 0;
};

/// How `LoadedObject::file` names the program itself.
constexpr std::string_view kOwnProgram = "/proc/self/exe";

/// File names of what is loaded into this process.
[[nodiscard]] std::set<std::string> loaded_libraries();
/// What of this process holds an address.
[[nodiscard]] std::optional<LoadedObject> loaded_object(const void* address);

/// The stack of a thread of the program whose instruction faulted, innermost frame first.
using FaultStack = std::vector<const void*>;
/// The stack of this thread in a signal handler, from the faulting instruction outwards.
[[nodiscard]] FaultStack capture_fault(const void* instruction);
/// Where an instruction faulted; asked for only when there is something to report.
using FaultPlace = std::function<FaultStack()>;

}  // namespace warpsim::cudart

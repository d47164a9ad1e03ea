#pragma once

#include <cstdint>
#include <string_view>

namespace warpsim::cudart {

/// What a call of the runtime does while a kernel waits for host code or for other work.
enum class Meanwhile : std::uint8_t {
  goes_on,  // it does not need the kernel's end, or asks for that itself (StreamTable::ask_to_wait)
  waits_in_default_stream,  // it waits for the default stream, like a copy that is not asynchronous
  waits,  // for the device; or it takes something away that the kernel may use
};
/// @param call  its name, as the program writes it
[[nodiscard]] Meanwhile meanwhile(std::string_view call);

}  // namespace warpsim::cudart

#pragma once

// Start and end of the process shared by the program and the device. Once the library is loaded,
// the report is written when the process ends: by return from main, exit(), quick_exit(), abort()
// or a fatal signal. After _exit() the report is that of the last kernel with findings.

namespace warpsim::cudart {

/// True in a forked child of a process that had used the device before: every call of such a child
/// fails, as it does with the real runtime.
[[nodiscard]] bool is_forked_from_user();

}  // namespace warpsim::cudart

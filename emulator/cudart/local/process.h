#pragma once

// The life of the process that the program and the device share: what is said at its end, whichever
// end that is. From the moment the library is loaded, the report is written when the process ends:
// by return from main, exit(), quick_exit(), abort() or a fatal signal. _exit() leaves the report
// as it was after the last bad kernel.

namespace warpsim::cudart {

/// True in a forked child of a process that had used the device before: every call of such a child
/// fails, as it does with the real runtime.
[[nodiscard]] bool is_forked_from_user();

}  // namespace warpsim::cudart

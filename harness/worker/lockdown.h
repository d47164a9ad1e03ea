#pragma once

namespace warpgrade::worker {

/// From here on this process opens no file, starts no process and no namespace, connects to nothing
/// and makes no memory executable; what is open stays open. The calls that stay are kLockedCalls in
/// harness/syscalls/tables.h. Holds for all its threads, and cannot be undone.
///
/// @throws std::system_error  when the kernel has no such filters
void lock_down();

}  // namespace warpgrade::worker

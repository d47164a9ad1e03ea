#pragma once

namespace warpgrade::worker {

/// From here on this process cannot open files, start processes or namespaces, connect sockets or
/// make memory executable; open descriptors stay open. The remaining calls are kLockedCalls in
/// harness/syscalls/tables.h. Applies to all threads, and cannot be undone.
///
/// @throws std::system_error  if the kernel does not support filters
void lock_down();

}  // namespace warpgrade::worker

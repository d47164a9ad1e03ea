#pragma once

#include <vector>

namespace warpgrade::worker {

/// From here on this process cannot open files, start processes or namespaces, connect sockets or
/// make memory executable; code, constants and the loader's tables keep their protection. Open
/// descriptors stay open, but only those named here, sockets and the standard ones can be used. The
/// remaining calls are kLockedCalls in harness/syscalls/tables.h. Applies to all threads, and
/// cannot be undone.
///
/// @throws std::system_error  if the kernel does not support filters
void lock_down(const std::vector<int>& readable, const std::vector<int>& writable);

/// The same for an interpreter, which opens modules and makes code at any time: from here on this
/// process cannot create, change or remove files, nor start processes or connect sockets; the
/// remaining calls are kPythonCalls. What is open for appending can only be appended to.
///
/// @throws std::system_error
void lock_down_interpreter();

}  // namespace warpgrade::worker

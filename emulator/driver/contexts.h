#pragma once

#include <cuda.h>

#include "emulator/driver/runtime_library.h"

// Contexts. All devices have one address space, so a context is a handle, its device, its flags,
// and the memory that is freed with it.

namespace warpsim::driver {

/// The runtime after cuInit(), or if the program uses the runtime API, which initializes the
/// driver; otherwise null.
[[nodiscard]] const RuntimeLibrary* initialized_runtime();

/// The calling thread's; the primary one of the current device if the program uses the runtime API;
/// otherwise null.
[[nodiscard]] CUcontext current_context();
[[nodiscard]] bool knows_context(CUcontext context);
/// @param context  a known one
[[nodiscard]] int device_of(CUcontext context);

/// Memory that is freed with its context.
enum class AllocationKind : unsigned char { device, host, array };
/// Notes memory of the current context.
/// @param pointer  of an array the handle, and `bytes` are 0
void note_allocation(CUdeviceptr pointer, size_t bytes,
                     AllocationKind kind = AllocationKind::device);
void forget_allocation(CUdeviceptr pointer);
/// The context in which an address was allocated; null for an address below all allocations.
[[nodiscard]] CUcontext owner_of(CUdeviceptr pointer);
/// The allocation that contains an address. False if cuMemAlloc() and its like did not make it.
[[nodiscard]] bool find_allocation(CUdeviceptr pointer, CUdeviceptr& base, size_t& bytes);

}  // namespace warpsim::driver

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "emulator/remote/call_numbers.h"

// Which call is legal when, for a program with a harness (cudart/harness_call.h). Session asks
// before every call. Included for one version of CUDA at a time.

namespace warpsim::remote {

/// The progress of a program with respect to its announced call.
enum class CallState : std::uint8_t {
  before,  // nothing is announced; a program without a harness stays here
  open,  // announced, and its end has not been reported
  over,  // its end was reported, and the outputs are frozen
  finished,  // the announcing program has reported its own end
};
[[nodiscard]] constexpr std::string_view words_of(CallState state) {
  constexpr std::array<std::string_view, 4> kWords = {
      "before the harness had announced its call", "during the harness's call",
      "after the harness's call had ended", "after the program had ended"};
  return kWords[static_cast<std::size_t>(state)];
}

using CallStates = std::uint8_t;  // a bit for each
[[nodiscard]] constexpr CallStates bit_of(CallState state) {
  return static_cast<CallStates>(1U << static_cast<unsigned>(state));
}

namespace call_rules {

/// Legal after the call, too: reads of the outputs, synchronization, queries, and what releases
/// something. Copies into device memory are refused in this state (cudart/transfer.cpp).
inline constexpr CallNumber kAfterTheCall[] = {
    // Copies.
    CallNumber::cudaMemcpy,
    CallNumber::cudaMemcpy_ptds,
    CallNumber::cudaMemcpyAsync,
    CallNumber::cudaMemcpyAsync_ptsz,
    CallNumber::cudaMemcpy2D,
    CallNumber::cudaMemcpy2D_ptds,
    // Synchronization, and the event that the harness records after the call.
    CallNumber::cudaDeviceSynchronize,
    CallNumber::cudaEventQuery,
    CallNumber::cudaEventRecord,
    CallNumber::cudaEventRecord_ptsz,
    CallNumber::cudaEventSynchronize,
    CallNumber::cudaStreamQuery,
    CallNumber::cudaStreamQuery_ptsz,
    CallNumber::cudaStreamSynchronize,
    CallNumber::cudaStreamSynchronize_ptsz,
    // Queries. The first two come before a launch, so that it is the launch that is refused by
    // name.
    CallNumber::__cudaGetKernel,
    CallNumber::parameter_sizes,
    CallNumber::cudaDeviceGetAttribute,
    CallNumber::cudaDeviceGetLimit,
    CallNumber::cudaDriverGetVersion,
    CallNumber::cudaEventElapsedTime,
    CallNumber::cudaGetDevice,
    CallNumber::cudaGetDeviceCount,
    CallNumber::cudaGetDeviceFlags,
    CallNumber::cudaGetLastError,
    CallNumber::cudaMemGetInfo,
    CallNumber::cudaPeekAtLastError,
    CallNumber::cudaRuntimeGetVersion,
    CallNumber::cudaSetDevice,
    CallNumber::cudaStreamIsCapturing,
    CallNumber::cudaStreamIsCapturing_ptsz,
    CallNumber::get_device_properties,
    CallNumber::pointer_get_attributes,
    CallNumber::function_name,
    CallNumber::pci_bus_id,
    CallNumber::looked_at_error,
    CallNumber::host_fault,
    // Releases.
    CallNumber::cudaDestroySurfaceObject,
    CallNumber::cudaDestroyTextureObject,
    CallNumber::cudaDeviceDisablePeerAccess,
    CallNumber::cudaDeviceGraphMemTrim,
    CallNumber::cudaDeviceReset,
    CallNumber::cudaEventDestroy,
    CallNumber::cudaFree,
    CallNumber::cudaFreeArray,
    CallNumber::cudaFreeAsync,
    CallNumber::cudaFreeAsync_ptsz,
    CallNumber::cudaFreeHost,
    CallNumber::cudaGraphDestroy,
    CallNumber::cudaGraphDestroyNode,
    CallNumber::cudaGraphExecDestroy,
    CallNumber::cudaHostUnregister,
    CallNumber::cudaLibraryUnload,
    CallNumber::cudaMemPoolDestroy,
    CallNumber::cudaMemPoolTrimTo,
    CallNumber::cudaProfilerStop,
    CallNumber::cudaStreamDestroy,
    CallNumber::remove_module,
#if WARPSIM_CUDA_MAJOR == 12
    CallNumber::event_elapsed_time_v2,
    CallNumber::thread_synchronize,
    CallNumber::thread_exit,
#endif
};

constexpr std::size_t kCount = static_cast<std::size_t>(CallNumber::count);

constexpr std::array<CallStates, kCount> make_table() {
  std::array<CallStates, kCount> table{};
  const auto row = [&](CallNumber call) -> CallStates& {
    return table[static_cast<std::size_t>(call)];
  };
  for (CallStates& states : table) states = bit_of(CallState::before) | bit_of(CallState::open);
  for (const CallNumber call : kAfterTheCall) row(call) |= bit_of(CallState::over);
  row(CallNumber::harness_call_begins) = bit_of(CallState::before);
  row(CallNumber::harness_call_ends) = bit_of(CallState::open);
  // In an open call it is an early end: there are no outputs.
  row(CallNumber::finish) =
      bit_of(CallState::before) | bit_of(CallState::open) | bit_of(CallState::over);
  return table;
}
inline constexpr std::array<CallStates, kCount> kTable = make_table();

}  // namespace call_rules

/// @param number  of an existing call
[[nodiscard]] constexpr bool is_legal(std::uint32_t number, CallState state) {
  return (call_rules::kTable[number] & bit_of(state)) != 0;
}

}  // namespace warpsim::remote

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "emulator/remote/call_numbers.h"
#include "emulator/remote/endpoint.h"
#include "emulator/remote/marshal.h"

// The client's side: one connection of the process, one channel for each of its threads.

namespace warpsim::remote {

/// Connects to the device process named by kSocketVariable. No effect if connected.
/// @returns false if there is none
bool connect_device();
[[nodiscard]] bool is_connected();
/// In a forked child, because the device is its parent's.
void forget_connection();

/// Whether this is an address of device memory, at which host code faults.
[[nodiscard]] bool in_device_memory(std::uint64_t address);

/// An API call by the program; during its lifetime the device may query the call's location.
class ProgramCall {
 public:
  explicit ProgramCall(const void* return_address);
  ~ProgramCall();
  ProgramCall(const ProgramCall&) = delete;
  ProgramCall& operator=(const ProgramCall&) = delete;

 private:
  const void* const outer_;
};

/// Sends a call and serves the device's requests until the result.
/// @returns the result's bytes; the process ends if the device has ended
[[nodiscard]] std::vector<std::byte> exchange(CallNumber number, std::span<const std::byte> bytes);
/// The same on the channel for faults, in a signal handler.
[[nodiscard]] std::vector<std::byte> exchange_in_handler(CallNumber number,
                                                         std::span<const std::byte> bytes);

/// The sizes of a kernel's parameters, requested once.
[[nodiscard]] std::vector<std::uint32_t> sizes_of_parameters(const void* function);
void forget_parameter_sizes();

/// Sends the program's registrations so far; the first call does this.
void tell_registrations();

template <CallNumber kNumber, bool kInHandler, class... P>
cudaError_t call_device(const std::tuple<P...>& arguments) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    Writer out;
    (write_argument<I>(out, arguments, sizes_of_parameters), ...);
    [[maybe_unused]] const std::array<std::size_t, sizeof...(P) + 1> capacity = {
        capacity_of<I>(arguments)..., 0};
    const std::vector<std::byte> bytes =
        kInHandler ? exchange_in_handler(kNumber, out.data()) : exchange(kNumber, out.data());
    Reader in(bytes);
    const auto error = in.value<cudaError_t>();
    // Returned values with pointers are never freed, as in the runtime itself.
    [[maybe_unused]] static Arena& kept = *new Arena;
    (read_back<I>(in, arguments, capacity[I], kept), ...);
    return error;
  }
  (std::index_sequence_for<P...>{});
}

/// Calls a function of the device process by its name in special_calls.h.
#define WARPSIM_DEVICE_CALL(name) \
  DeviceCall<CallNumber::name, decltype(::warpsim::remote::name)>::call

template <CallNumber kNumber, class F>
struct DeviceCall;
template <CallNumber kNumber, class... P>
struct DeviceCall<kNumber, cudaError_t(P...)> {
  static cudaError_t call(P... arguments) {
    if (!is_connected()) return cudaErrorInsufficientDriver;
    return call_device<kNumber, false>(std::tuple<P...>(arguments...));
  }
  /// An exported function.
  static cudaError_t entry(P... arguments) {
    const ProgramCall here(__builtin_return_address(0));
    if (!is_connected()) return cudaErrorInsufficientDriver;
    tell_registrations();
    return call_device<kNumber, false>(std::tuple<P...>(arguments...));
  }
  static cudaError_t in_handler(P... arguments) {
    return call_device<kNumber, true>(std::tuple<P...>(arguments...));
  }
};

}  // namespace warpsim::remote

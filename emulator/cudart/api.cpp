#include "emulator/cudart/api.h"

#include <algorithm>
#include <array>
#include <new>
#include <string_view>
#include <utility>

#include "emulator/cudart/host_program.h"
#include "emulator/cudart/meanwhile.h"

namespace warpsim::cudart {

Call::Call(const char* name_of_call, const void* return_address)
    : runtime(Runtime::get()),
      name(name_of_call),
      return_address_(return_address),
      default_stream_(return_address_),
      lock_(runtime.mutex),
      outer_(std::exchange(runtime.call_in_progress, this)) {
  runtime.watch.open();
  if (runtime.streams.kernel_waits()) wait_for_kernels();
}

/// Waits for kernels that wait, where the call can do nothing before they have ended.
void Call::wait_for_kernels() {
  (void)runtime.streams.take_must_wait();
  const Meanwhile does = meanwhile(name);
  if (does == Meanwhile::goes_on) return;
  const auto must_wait = [&] {
    return does == Meanwhile::waits ? runtime.streams.kernel_waits()
                                    : runtime.streams.would_wait(nullptr);
  };
  while (must_wait() && HostProgram::get().wait_for_kernel()) {
  }
}

bool Call::has_waited() {
  if (!runtime.streams.must_wait() || !HostProgram::get().wait_for_kernel()) return false;
  return runtime.streams.take_must_wait();
}

namespace {

/// Calls whose failure leaves the program without a resource that it needs later.
bool makes_something(std::string_view name) {
  constexpr std::array<std::string_view, 6> kVerbs = {"Malloc",      "Alloc",        "Create",
                                                      "Instantiate", "BeginCapture", "EndCapture"};
  return std::any_of(kVerbs.begin(), kVerbs.end(),
                     [&](std::string_view verb) { return name.find(verb) != name.npos; });
}

/// The capture of some stream has failed by this.
bool is_of_capture(cudaError_t error) {
  return error >= cudaErrorStreamCaptureUnsupported && error <= cudaErrorStreamCaptureWrongThread;
}

}  // namespace

cudaError_t Call::refusal() const {
  return HostProgram::get().is_forked_from_user() ? cudaErrorInitializationError : cudaSuccess;
}

cudaError_t Call::finish(cudaError_t error) {
  if (error == cudaSuccess) return error;
  runtime.errors.record(error);
  // A kernel's fault has its own finding; cudaErrorNotReady is not a failure.
  if (error == runtime.errors.noticed_fault() || error == cudaErrorNotReady) return error;
  runtime.errors.note_failure(
      {.error = error,
       .api = name,
       .frames = chevrons != nullptr ? Frames{{chevrons}} : frames(),
       .by_launch = chevrons != nullptr,
       .makes = makes_something(name),
       .spoils_capture = is_of_capture(error),
       .ends_capture = std::string_view(name).starts_with("cudaStreamEndCapture")});
  return error;
}

cudaError_t Call::translate_exception() {
  try {
    throw;
  } catch (const LoadError& error) {
    runtime.report(unloadable_module(site(), error.what()));
    return cudaErrorInvalidPtx;
  } catch (const std::bad_alloc&) {
    return cudaErrorMemoryAllocation;
  } catch (const std::exception& error) {
    Finding finding(FindingKind::internal_error);
    finding.message = error.what();
    place(finding, site());
    finding.next = "This is a bug of the emulator: please report it with the program.";
    runtime.report(std::move(finding));
    return cudaErrorUnknown;
  }
}

}  // namespace warpsim::cudart

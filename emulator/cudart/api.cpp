#include "emulator/cudart/api.h"

#include <new>

namespace warpsim::cudart {

Call::Call(const char* name_of_call, const void* return_address)
    : runtime(Runtime::get()),
      name(name_of_call),
      return_address_(return_address),
      lock_(runtime.mutex) {}

cudaError_t Call::finish(cudaError_t error) {
  if (error == cudaSuccess) return error;
  runtime.errors.record(error);
  runtime.errors.note_unchecked(
      {.error = error, .api = name, .frames = frames(), .by_launch = by_launch});
  return error;
}

cudaError_t Call::translate_exception() {
  try {
    throw;
  } catch (const LoadError& error) {
    runtime.report(unloadable_module(site(), error.what()));
    return cudaErrorInvalidKernelImage;
  } catch (const std::bad_alloc&) {
    return cudaErrorMemoryAllocation;
  } catch (const std::exception& error) {
    Finding finding;
    finding.kind = "internal-error";
    finding.message = error.what();
    place(finding, site());
    finding.next = "This is a bug of the emulator: please report it with the program.";
    runtime.report(std::move(finding));
    return cudaErrorUnknown;
  }
}

}  // namespace warpsim::cudart

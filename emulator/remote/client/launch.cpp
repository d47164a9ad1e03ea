#include "emulator/cudart/chevrons.h"
#include "emulator/remote/client/connection.h"

// Launches. The configuration pushed by `<<<>>>` stays in the program until the launch, which sends
// it.

namespace warpsim::remote {
namespace {

[[gnu::always_inline]] inline cudaError_t send_launch(const Launch& launch) {
  const ProgramCall here(__builtin_return_address(0));
  if (!is_connected()) return cudaErrorInsufficientDriver;
  tell_registrations();
  return WARPSIM_DEVICE_CALL(launch)(&launch);
}

Launch make_launch(LaunchForm form, const void* function, dim3 grid, dim3 block, void** arguments,
                   size_t shared, cudaStream_t stream) {
  Launch launch = {.form = form,
                   .function = function,
                   .chevrons = cudart::take_chevrons(),
                   .configuration = {},
                   .arguments = arguments};
  launch.configuration.gridDim = grid;
  launch.configuration.blockDim = block;
  launch.configuration.dynamicSmemBytes = shared;
  launch.configuration.stream = stream;
  return launch;
}

Launch make_launch(const cudaLaunchConfig_t& configuration, const void* function,
                   void** arguments) {
  Launch launch = make_launch(LaunchForm::configured, function, {}, {}, arguments, 0, nullptr);
  launch.configuration = configuration;
  return launch;
}

/// The launch, of a program compiled with --default-stream per-thread.
Launch per_thread(Launch launch) {
  launch.per_thread = true;
  return launch;
}

}  // namespace
}  // namespace warpsim::remote

using namespace warpsim::remote;

extern "C" {

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared, cudaStream_t stream) {
  return send_launch(
      make_launch(LaunchForm::chevrons, kernel, grid, block, arguments, shared, stream));
}
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                                    size_t shared, cudaStream_t stream) {
  return send_launch(per_thread(
      make_launch(LaunchForm::chevrons, kernel, grid, block, arguments, shared, stream)));
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared, cudaStream_t stream) {
  return send_launch(
      make_launch(LaunchForm::plain, function, grid, block, arguments, shared, stream));
}
cudaError_t cudaLaunchKernel_ptsz(const void* function, dim3 grid, dim3 block, void** arguments,
                                  size_t shared, cudaStream_t stream) {
  return send_launch(
      per_thread(make_launch(LaunchForm::plain, function, grid, block, arguments, shared, stream)));
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, size_t shared, cudaStream_t stream) {
  return send_launch(
      make_launch(LaunchForm::cooperative, function, grid, block, arguments, shared, stream));
}
cudaError_t cudaLaunchCooperativeKernel_ptsz(const void* function, dim3 grid, dim3 block,
                                             void** arguments, size_t shared, cudaStream_t stream) {
  return send_launch(per_thread(
      make_launch(LaunchForm::cooperative, function, grid, block, arguments, shared, stream)));
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* configuration, const void* function,
                                void** arguments) {
  if (configuration == nullptr) return cudaErrorInvalidValue;
  return send_launch(make_launch(*configuration, function, arguments));
}
cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t* configuration, const void* function,
                                     void** arguments) {
  if (configuration == nullptr) return cudaErrorInvalidValue;
  return send_launch(per_thread(make_launch(*configuration, function, arguments)));
}

}  // extern "C"

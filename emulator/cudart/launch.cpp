#include "emulator/cudart/launch.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "emulator/checkers/host_findings.h"
#include "emulator/cudart/abi.h"
#include "emulator/cudart/call_record.h"
#include "emulator/cudart/change_launch.h"
#include "emulator/cudart/chevrons.h"
#include "emulator/cudart/decoy.h"
#include "emulator/cudart/finish.h"
#include "emulator/machine/stall.h"
#include "emulator/report/names.h"

namespace warpsim::cudart {
namespace {

cudaError_t error_of(LaunchStatus status) {
  switch (status) {
    case LaunchStatus::ok:
      return cudaSuccess;
    case LaunchStatus::illegal_address:
      return cudaErrorIllegalAddress;
    case LaunchStatus::misaligned:
      return cudaErrorMisalignedAddress;
    case LaunchStatus::assertion:
      return cudaErrorAssert;
    case LaunchStatus::trap:
    case LaunchStatus::barrier_error:
      return cudaErrorLaunchFailure;
    case LaunchStatus::out_of_budget:
    case LaunchStatus::deadlock:
      return cudaErrorLaunchTimeout;
    case LaunchStatus::unsupported:
      return cudaErrorNotSupported;
    case LaunchStatus::internal:
      return cudaErrorUnknown;
  }
  return cudaErrorUnknown;
}

cudaError_t error_of(LaunchViolation::Code code) {
  switch (code) {
    case LaunchViolation::Code::configuration:
      return kRefusedConfiguration;
    case LaunchViolation::Code::too_many_resources:
      return cudaErrorLaunchOutOfResources;
    case LaunchViolation::Code::cooperative_too_large:
      return cudaErrorCooperativeLaunchTooLarge;
    case LaunchViolation::Code::cluster_size:
      return cudaErrorInvalidClusterSize;
  }
  return kRefusedConfiguration;
}

/// Whether host code can change memory that a kernel reads.
bool may_wait_for_host(const Runtime& runtime) {
  const auto live = runtime.memory.live();
  return std::any_of(live.begin(), live.end(),
                     [](const auto* allocation) { return allocation->on_host(); });
}

void follow(Runtime& runtime, const LaunchResult& result, const std::string& kernel,
            const LaunchSite& site) {
  runtime.data_flow.launched(
      {.number = result.number,
       .kernel = kernel,
       .api = site.api,
       .frames = site.frames,
       .touched = result.touched,
       .may_touch_more = result.touched.incomplete || runtime.machine.images().any_live()});
}

/// Whether a kernel's writes to host memory are to be known.
bool may_send(const Runtime& runtime) {
  return runtime.sent != nullptr && may_wait_for_host(runtime);
}

/// What a kernel has written to memory that host code can read.
void note_sent(Runtime& runtime, const TouchedMemory& touched) {
  const auto add = [&](const GlobalMemory::Allocation& allocation, std::uint64_t begin,
                       std::uint64_t end) {
    begin = std::max(begin, allocation.base);
    end = std::min(end, allocation.base + allocation.size);
    if (begin >= end) return;
    runtime.sent->add(begin, {allocation.host + (begin - allocation.base), end - begin});
  };
  for (const GlobalMemory::Allocation* allocation : runtime.memory.live()) {
    if (!allocation->on_host()) continue;
    const std::uint64_t end = allocation->base + allocation->size;
    if (touched.incomplete) add(*allocation, allocation->base, end);
    for (const MemoryRange& range : touched.writes) {
      if (range.begin < end && range.end > allocation->base) {
        add(*allocation, range.begin, range.end);
      }
    }
  }
}

cudaError_t run(Runtime& runtime, const LaunchRequest& request, const LaunchSite& site) {
  // The card stopped at the fault; the next synchronising call returns it.
  if (runtime.errors.faulted()) ++runtime.dropped_launches;
  if (runtime.errors.faulted() || runtime.settings.idle) return cudaSuccess;
  const std::size_t findings_before = runtime.findings.size();
  ++runtime.launches;
  LaunchRequest asked = request;
  const KernelInfo& info = runtime.machine.info(*request.kernel);
  Decoy::Launch decoy(runtime.decoy.get(), asked, info.parameter_sizes);
  CallRecord* const record = runtime.recording();
  if (record != nullptr) record->launches(request, info.parameter_sizes, {site.api, site.frames});
  asked.on_stall = [&runtime, &decoy, record] {
    const bool for_host = may_wait_for_host(runtime);
    if (for_host && record != nullptr) record->give_up("a kernel waits for host code");
    runtime.streams.kernel_waits_here();
    decoy.let_host_see();
    const bool goes_on = HostProgram::get().goes_on_meanwhile(for_host, stalled_state());
    decoy.let_kernel_see();
    return goes_on;
  };
  asked.traces_data = runtime.data_flow.running() || may_send(runtime);
  asked.wants_all_uses = runtime.follows_device_memory();
  const std::string& name = info.demangled;
  asked.blocks_begun = runtime.progress.begin(name, request.grid, request.block);
  const LaunchResult result = runtime.machine.launch(asked);
  decoy.let_host_see();
  if (record != nullptr) record->launched(result);
  runtime.streams.kernel_ended();
  runtime.progress.end();
  if (asked.traces_data) follow(runtime, result, name, site);
  if (may_send(runtime)) note_sent(runtime, result.touched);
  if (!result.printed.empty()) HostProgram::get().print(result.printed);
  runtime.time.kernel(name, request.device, result);
  if (const cudaError_t fault = error_of(result.status)) runtime.errors.set_fault(fault);
  // After a fault results are meaningless.
  if (result.status == LaunchStatus::ok && !result.uses.empty() &&
      !runtime.settings.launch_blocking) {
    runtime.note_uses(result.uses,
                      {.what = "kernel " + name, .api = site.api, .frames = site.frames});
  }
  // If the program is killed, there is a report up to the last kernel with findings.
  if (runtime.findings.size() != findings_before) write_report(runtime);
  return runtime.settings.launch_blocking ? runtime.errors.notice_fault() : cudaSuccess;
}

}  // namespace

Function* function_or_error(const void* host_function, cudaError_t& error) {
  Function* function = ModuleTable::get().find_function(host_function);
  error = function != nullptr        ? cudaSuccess
          : host_function == nullptr ? cudaErrorInvalidDeviceFunction
                                     : cudaErrorInvalidResourceHandle;
  return function;
}

const Kernel* kernel_or_error(Call& call, Function& function, cudaError_t& error) {
  const Kernel* kernel = ModuleTable::get().resolve(call.runtime, function, current_device());
  error = cudaSuccess;
  if (kernel == nullptr) {
    const std::string why = ModuleTable::problem_of(*function.module, function.name);
    call.runtime.report(unloadable_module(call.site(), why));
    error = cudaErrorNoKernelImageForDevice;
  }
  return kernel;
}

std::uint64_t dynamic_shared_limit(const Runtime& runtime, const FunctionOnDevice& function,
                                   const KernelInfo& kernel) {
  if (function.dynamic_shared_limit) return *function.dynamic_shared_limit;
  const std::uint64_t most = runtime.card.shared_per_block;
  return kernel.static_shared_bytes < most ? most - kernel.static_shared_bytes : 0;
}

namespace {

/// Checks a launch on a device against the limits of card and kernel, and reports errors.
/// @throws LoadError
cudaError_t prepare(Runtime& runtime, Function& function, int device, const LaunchOrder& asked,
                    const LaunchSite& site, LaunchRequest& request) {
  const Kernel* kernel = ModuleTable::get().resolve(runtime, function, device);
  if (kernel == nullptr) {
    const std::string why = ModuleTable::problem_of(*function.module, function.name);
    runtime.report(unloadable_module(site.resolve(), why));
    return cudaErrorNoKernelImageForDevice;
  }
  const KernelInfo& info = runtime.machine.info(*kernel);
  const LaunchOrder order = changed_launch(runtime, info, asked);
  const FunctionOnDevice& settings = function.on(device);
  const LaunchConfiguration shape = {
      .grid = order.grid,
      .block = order.block,
      .dynamic_shared_bytes = order.dynamic_shared_bytes,
      .dynamic_shared_limit = dynamic_shared_limit(runtime, settings, info),
      .cooperative = order.cooperative,
      .cluster = order.cluster,
      .non_portable_cluster = settings.non_portable_cluster};
  if (may_lack_registers(runtime.card, info, shape)) {
    runtime.machine.find_allocated_registers(*kernel);
  }
  if (const auto violation = check_launch(runtime.card, info, shape)) {
    runtime.report(illegal_launch(site.resolve(), info.demangled, *violation));
    return error_of(violation->code);
  }
  if (!info.parameter_sizes.empty() && order.arguments == nullptr) return cudaErrorInvalidValue;
  const DeviceLimits& limits = runtime.devices[static_cast<std::size_t>(device)].limits;
  request = {.kernel = kernel,
             .device = device,
             .grid = order.grid,
             .block = order.block,
             .cluster = order.cluster,
             .dynamic_shared_bytes = static_cast<std::uint32_t>(order.dynamic_shared_bytes),
             .arguments = order.arguments,
             .cooperative = order.cooperative,
             .stack_bytes = static_cast<std::uint32_t>(limits[cudaLimitStackSize]),
             .on_stall = {}};
  return cudaSuccess;
}

dim3 to_dim3(const Dim3& dim) {
  return {dim.x, dim.y, dim.z};
}

/// Work that outlives the call. @param request  what prepare() made of the order
Work owning_work(Runtime& runtime, Function& function, LaunchRequest request,
                 const LaunchOrder& order, const LaunchSite& site) {
  KernelNode node;
  const KernelInfo& info = runtime.machine.info(*request.kernel);
  node.arguments = std::make_shared<OwnedArguments>(info.parameter_sizes, order.arguments);
  node.cooperative = order.cooperative;
  node.parameters = {.func = function.known_as(),
                     .gridDim = to_dim3(request.grid),
                     .blockDim = to_dim3(request.block),
                     .sharedMemBytes = request.dynamic_shared_bytes,
                     .kernelParams = node.arguments->get(),
                     .extra = nullptr};
  request.arguments = node.arguments->get();
  const auto arguments = node.arguments;
  return {.type = cudaGraphNodeTypeKernel,
          .run = [&runtime, request, arguments, site] { return run(runtime, request, site); },
          .parameters = std::move(node),
          .may_wait = may_stall(*request.kernel)};
}

}  // namespace

cudaError_t kernel_work(Runtime& runtime, Function& function, const LaunchOrder& order,
                        const LaunchSite& site, Work& work) {
  LaunchRequest request;
  if (const cudaError_t error =
          prepare(runtime, function, current_device(), order, site, request)) {
    return error;
  }
  work = owning_work(runtime, function, request, order, site);
  return cudaSuccess;
}

/// The kernel runs on the stream's device, whichever is current (measured on two H100 with CUDA
/// 13.0, where the programming guide still says that the launch fails).
cudaError_t launch(Runtime& runtime, Function& function, const LaunchOrder& order,
                   const LaunchSite& site) {
  const int device = runtime.device_of(order.stream);
  if (device != current_device()) {
    runtime.report(stream_of_other_device(site.resolve(), readable_name(function.name), device,
                                          current_device()));
  }
  LaunchRequest request;
  if (const cudaError_t error = prepare(runtime, function, device, order, site, request)) {
    return error;
  }
  if (!runtime.streams.defers(order.stream) && !may_stall(*request.kernel)) {
    return runtime.streams.submit(order.stream,
                                  {.run = [&] { return run(runtime, request, site); }});
  }
  return runtime.streams.submit(order.stream, owning_work(runtime, function, request, order, site));
}

namespace {

Dim3 to_dim(const dim3& dim) {
  return {dim.x, dim.y, dim.z};
}

/// A launch does not return an earlier kernel's fault until another call has returned it.
template <class Body>
[[gnu::always_inline]] inline cudaError_t launch_call(const char* name, Body&& body) {
  Call call(name, __builtin_return_address(0));
  call.chevrons = chevrons();
  if (const cudaError_t refusal = call.refusal()) return call.finish(refusal);
  if (const cudaError_t fault = call.runtime.errors.noticed_fault()) {
    ++call.runtime.dropped_launches;
    return call.finish(fault);
  }
  return run_guarded(call, body);
}

cudaError_t launch_function(Call& call, const void* host_function, const LaunchOrder& order) {
  const void* place = take_chevrons();
  const LaunchSite site =
      place != nullptr ? LaunchSite{.frames = {{place}}} : LaunchSite{call.name, call.frames()};
  cudaError_t error = cudaSuccess;
  Function* function = function_or_error(host_function, error);
  return function == nullptr ? error : launch(call.runtime, *function, order, site);
}

struct LaunchAttributes {
  bool cooperative = false;
  Dim3 cluster;
};

/// @returns nothing for an attribute that CUDA 13.0 does not have
std::optional<LaunchAttributes> read_attributes(const cudaLaunchConfig_t& config) {
  constexpr int kLastAttribute = 16;  // cudaLaunchAttributeNvlinkUtilCentricScheduling
  LaunchAttributes result;
  for (const cudaLaunchAttribute& attribute : std::span(config.attrs, config.numAttrs)) {
    const int id = static_cast<int>(attribute.id);
    if (id < 0 || id > kLastAttribute) return std::nullopt;
    if (attribute.id == cudaLaunchAttributeCooperative) {
      result.cooperative = attribute.val.cooperative != 0;
    }
    if (attribute.id == cudaLaunchAttributeClusterDimension) {
      const auto& cluster = attribute.val.clusterDim;
      result.cluster = {cluster.x, cluster.y, cluster.z};
    }
    // The others are hints about order and priority; work runs in call order here.
  }
  return result;
}

cudaError_t launch_configured(Call& call, const cudaLaunchConfig_t* config,
                              const void* host_function, void** arguments) {
  if (config == nullptr) return cudaErrorInvalidValue;
  if (config->attrs == nullptr && config->numAttrs != 0) return cudaErrorInvalidValue;
  const auto attributes = read_attributes(*config);
  if (!attributes) return cudaErrorInvalidValue;
  return launch_function(call, host_function,
                         {.grid = to_dim(config->gridDim),
                          .block = to_dim(config->blockDim),
                          .dynamic_shared_bytes = config->dynamicSmemBytes,
                          .arguments = arguments,
                          .stream = config->stream,
                          .cooperative = attributes->cooperative,
                          .cluster = attributes->cluster});
}

}  // namespace

}  // namespace warpsim::cudart

using namespace warpsim::cudart;

extern "C" {

/// The stub keeps the handle and ignores the result: an unknown function leaves a null handle.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* host_function) {
  if (kernel == nullptr) return cudaErrorInvalidValue;
  *kernel = reinterpret_cast<cudaKernel_t>(ModuleTable::get().find_function(host_function));
  return *kernel == nullptr ? cudaErrorInvalidDeviceFunction : cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               size_t shared, cudaStream_t stream) {
  return launch_call("<<<>>>", [&](Call& call) {
    return launch_function(call, kernel,
                           {.grid = to_dim(grid),
                            .block = to_dim(block),
                            .dynamic_shared_bytes = shared,
                            .arguments = arguments,
                            .stream = stream});
  });
}

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                             size_t shared, cudaStream_t stream) {
  return launch_call(__func__, [&](Call& call) {
    return launch_function(call, function,
                           {.grid = to_dim(grid),
                            .block = to_dim(block),
                            .dynamic_shared_bytes = shared,
                            .arguments = arguments,
                            .stream = stream});
  });
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block,
                                        void** arguments, size_t shared, cudaStream_t stream) {
  return launch_call(__func__, [&](Call& call) {
    return launch_function(call, function,
                           {.grid = to_dim(grid),
                            .block = to_dim(block),
                            .dynamic_shared_bytes = shared,
                            .arguments = arguments,
                            .stream = stream,
                            .cooperative = true});
  });
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function,
                                void** arguments) {
  return launch_call(
      __func__, [&](Call& call) { return launch_configured(call, config, function, arguments); });
}

}  // extern "C"

WARPSIM_TWIN(__cudaLaunchKernel, _ptsz)
WARPSIM_TWIN(cudaLaunchKernel, _ptsz)
WARPSIM_TWIN(cudaLaunchCooperativeKernel, _ptsz)
WARPSIM_TWIN(cudaLaunchKernelExC, _ptsz)

#include "emulator/machine/device_launch.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "emulator/machine/address.h"
#include "emulator/machine/builtins.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/for_lanes.h"
#include "emulator/machine/linker.h"

namespace warpsim {
namespace {

// Values of cudaError_t: this part does not depend on the runtime's headers.
enum Error : int {
  kSuccess = 0,
  kInvalidValue = 1,
  kInvalidConfiguration = 9,
  kInvalidDeviceFunction = 98,
  kLaunchMaxDepthExceeded = 65,
  kLaunchPendingCountExceeded = 69,
};

constexpr std::uint64_t kTailLaunchStream = 3;  // cudaStreamTailLaunch

struct Text {
  int error;
  const char* name;
  const char* text;
};
constexpr std::array kTexts = {
    Text{kSuccess, "cudaSuccess", "no error"},
    Text{kInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    Text{kInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    Text{kInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    Text{kLaunchMaxDepthExceeded, "cudaErrorLaunchMaxDepthExceeded",
         "launch would exceed maximum depth of nested launches"},
    Text{kLaunchPendingCountExceeded, "cudaErrorLaunchPendingCountExceeded",
         "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount"},
};

/// One lane's call of a function of the device runtime.
class LaneCall {
 public:
  LaneCall(Warp& warp, const Inst& in, const CallOperands& site, int lane)
      : context_(*warp.context),
        launch_(*warp.context->block->launch),
        queue_(launch_.linker->device_work),
        in_(in),
        site_(site),
        lane_(lane) {}

  [[nodiscard]] std::uint64_t argument(std::size_t i) const {
    return call_argument(context_, site_, i, lane_);
  }
  void result(std::uint64_t value) { set_call_result(context_, site_, lane_, value); }
  void fail(int error) {
    queue_.last_errors[thread()] = error;
    result(static_cast<std::uint64_t>(error));
  }

  void get_buffer(std::uint64_t bytes, DeviceWork work) {
    const std::uint64_t address =
        launch_.device_malloc(std::max<std::uint64_t>(bytes, 1), "a launch of a kernel");
    if (address != 0) queue_.buffers[address] = std::move(work);
    result(address);
  }

  /// cudaGetParameterBufferV2(function, grid, block, shared bytes)
  void get_buffer_of_kernel() {
    DeviceWork work;
    work.grid = dimensions(1);
    work.block = dimensions(2);
    work.shared_bytes = static_cast<std::uint32_t>(argument(3));
    work.kernel = kernel_at(argument(0));
    if (const int error = check(work)) {
      queue_.last_errors[thread()] = error;
      result(0);
      return;
    }
    const std::uint64_t bytes = parameter_bytes(*work.kernel);
    get_buffer(bytes, std::move(work));
  }

  /// cudaLaunchDeviceV2(buffer, stream)
  void launch_buffer() { launch(argument(0), argument(1), nullptr); }

  /// cudaLaunchDevice(function, buffer, grid, block, shared bytes, stream)
  void launch_function() {
    DeviceWork work;
    work.kernel = kernel_at(argument(0));
    work.grid = dimensions(2);
    work.block = dimensions(3);
    work.shared_bytes = static_cast<std::uint32_t>(argument(4));
    if (const int error = check(work)) {
      fail(error);
      return;
    }
    launch(argument(1), argument(5), &work);
  }

  void copy() {
    queue_.pending.push_back({.kind = DeviceWork::Kind::copy,
                              .tail_launch = argument(4) == kTailLaunchStream,
                              .to = argument(0),
                              .from = argument(1),
                              .bytes = argument(2)});
    result(kSuccess);
  }
  void fill() {
    queue_.pending.push_back({.kind = DeviceWork::Kind::fill,
                              .tail_launch = argument(3) == kTailLaunchStream,
                              .to = argument(0),
                              .bytes = argument(2),
                              .value = static_cast<int>(argument(1))});
    result(kSuccess);
  }

  void last_error(bool keep) {
    const auto found = queue_.last_errors.find(thread());
    const int error = found == queue_.last_errors.end() ? kSuccess : found->second;
    if (!keep && found != queue_.last_errors.end()) queue_.last_errors.erase(found);
    result(static_cast<std::uint64_t>(error));
  }

  void error_text(const char* Text::*member) {
    const auto error = static_cast<int>(argument(0));
    const auto found = std::ranges::find(kTexts, error, &Text::error);
    const char* text = found == kTexts.end() ? "unrecognized error code" : (*found).*member;
    const std::size_t bytes = std::strlen(text) + 1;
    const std::uint64_t address = launch_.device_malloc(bytes, "the text of an error");
    if (GlobalMemory::Allocation* allocation = launch_.memory->find(address)) {
      std::memcpy(allocation->host, text, bytes);
      launch_.memory->mark_written(*allocation, address, bytes);
    }
    result(address);
  }

  /// Streams and events of the device order work that runs in the order of its submission.
  void make_handle() { store(queue_.next_handle++, sizeof(std::uint64_t)); }
  void store(std::uint64_t value, std::size_t bytes) {
    result(write(argument(0), value, bytes) ? kSuccess : kInvalidValue);
  }

 private:
  [[nodiscard]] std::uint64_t thread() const {
    return context_.block->linear * launch_.threads_per_block +
           context_.warp.warp_index * kWarpSize + static_cast<std::uint64_t>(lane_);
  }

  [[nodiscard]] Dim3 dimensions(std::size_t i) const {
    std::uint32_t extents[3] = {1, 1, 1};
    if (i < site_.arguments.size()) {
      const auto& place = site_.arguments[i];
      std::memcpy(extents,
                  context_.local.data() + static_cast<std::size_t>(lane_) * context_.local_stride +
                      context_.frame().local_base + place.offset,
                  std::min<std::size_t>(place.bytes, sizeof extents));
    }
    return {extents[0], extents[1], extents[2]};
  }

  [[nodiscard]] const Kernel* kernel_at(std::uint64_t address) const {
    const FunctionRef* function = launch_.linker->function_at(address);
    if (function == nullptr || function->function == nullptr || !function->function->is_entry) {
      return nullptr;
    }
    return launch_.linker->find_kernel(function->name, function->module->unit);
  }

  [[nodiscard]] static std::uint64_t parameter_bytes(const Kernel& kernel) {
    const KernelInfo& info = kernel.info;
    return info.parameter_sizes.empty()
               ? 0
               : info.parameter_offsets.back() + info.parameter_sizes.back();
  }

  void report(const std::string& kernel, std::string got, std::string want, std::string next) {
    Finding finding = finding_at(context_, in_, 1u << lane_, FindingKind::illegal_launch);
    finding.message = fmt::format("the kernel cannot launch {}", kernel);
    finding.got = std::move(got);
    finding.want = std::move(want);
    finding.next = std::move(next);
    log(context_, std::move(finding));
  }

  /// @returns cudaError_t of a launch that cannot be; it is reported
  int check(const DeviceWork& work) {
    if (work.kernel == nullptr) return kInvalidDeviceFunction;
    const Card& card = *launch_.card;
    const std::string& name = work.kernel->info.demangled;
    const auto threads = work.block.count();
    const std::uint64_t shared = work.kernel->info.static_shared_bytes + work.shared_bytes;
    if (threads == 0 || threads > static_cast<std::uint64_t>(card.max_threads_per_block) ||
        work.grid.count() == 0 || shared > card.shared_per_block_optin) {
      report(
          name,
          fmt::format("grid ({},{},{}), block ({},{},{}), {} bytes of shared memory", work.grid.x,
                      work.grid.y, work.grid.z, work.block.x, work.block.y, work.block.z, shared),
          fmt::format("at least one block, 1 to {} threads per block, at most {} bytes",
                      card.max_threads_per_block, card.shared_per_block_optin),
          "The launch fails with cudaErrorInvalidConfiguration, which cudaGetLastError() returns "
          "in the kernel.");
      return kInvalidConfiguration;
    }
    if (queue_.depth >= DeviceWorkQueue::kDeepest) {
      report(name, fmt::format("a launch at depth {}", queue_.depth + 1),
             fmt::format("at most {} nested launches", DeviceWorkQueue::kDeepest),
             "End the recursion earlier: let a kernel at the last level do the rest itself.");
      return kLaunchMaxDepthExceeded;
    }
    if (queue_.pending.size() >= DeviceWorkQueue::kMostPending) {
      report(
          name, fmt::format("{} launches that have not begun", queue_.pending.size()),
          fmt::format("at most {}, the default of cudaLimitDevRuntimePendingLaunchCount",
                      DeviceWorkQueue::kMostPending),
          "Launch fewer, larger kernels: one thread per block, and not each one, should launch.");
      return kLaunchPendingCountExceeded;
    }
    return kSuccess;
  }

  void launch(std::uint64_t address, std::uint64_t stream, DeviceWork* given) {
    const auto found = queue_.buffers.find(address);
    if (found == queue_.buffers.end()) {
      fail(kInvalidValue);
      return;
    }
    DeviceWork work = std::move(given != nullptr ? *given : found->second);
    queue_.buffers.erase(found);
    if (work.kernel == nullptr) {
      fail(kInvalidValue);
      return;
    }
    work.tail_launch = stream == kTailLaunchStream;
    const GlobalMemory::Allocation* buffer = launch_.memory->find(address);
    const std::uint64_t bytes = std::min(parameter_bytes(*work.kernel), buffer->size);
    work.parameters.assign(buffer->host, buffer->host + bytes);
    work.parameters.resize(parameter_bytes(*work.kernel));
    (void)launch_.device_free(address);
    queue_.pending.push_back(std::move(work));
    result(kSuccess);
  }

  bool write(std::uint64_t address, std::uint64_t value, std::size_t bytes) {
    if (in_window(address, kLocalWindow)) {
      const std::uint64_t offset = address - kLocalWindow;
      if (offset + bytes > context_.local_stride) return false;
      std::memcpy(
          context_.local.data() + static_cast<std::size_t>(lane_) * context_.local_stride + offset,
          &value, bytes);
      if (context_.follower != nullptr) {
        context_.follower->set_result(context_, lane_, static_cast<std::uint32_t>(offset),
                                      static_cast<std::uint32_t>(bytes));
      }
      return true;
    }
    const Extent* extent = launch_.find(address);
    if (extent == nullptr || address + bytes > extent->end) return false;
    std::memcpy(extent->allocation->host + (address - extent->base), &value, bytes);
    launch_.memory->mark_written(*extent->allocation, address, bytes);
    return true;
  }

  WarpContext& context_;
  LaunchState& launch_;
  DeviceWorkQueue& queue_;
  const Inst& in_;
  const CallOperands& site_;
  const int lane_;
};

struct RuntimeFunction {
  std::string_view name;  // without its prefix, and without the suffix of per-thread streams
  std::size_t arguments;
  void (*run)(LaneCall& call);
};

constexpr std::array kFunctions = {
    RuntimeFunction{"GetParameterBuffer", 2,
                    [](LaneCall& call) { call.get_buffer(call.argument(1), {}); }},
    RuntimeFunction{"GetParameterBufferV2", 4, [](LaneCall& call) { call.get_buffer_of_kernel(); }},
    RuntimeFunction{"LaunchDevice", 6, [](LaneCall& call) { call.launch_function(); }},
    RuntimeFunction{"LaunchDeviceV2", 2, [](LaneCall& call) { call.launch_buffer(); }},
    RuntimeFunction{"MemcpyAsync", 5, [](LaneCall& call) { call.copy(); }},
    RuntimeFunction{"MemsetAsync", 4, [](LaneCall& call) { call.fill(); }},
    RuntimeFunction{"GetLastError", 0, [](LaneCall& call) { call.last_error(false); }},
    RuntimeFunction{"PeekAtLastError", 0, [](LaneCall& call) { call.last_error(true); }},
    RuntimeFunction{"GetErrorString", 1, [](LaneCall& call) { call.error_text(&Text::text); }},
    RuntimeFunction{"GetErrorName", 1, [](LaneCall& call) { call.error_text(&Text::name); }},
    RuntimeFunction{"StreamCreateWithFlags", 2, [](LaneCall& call) { call.make_handle(); }},
    RuntimeFunction{"StreamDestroy", 1, [](LaneCall& call) { call.result(kSuccess); }},
    RuntimeFunction{"StreamWaitEvent", 3, [](LaneCall& call) { call.result(kSuccess); }},
    RuntimeFunction{"EventCreateWithFlags", 2, [](LaneCall& call) { call.make_handle(); }},
    RuntimeFunction{"EventRecord", 2, [](LaneCall& call) { call.result(kSuccess); }},
    RuntimeFunction{"EventRecordWithFlags", 3, [](LaneCall& call) { call.result(kSuccess); }},
    RuntimeFunction{"EventDestroy", 1, [](LaneCall& call) { call.result(kSuccess); }},
    RuntimeFunction{"GetDevice", 1, [](LaneCall& call) { call.store(0, sizeof(int)); }},
    RuntimeFunction{"GetDeviceCount", 1, [](LaneCall& call) { call.store(1, sizeof(int)); }},
};

}  // namespace

bool call_device_runtime(Warp& warp, const Inst& in, std::string_view name,
                         const CallOperands& site, const Inst*& next) {
  for (const std::string_view prefix : {"__cudaCDP2", "cuda"}) {
    if (!name.starts_with(prefix)) continue;
    name.remove_prefix(prefix.size());
    break;
  }
  if (constexpr std::string_view kSuffix = "_ptsz"; name.ends_with(kSuffix)) {
    name.remove_suffix(kSuffix.size());
  }
  const auto found = std::ranges::find(kFunctions, name, &RuntimeFunction::name);
  // A module may declare anything under the name.
  if (found == kFunctions.end() || site.arguments.size() != found->arguments ||
      site.results.size() != 1 || warp.context->block->launch->only_worker == nullptr) {
    return false;
  }
  for_lanes<int>(warp.active, [&](int lane) {
    LaneCall call(warp, in, site, lane);
    found->run(call);
  });
  next = &in + 1;
  return true;
}

}  // namespace warpsim

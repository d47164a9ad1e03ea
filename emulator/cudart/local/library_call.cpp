#include "emulator/cudart/local/library_call.h"

#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "emulator/checkers/host_library.h"
#include "emulator/counters/cost.h"
#include "emulator/cudart/api.h"
#include "emulator/cudart/call_record.h"
#include "emulator/cudart/finish.h"
#include "emulator/cudart/transfer.h"

namespace warpsim::cudart {
namespace {

using Arguments = LibraryCall::Arguments;

/// A call's work: what a graph keeps, too.
struct LibraryWork {
  LibraryCall call;
  Frames frames;
};

/// Bytes from the first to the last one of the box; where they are too many, the largest number.
std::uint64_t extent(const LibraryArgument& argument) {
  const Box& box = argument.box;
  std::uint64_t slices = 0;
  std::uint64_t rows = 0;
  std::uint64_t total = 0;
  const bool overflow = __builtin_mul_overflow(argument.side.slice_pitch, box.depth - 1, &slices) ||
                        __builtin_mul_overflow(argument.side.row_pitch, box.height - 1, &rows) ||
                        __builtin_add_overflow(slices, rows, &total) ||
                        __builtin_add_overflow(total, box.width, &total);
  return overflow ? std::numeric_limits<std::uint64_t>::max() : total;
}

/// Checks the arguments of one piece of work before it runs.
class ArgumentCheck {
 public:
  ArgumentCheck(Runtime& runtime, const LibraryWork& work) : runtime_(runtime), work_(work) {}

  /// Whether the work may use all of them; otherwise the device's fault. Sets where their bytes
  /// are.
  cudaError_t check(Arguments& arguments) {
    cudaError_t first = cudaSuccess;
    for (LibraryArgument& argument : arguments) {
      if (argument.box.empty()) continue;
      const cudaError_t fault = check(argument);
      if (first == cudaSuccess) first = fault;
    }
    return first;
  }

  /// Of arguments that check() has found to be usable.
  cudaError_t check_contents(const Arguments& parameters, const Arguments& arguments) {
    if (!work_.call.defect) return cudaSuccess;
    const std::optional<WrongContents> wrong = work_.call.defect(parameters, arguments);
    if (!wrong) return cudaSuccess;
    // Of uninitialized bytes one finding is enough.
    if (!reported_unwritten_) {
      runtime_.report(wrong_contents(site(), wrong->got, wrong->want));
    }
    return cudaErrorIllegalAddress;
  }

 private:
  [[nodiscard]] CallSite site() const { return resolve(work_.call.name, work_.frames); }

  cudaError_t check(LibraryArgument& argument) {
    const auto* const address = reinterpret_cast<const void*>(argument.side.address);
    const ArgumentView view = {.name = argument.name,
                               .shape = argument.shape,
                               .bytes = extent(argument),
                               .written = argument.written,
                               .pointer = view_pointer(runtime_.memory, address)};
    if (!view.pointer.on_device()) {
      runtime_.report(bad_argument_pointer(site(), view));
      return cudaErrorIllegalAddress;
    }
    const GlobalMemory::Allocation& allocation = *view.pointer.allocation;
    const std::uint64_t offset = view.pointer.address - allocation.base;
    if (view.bytes > allocation.size - offset) {
      runtime_.report(out_of_bounds_argument(site(), view));
      return cudaErrorIllegalAddress;
    }
    const int device = runtime_.streams.running().device;
    if (!runtime_.memory.reaches(device, allocation)) {
      runtime_.report(argument_of_other_device(site(), view, device));
      return cudaErrorIllegalAddress;
    }
    if (argument.side.address % argument.alignment != 0) {
      runtime_.report(misaligned_argument(site(), view, argument.alignment));
      return cudaErrorMisalignedAddress;
    }
    argument.host = allocation.host + offset;
    if (argument.read) check_initialized(argument, view);
    return cudaSuccess;
  }

  /// One finding per argument, since the work goes on with such bytes.
  void check_initialized(const LibraryArgument& argument, const ArgumentView& view) {
    const GlobalMemory::Allocation& allocation = *view.pointer.allocation;
    if (!runtime_.settings.machine.checks.unwritten || allocation.written == nullptr ||
        allocation.all_written) {
      return;
    }
    std::optional<std::uint64_t> hole;
    for_each_range(argument, [&](std::uint64_t begin, std::uint64_t end) {
      if (!hole) hole = runtime_.memory.first_unwritten(allocation, begin, end - begin);
    });
    if (!hole) return;
    reported_unwritten_ = true;
    runtime_.report(unwritten_argument(site(), view, *hole));
  }

  Runtime& runtime_;
  const LibraryWork& work_;
  bool reported_unwritten_ = false;
};

/// Where uses of an argument begin or end.
struct Boundary {
  std::uint64_t address = 0;
  int reads = 0, writes = 0;  // more from here on, or fewer
};

/// The memory that the work uses, by address; bytes of two arguments are used in both ways.
std::vector<MemoryUse> uses_of(const Arguments& parameters, const Arguments& arguments) {
  std::vector<Boundary> boundaries;
  for (const Arguments* list : {&parameters, &arguments}) {
    for (const LibraryArgument& argument : *list) {
      const int reads = argument.read ? 1 : 0;
      const int writes = argument.written ? 1 : 0;
      for_each_range(argument, [&](std::uint64_t begin, std::uint64_t end) {
        boundaries.push_back({begin, reads, writes});
        boundaries.push_back({end, -reads, -writes});
      });
    }
  }
  std::ranges::sort(boundaries, {}, &Boundary::address);
  std::vector<MemoryUse> uses;
  Boundary now;
  for (const Boundary& next : boundaries) {
    if (now.address < next.address && (now.reads > 0 || now.writes > 0)) {
      std::uint8_t how = MemoryUse::kPlain;
      if (now.reads > 0) how |= MemoryUse::kRead;
      if (now.writes > 0) how |= MemoryUse::kWritten;
      const MemoryUse use = {.begin = now.address, .end = next.address, .how = how};
      if (!uses.empty() && uses.back().continues_as(use)) {
        uses.back().end = use.end;
      } else {
        uses.push_back(use);
      }
    }
    now = {next.address, now.reads + next.reads, now.writes + next.writes};
  }
  return uses;
}

/// The roofline: the time for the operations or that for the bytes, whichever is longer.
double modelled_milliseconds(const Card& card, const LibraryCost& cost,
                             const std::vector<MemoryUse>& uses) {
  double bytes = 0;
  for (const MemoryUse& use : uses) {
    const double size = static_cast<double>(use.end - use.begin);
    if (use.is(MemoryUse::kRead)) bytes += size;
    if (use.is(MemoryUse::kWritten)) bytes += size;
  }
  double per_clock = 2.0 * card.fp32_lanes_per_sm;
  if (cost.unit == LibraryCost::Unit::fp64) per_clock = 2.0 * card.fp64_lanes_per_sm;
  if (cost.unit == LibraryCost::Unit::tensor) per_clock = card.tensor_flops_per_clock;
  const double rate = per_clock * card.multiprocessors * card.clock_khz * 1e3;
  const double seconds =
      std::max(cost.operations / rate, bytes / (kMemoryEfficiency * card.memory_bandwidth));
  return (kLaunchSeconds + seconds) * 1e3;
}

void mark_written(Runtime& runtime, const Arguments& arguments) {
  for (const LibraryArgument& argument : arguments) {
    if (!argument.written || argument.box.empty()) continue;
    GlobalMemory::Allocation& allocation = *runtime.memory.find(argument.side.address);
    for_each_range(argument, [&](std::uint64_t begin, std::uint64_t end) {
      runtime.memory.mark_written(allocation, begin, end - begin);
    });
  }
}

/// As for a kernel: a fault is the error of a later call.
cudaError_t run(Runtime& runtime, const LibraryWork& work) {
  if (runtime.errors.faulted()) ++runtime.dropped_launches;
  if (runtime.errors.faulted() || runtime.settings.idle) return cudaSuccess;
  ArgumentCheck check(runtime, work);
  Arguments parameters = work.call.parameters;
  cudaError_t fault = check.check(parameters);
  Arguments arguments;
  if (fault == cudaSuccess) {
    arguments = work.call.arguments(parameters);
    fault = check.check(arguments);
  }
  if (fault == cudaSuccess) fault = check.check_contents(parameters, arguments);
  if (fault != cudaSuccess) {
    runtime.errors.set_fault(fault);
    write_report(runtime);
    return cudaSuccess;
  }
  const std::vector<MemoryUse> uses = uses_of(parameters, arguments);
  for (const MemoryUse& use : uses) {
    if (use.is(MemoryUse::kRead)) runtime.machine.read_by_copy(use.begin, use.end);
  }
  if (CallRecord* const record = runtime.recording()) record->give_up("a library does work");
  work.call.run(parameters, arguments);
  mark_written(runtime, parameters);
  mark_written(runtime, arguments);
  LaunchResult result;
  result.modelled_ms = modelled_milliseconds(runtime.card, work.call.cost, uses);
  result.uses = uses;
  runtime.time.kernel(work.call.name, runtime.streams.running().device, result);
  if (!runtime.settings.launch_blocking) {
    runtime.note_uses(uses, {.what = work.call.name, .api = work.call.name, .frames = work.frames});
  }
  if (work.call.host_waits) {
    runtime.waited_for(runtime.streams.running().done, work.call.name);
  }
  return cudaSuccess;
}

cudaError_t run_in_stream(LibraryCall&& of_library) {
  Call call(of_library.name, of_library.return_address);
  if (const cudaError_t refusal = call.refusal()) return refusal;
  Runtime& runtime = call.runtime;
  if (const cudaError_t fault = runtime.errors.noticed_fault()) {
    ++runtime.dropped_launches;
    return fault;
  }
  const cudaStream_t stream = of_library.stream;
  if (runtime.streams.find(stream) == nullptr) return cudaErrorInvalidResourceHandle;
  if (of_library.host_waits && runtime.streams.capturing(stream)) {
    return cudaErrorStreamCaptureUnsupported;
  }
  const auto work =
      std::make_shared<LibraryWork>(LibraryWork{std::move(of_library), call.frames()});
  try {
    return runtime.streams.submit(
        stream, {.type = cudaGraphNodeTypeKernel,
                 .run = [&runtime, work] { return cudart::run(runtime, *work); }});
  } catch (...) {
    return call.translate_exception();
  }
}

cudaError_t copy_in_stream(const char* name, const void* return_address, const Side& to,
                           const Side& from, const Box& box, cudaMemcpyKind kind,
                           cudaStream_t stream) {
  Call call(name, return_address);
  if (const cudaError_t refusal = call.refusal()) return refusal;
  if (const cudaError_t fault = call.runtime.errors.notice_fault()) return fault;
  try {
    return copy(call, to, from, box, kind, stream);
  } catch (...) {
    return call.translate_exception();
  }
}

cudaError_t fill_in_stream(const char* name, const void* return_address, const Side& to,
                           std::uint32_t value, unsigned element_bytes, const Box& box,
                           cudaStream_t stream) {
  Call call(name, return_address);
  if (const cudaError_t refusal = call.refusal()) return refusal;
  if (const cudaError_t fault = call.runtime.errors.notice_fault()) return fault;
  try {
    return fill(call, to, static_cast<int>(value), box, stream, element_bytes);
  } catch (...) {
    return call.translate_exception();
  }
}

void refuse(const char* name, const void* return_address, const RefusedArgument& argument) {
  Call call(name, return_address);
  const auto finding = argument.by_emulator ? unsupported_argument : refused_argument;
  call.runtime.report(finding(call.site(), argument.got, argument.want, argument.status));
}

void unsupported(const char* name, const void* return_address, const char* status) {
  Call call(name, return_address);
  report_unsupported(call.runtime, call.site(), status);
}

}  // namespace
}  // namespace warpsim::cudart

const warpsim::cudart::LibraryEntryPoints* warpsim_libraries() {
  using namespace warpsim::cudart;
  static const LibraryEntryPoints entry_points = {.run = run_in_stream,
                                                  .copy = copy_in_stream,
                                                  .fill = fill_in_stream,
                                                  .refuse = refuse,
                                                  .unsupported = unsupported,
                                                  .virtual_memory = &virtual_memory_calls()};
  return &entry_points;
}

#include <fmt/format.h>

#include <bit>

#include "emulator/findings/plural.h"
#include "emulator/machine/async.h"
#include "emulator/machine/faults.h"
#include "emulator/machine/linker.h"
#include "emulator/machine/pointer_origins.h"

// Findings of instructions that a card would have stopped at, or that went on with a wrong value.

namespace warpsim {
namespace {

const char* verb(AccessType type) {
  switch (type) {
    case AccessType::load:
      return "read";
    case AccessType::store:
      return "write";
    case AccessType::atomic:
      break;
  }
  return "atomic update";
}

/// The one of two kinds that an access is.
FindingKind kind_of(AccessType type, FindingKind read, FindingKind write) {
  return type == AccessType::load ? read : write;
}

/// Whether the address is in memory of another device that `device` may not use.
bool lacks_peer_access(const LaunchState& launch, const GlobalMemory::Allocation* near,
                       std::uint64_t address) {
  return near != nullptr && !near->freed && address - near->base < near->size &&
         !launch.memory->reaches(launch.device, *near);
}

/// An address that a kernel may not use, by what is there.
FindingKind bad_global_kind(const LaunchState& launch, const GlobalMemory::Allocation* near,
                            std::uint64_t address, AccessType type) {
  const GlobalMemory& memory = *launch.memory;
  constexpr std::uint64_t kNullPage = 4096;
  if (address < kNullPage) return FindingKind::null_pointer;
  if (lacks_peer_access(launch, near, address)) return FindingKind::no_peer_access;
  if (near != nullptr && near->freed) return FindingKind::use_after_free;
  if (near == nullptr && !memory.near_device_range(address)) {
    return FindingKind::host_pointer_in_kernel;
  }
  return kind_of(type, FindingKind::oob_global_read, FindingKind::oob_global_write);
}

FindingKind misaligned_kind(std::string_view space) {
  if (space == "global") return FindingKind::misaligned_global;
  if (space == "shared") return FindingKind::misaligned_shared;
  if (space == "local") return FindingKind::misaligned_local;
  if (space == "surface") return FindingKind::misaligned_surface;
  return FindingKind::misaligned_generic;
}

/// What a program does to let kernels of one device use the memory of another.
std::string enable_peer_access(int device, const GlobalMemory::Allocation& allocation) {
  if (allocation.kind != GlobalMemory::Kind::device) {
    return "Peer access does not extend to device variables: copy it with cudaMemcpyPeer.";
  }
  return fmt::format(
      "Call cudaDeviceEnablePeerAccess({}, 0) while device {} is current, after "
      "cudaDeviceCanAccessPeer allows it; or copy the data with cudaMemcpyPeer.",
      allocation.device, device);
}

std::string allocation_name(const GlobalMemory::Allocation& allocation) {
  return fmt::format("{} ({})", allocation.in_words(), plural(allocation.size, "byte"));
}

/// Where the system puts a program's own memory differs from run to run, and a report must not.
std::string foreign_address(std::uint64_t address) {
  constexpr std::uint64_t kPrograms = 0x5500'0000'0000;
  constexpr std::uint64_t kEnd = 0x8000'0000'0000;
  return address >= kPrograms && address < kEnd
             ? "an address of host memory, or an uninitialized pointer"
             : fmt::format("address {:#x}, probably an uninitialized pointer", address);
}

}  // namespace

void report_stack_overflow(const WarpContext& context, const Inst& in, std::uint64_t used,
                           std::uint64_t available) {
  Finding f = finding_at(context, in, context.warp.active, FindingKind::stack_overflow);
  f.message = "a thread needs more local memory than it has";
  f.got = fmt::format("{} at call depth {}", plural(used, "byte"), context.frame().depth + 1);
  f.want = fmt::format("at most {}", plural(available, "byte"));
  f.next =
      "Look for a recursion that does not end; one that needs more asks for it with "
      "cudaDeviceSetLimit(cudaLimitStackSize, bytes) before the launch.";
  log(context, std::move(f));
}

namespace {

/// What a call of the device runtime is in the source: it has names of its own for some.
std::string device_runtime_message(std::string_view name) {
  if (name.find("ParameterBuffer") != name.npos || name.find("LaunchDevice") != name.npos) {
    return "the kernel launches a kernel";
  }
  constexpr std::string_view kOwnNames = "__cudaCDP2";
  const std::string call = name.starts_with(kOwnNames)
                               ? "cuda" + std::string(name.substr(kOwnNames.size()))
                               : std::string(name);
  return fmt::format("the kernel calls {}, which only host code may do here", call);
}

}  // namespace

void report_unresolved_call(const WarpContext& context, const Inst& in, const std::string& name) {
  if (name.starts_with("cuda") || name.starts_with("__cudaCDP")) {
    Finding f = finding_at(context, in, context.warp.active, FindingKind::device_runtime_call);
    f.message = device_runtime_message(name);
    f.got = "a function of the device runtime that the emulator does not have";
    f.want = "launches, copies, streams, events and their errors only";
    f.next =
        "Kernels may launch kernels, copy, and create streams and events here; move the rest to "
        "host code.";
    log(context, std::move(f));
    return;
  }
  Finding f = finding_at(context, in, context.warp.active, FindingKind::unresolved_call);
  f.message = fmt::format("the kernel calls {}, which no module defines", demangle(name));
  f.got = "no PTX for this function";
  f.want = "a definition in the program's PTX";
  f.next =
      "Functions of the device runtime and of libraries without PTX cannot be emulated; with "
      "-rdc=true every part must be built with PTX for the same architecture.";
  log(context, std::move(f));
}

void report_bad_call(const WarpContext& context, const Inst& in, const std::uint64_t* targets) {
  const int lane = std::countr_zero(context.warp.active);
  Finding f = finding_at(context, in, context.warp.active, FindingKind::bad_function_pointer);
  f.message = "call through a pointer that is not a device function";
  f.got = fmt::format("address {:#x}", targets[lane]);
  f.want = "the address of a __device__ function, taken in device code";
  f.next =
      "Check where the pointer was set: a function's address taken on the host is not valid "
      "on the device, and objects with virtual functions must be made there.";
  log(context, std::move(f));
}

void report_trap(const WarpContext& context, const Inst& in) {
  Finding f = finding_at(context, in, context.warp.active, FindingKind::trap);
  f.message = "the kernel executed a trap instruction";
  f.got = "trap";
  f.want = "no trap";
  f.next = "Look for __trap(), std::abort() or a failed check in device code at this line.";
  log(context, std::move(f));
}

bool report_bad_global(const WarpContext& context, const Inst& in, std::uint32_t lanes,
                       const std::uint64_t* addresses, std::uint32_t width, AccessType type) {
  const int lane = std::countr_zero(lanes);
  const std::uint64_t address = addresses[lane];
  const LaunchState& launch = *context.block->launch;
  const GlobalMemory& memory = *launch.memory;
  bool fatal = false;
  for (std::uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    fatal = fatal || !memory.in_mapped_page(addresses[std::countr_zero(rest)]);
  }
  const GlobalMemory::Allocation* const there = memory.nearest(address);
  const AllowedArrays& allowed = allowed_arrays(context, in);
  const GlobalMemory::Allocation* const meant = allowed.known ? allowed.nearest(address) : nullptr;
  const bool leaves = meant != nullptr && memory.near_device_range(address) && meant != there;
  const GlobalMemory::Allocation* const near = leaves ? meant : there;
  Finding f = finding_at(context, in, lanes, bad_global_kind(launch, near, address, type));
  f.allocation = near != nullptr ? near->id : 0;
  const std::string what = fmt::format("{}-byte {}", width, verb(type));
  if (f.kind == FindingKind::null_pointer) {
    f.message = fmt::format("{} through a null pointer", what);
    f.got = fmt::format("address {:#x}", address);
    f.want = "an address inside an allocation";
    f.next =
        "Check that the pointer was allocated and passed to the kernel, and that the "
        "allocation's error was checked.";
  } else if (f.kind == FindingKind::no_peer_access) {
    fatal = true;
    f.message = fmt::format("{} of {}, which is memory of device {}, by a kernel on device {}",
                            what, allocation_name(*near), near->device, launch.device);
    f.got = fmt::format("byte offset {} of memory that device {} may not use", address - near->base,
                        launch.device);
    f.want = fmt::format("memory of device {}, or peer access to device {}", launch.device,
                         near->device);
    f.next = enable_peer_access(launch.device, *near);
  } else if (f.kind == FindingKind::use_after_free) {
    const bool never = near->comes_back && near->freed_by == nullptr;
    f.message = fmt::format("{} of {} memory: {}", what, never ? "a graph's" : "freed",
                            allocation_name(*near));
    f.got = never
                ? fmt::format("byte offset {} of memory that no launch of its graph has allocated",
                              address - near->base)
                : fmt::format("byte offset {} of memory freed by {}", address - near->base,
                              near->freed_by ? near->freed_by() : std::string());
    f.want = "memory that is still allocated";
    f.next = near->comes_back
                 ? "Use a graph's memory after the node that allocates it and before the one that "
                   "frees it."
                 : "Free the buffer only after the last kernel that uses it.";
  } else if (near != nullptr) {
    f.access = {.offset = static_cast<std::int64_t>(address - near->base),
                .width = width,
                .bytes = near->size};
    f.message = fmt::format("{} {} {}", what,
                            f.access.offset >= 0 ? "past the end of" : "before the start of",
                            allocation_name(*near));
    f.got = f.access.in_words();
    if (leaves && there != nullptr && address - there->base < there->size) {
      f.got += fmt::format(", which is in {}{}", there->freed ? "freed memory, " : "",
                           there->in_words());
    }
    f.want = fmt::format("an offset of 0 to {}", near->size >= width ? near->size - width : 0);
    f.next = "Compare the index with the number of elements before the access.";
  } else if (f.kind == FindingKind::host_pointer_in_kernel) {
    f.message = fmt::format("{} at an address that is not device memory", what);
    f.got = foreign_address(address);
    f.want = "an address from cudaMalloc or another device allocation";
    f.next = "Check that the kernel gets the device pointer, not the host array.";
  } else {
    f.message = fmt::format("{} far from every allocation", what);
    f.got = fmt::format("address {:#x}", address);
    f.want = "an address inside an allocation";
    f.next = "Check the index computation: overflow, a negative index, or bytes for elements.";
  }
  log(context, std::move(f));
  return fatal;
}

bool report_bad_shared(const WarpContext& context, const Inst& in, std::uint32_t lanes,
                       const std::uint32_t* offsets, std::uint32_t width, AccessType type) {
  const LaunchState& launch = *context.block->launch;
  const std::uint32_t offset = offsets[std::countr_zero(lanes)];
  Finding f =
      finding_at(context, in, lanes,
                 kind_of(type, FindingKind::oob_shared_read, FindingKind::oob_shared_write));
  const SharedArray* near = nullptr;
  for (const SharedArray& array : launch.shared_arrays) {
    if (array.offset <= offset) near = &array;
  }
  const std::string what = fmt::format("{}-byte {}", width, verb(type));
  // Negative indices wrap to offsets after everything.
  const bool wrapped = offset > 0x80000000u;
  if (near == nullptr || wrapped) {
    if (launch.shared_arrays.empty()) {
      f.message = fmt::format("{} of shared memory, but the block has none", what);
      f.got = fmt::format("offset {}", static_cast<std::int32_t>(offset));
      f.want = "a __shared__ array, or a dynamic size in the launch's third parameter";
    } else {
      const SharedArray& first = launch.shared_arrays.front();
      f.message = fmt::format("{} before the start of shared array `{}`", what, first.name);
      f.got = fmt::format("byte offset {}", static_cast<std::int32_t>(offset - first.offset));
      f.want = fmt::format("an offset of 0 to {}", first.bytes - std::min(first.bytes, width));
    }
  } else {
    f.message = fmt::format("{} past the end of shared array `{}` ({})", what, near->name,
                            plural(near->bytes, "byte"));
    f.access = {.offset = offset - near->offset, .width = width, .bytes = near->bytes};
    f.got = f.access.in_words();
    f.want = near->bytes >= width ? fmt::format("an offset of 0 to {}", near->bytes - width)
                                  : "dynamic shared memory: give its size in bytes as the launch's "
                                    "third parameter";
    if (near == &launch.shared_arrays.back() &&
        launch.program->kernel->shared.bytes == near->offset) {
      f.pitfall = "P48";
    }
  }
  f.next = "Compare the index with the array's size; sizes in a launch are bytes, not elements.";
  log(context, std::move(f));
  return offset >= launch.shared_bytes;
}

void report_bad_local(const WarpContext& context, const Inst& in, std::uint32_t lanes,
                      const std::uint64_t* offsets, std::uint32_t width, AccessType type) {
  Finding f = finding_at(context, in, lanes,
                         kind_of(type, FindingKind::oob_local_read, FindingKind::oob_local_write));
  const Frame& frame = context.frame();
  f.message = fmt::format("{}-byte {} outside the thread's local arrays ({})", width, verb(type),
                          plural(frame.program->local_bytes, "byte"));
  f.got = fmt::format("byte offset {}", static_cast<std::int64_t>(offsets[std::countr_zero(lanes)] -
                                                                  frame.local_base));
  f.want = fmt::format("an offset of 0 to {}",
                       frame.program->local_bytes - std::min(frame.program->local_bytes, width));
  f.next = "Compare the index with the size of the array declared in the kernel or function.";
  log(context, std::move(f));
}

void report_misaligned(const WarpContext& context, const Inst& in, std::uint32_t lanes,
                       std::uint64_t address, std::uint32_t width, std::string_view space) {
  Finding f = finding_at(context, in, lanes, misaligned_kind(space));
  f.message = fmt::format("{}-byte {} access at an address that is not a multiple of {}", width,
                          space, width);
  f.got = fmt::format("address {:#x}, {} past a multiple of {}", address, address % width, width);
  f.want = fmt::format("an address divisible by {}", width);
  f.next =
      "A vector type such as float4 needs a pointer aligned to its size; check casts and "
      "offsets.";
  log(context, std::move(f));
}

void report_write_to_constant(const WarpContext& context, const Inst& in, std::uint32_t lanes,
                              std::uint64_t address) {
  Finding f = finding_at(context, in, lanes, FindingKind::write_to_constant);
  f.message = "write to constant memory";
  f.got = fmt::format("address {:#x}", address);
  f.want = "constant memory is filled by the host with cudaMemcpyToSymbol";
  f.next = "Use a __device__ array if kernels have to write it.";
  log(context, std::move(f));
}

void report_exit_before_barrier(const WarpContext& waiting, const Inst& at, std::uint32_t lanes,
                                const WarpContext& other, std::uint32_t gone) {
  const bool same_warp = &waiting == &other;
  const Frame& frame = [&]() -> const Frame& {
    for (const WarpSplit& split : waiting.splits) {
      if (split.state == WarpSplit::State::at_barrier && split.pc == &at + 1) return *split.frame;
    }
    return waiting.frame();
  }();
  Finding f(same_warp ? FindingKind::barrier_divergence : FindingKind::barrier_early_exit);
  f.kernel = waiting.block->launch->kernel_name;
  const SourcePlace place = source_place(*frame.program, at.index);
  f.file = place.file;
  f.line = place.line;
  f.where = describe_place(*frame.program, at);
  f.who = fmt::format("{} waits; {} has ended{}", describe_thread(waiting, std::countr_zero(lanes)),
                      describe_thread(other, std::countr_zero(gone)),
                      describe_lanes(gone, "that ended"));
  f.message = "a barrier that not all threads of the block reach";
  f.detail = FindingDetail::threads_ended;
  f.got = same_warp ? "threads of one warp ended while others of it wait here"
                    : "whole warps ended before this barrier";
  f.want = "every thread of the block at this __syncthreads()";
  f.next =
      "Move the barrier out of the branch, and let threads without work of their own stay "
      "until the last barrier instead of returning.";
  f.order = {waiting.block->launch->launch_number, waiting.block->linear, order_in_block(waiting)};
  log(waiting, std::move(f));
}

void report_barrier_mismatch(const WarpContext& context, const Inst& in,
                             const Program& first_program, const Inst& first_site) {
  Finding f = finding_at(context, in, context.warp.active, FindingKind::barrier_divergence);
  f.message = "threads of one block meet at different barriers";
  f.got = fmt::format("others wait at {}", describe_place(first_program, first_site));
  f.want = "every thread of the block at the same __syncthreads()";
  f.next = "Move the barrier out of the branches, so that both sides share one.";
  log(context, std::move(f));
}

}  // namespace warpsim

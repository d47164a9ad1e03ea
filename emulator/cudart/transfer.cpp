#include "emulator/cudart/transfer.h"

#include <cstring>
#include <optional>

#include "emulator/checkers/host_findings.h"
#include "emulator/cudart/modules.h"
#include "emulator/report/names.h"

namespace warpsim::cudart {
namespace {

using Memory = PointerView::Memory;

// The modelled time of a copy: a fixed cost and a bandwidth. The bus is PCIe 4.0 x16; pageable
// memory goes through a staging buffer and gets about half of it.
constexpr double kCopyLatencyMs = 0.005;
constexpr double kPinnedBytesPerMs = 25e6;
constexpr double kPageableBytesPerMs = 12e6;

const char* name_of(cudaMemcpyKind kind) {
  switch (kind) {
    case cudaMemcpyHostToHost:
      return "cudaMemcpyHostToHost";
    case cudaMemcpyHostToDevice:
      return "cudaMemcpyHostToDevice";
    case cudaMemcpyDeviceToHost:
      return "cudaMemcpyDeviceToHost";
    case cudaMemcpyDeviceToDevice:
      return "cudaMemcpyDeviceToDevice";
    case cudaMemcpyDefault:
      return "cudaMemcpyDefault";
  }
  return nullptr;
}

/// Bytes from the first to the last that the box touches on a side; nothing when that overflows.
std::optional<std::uint64_t> extent(const Side& side, const Box& box) {
  std::uint64_t slices = 0;
  std::uint64_t rows = 0;
  std::uint64_t total = 0;
  const bool overflow = __builtin_mul_overflow(side.slice_pitch, box.depth - 1, &slices) ||
                        __builtin_mul_overflow(side.row_pitch, box.height - 1, &rows) ||
                        __builtin_add_overflow(slices, rows, &total) ||
                        __builtin_add_overflow(total, box.width, &total) ||
                        side.address + total < side.address;
  return overflow ? std::nullopt : std::optional(total);
}

PointerView view(const Call& call, std::uint64_t address) {
  return view_pointer(call.runtime.memory, reinterpret_cast<const void*>(address));
}

/// One side of a copy holds: a live pointer and a range inside its allocation.
bool check_side(Call& call, CopyRole role, const Side& side, const PointerView& pointer,
                const Box& box) {
  const bool usable = pointer.on_device() || pointer.on_host();
  if (!usable) {
    call.runtime.report(bad_copy_pointer(call.site(), role, pointer));
    return false;
  }
  const auto bytes = extent(side, box);
  if (pointer.allocation == nullptr) return bytes.has_value();
  const auto& allocation = *pointer.allocation;
  const std::uint64_t room = allocation.size - (pointer.address - allocation.base);
  if (bytes && *bytes <= room) return true;
  call.runtime.report(out_of_bounds_copy(call.site(), role, pointer, bytes.value_or(box.width)));
  return false;
}

/// Using `&symbol` of a device variable as a pointer is reported, whatever becomes of the copy.
bool report_symbol_shadow(Call& call, CopyRole role, std::uint64_t address) {
  const auto shadow = ModuleTable::get().find_shadow(reinterpret_cast<const void*>(address));
  if (shadow.variable == nullptr || shadow.variable->managed_pointer != nullptr) return false;
  call.runtime.report(
      copy_of_symbol_shadow(call.site(), role, readable_name(shadow.variable->name)));
  return true;
}

/// The kind against the pointers. As on a card, what must be device memory is enforced; that the
/// other side is host memory is not, since addresses are unified.
bool check_direction(Call& call, cudaMemcpyKind kind, const PointerView& destination,
                     const PointerView& source) {
  if (kind == cudaMemcpyDefault) return true;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const bool fatal =
      (to_device && !destination.on_device()) || (from_device && !source.on_device());
  const bool odd = (!to_device && !destination.on_host()) || (!from_device && !source.on_host());
  if (!fatal && !odd) return true;
  call.runtime.report(wrong_copy_direction(call.site(), name_of(kind), destination, source, fatal));
  return !fatal;
}

/// Calls `row(destination offset, source offset)` for every row of the box.
template <class Row>
void for_each_row(const Side& destination, const Side& source, const Box& box, Row row) {
  for (std::uint64_t z = 0; z < box.depth; ++z) {
    for (std::uint64_t y = 0; y < box.height; ++y) {
      row(z * destination.slice_pitch + y * destination.row_pitch,
          z * source.slice_pitch + y * source.row_pitch);
    }
  }
}

/// Where the emulator finds the bytes of an address.
std::byte* host_bytes(const PointerView& pointer) {
  if (pointer.allocation == nullptr) return reinterpret_cast<std::byte*>(pointer.address);
  return pointer.allocation->host + (pointer.address - pointer.allocation->base);
}

bool tracked(const PointerView& pointer) {
  return pointer.allocation != nullptr && pointer.allocation->written != nullptr;
}

void report_unwritten(Call& call, const PointerView& source, const Side& from, const Box& box) {
  if (!call.runtime.settings.machine.checks.unwritten || !tracked(source)) return;
  std::optional<std::uint64_t> hole;
  for_each_row(from, from, box, [&](std::uint64_t offset, std::uint64_t) {
    if (hole) return;
    hole =
        call.runtime.memory.first_unwritten(*source.allocation, from.address + offset, box.width);
  });
  if (hole) call.runtime.report(unwritten_copy(call.site(), *source.allocation, *hole));
}

/// Bytes copied on the device are as written as their source was.
void copy_shadow(Runtime& runtime, const PointerView& destination, std::uint64_t to,
                 const PointerView& source, std::uint64_t from, std::uint64_t bytes) {
  if (!tracked(destination)) return;
  auto& target = *runtime.memory.find(destination.allocation->base);
  const bool all_written = !tracked(source) || source.allocation->all_written;
  if (all_written) {
    runtime.memory.mark_written(target, to, bytes);
  } else if (!target.all_written) {
    std::memmove(target.written + (to - target.base),
                 source.allocation->written + (from - source.allocation->base), bytes);
  }
}

void advance_clock(Runtime& runtime, const PointerView& destination, const PointerView& source,
                   const Box& box) {
  const auto bytes = static_cast<double>(box.width * box.height * box.depth);
  const bool on_device = destination.memory == Memory::device && source.memory == Memory::device;
  const bool pageable = destination.memory == Memory::host || source.memory == Memory::host;
  // On the device each byte is read and written.
  const double rate = on_device  ? runtime.card.memory_bandwidth / 1e3 / 2
                      : pageable ? kPageableBytesPerMs
                                 : kPinnedBytesPerMs;
  runtime.clock.advance(kCopyLatencyMs + bytes / rate);
}

void copy_now(Runtime& runtime, const Side& to, const PointerView& destination, const Side& from,
              const PointerView& source, const Box& box) {
  for_each_row(to, from, box, [&](std::uint64_t to_offset, std::uint64_t from_offset) {
    copy_shadow(runtime, destination, to.address + to_offset, source, from.address + from_offset,
                box.width);
    std::memmove(host_bytes(destination) + to_offset, host_bytes(source) + from_offset, box.width);
  });
  advance_clock(runtime, destination, source, box);
}

}  // namespace

cudaError_t copy(Call& call, const Side& to, const Side& from, const Box& box, cudaMemcpyKind kind,
                 cudaStream_t stream) {
  if (box.empty()) return cudaSuccess;
  if (name_of(kind) == nullptr) return cudaErrorInvalidMemcpyDirection;
  if (call.runtime.streams.find(stream) == nullptr) return cudaErrorInvalidResourceHandle;
  const PointerView destination = view(call, to.address);
  const PointerView source = view(call, from.address);
  const bool shadowed = report_symbol_shadow(call, CopyRole::destination, to.address) ||
                        report_symbol_shadow(call, CopyRole::source, from.address);
  if (shadowed && kind != cudaMemcpyDefault) return cudaErrorInvalidValue;
  const bool fine = check_side(call, CopyRole::destination, to, destination, box) &&
                    check_side(call, CopyRole::source, from, source, box) &&
                    check_direction(call, kind, destination, source);
  if (!fine) return cudaErrorInvalidValue;
  if (destination.on_host()) report_unwritten(call, source, from, box);
  Runtime& runtime = call.runtime;
  // A captured copy finds its allocations anew: they may be others when the graph is launched.
  return runtime.streams.submit(stream, [&runtime, to, from, box] {
    const auto now = [&](const Side& side) {
      return view_pointer(runtime.memory, reinterpret_cast<const void*>(side.address));
    };
    copy_now(runtime, to, now(to), from, now(from), box);
    return cudaSuccess;
  });
}

cudaError_t fill(Call& call, const Side& to, int value, const Box& box, cudaStream_t stream) {
  if (box.empty()) return cudaSuccess;
  if (call.runtime.streams.find(stream) == nullptr) return cudaErrorInvalidResourceHandle;
  const PointerView destination = view(call, to.address);
  if (destination.memory == Memory::host) {
    if (!report_symbol_shadow(call, CopyRole::destination, to.address)) {
      call.runtime.report(memset_of_host_memory(call.site(), destination));
    }
    return cudaErrorInvalidValue;
  }
  if (!check_side(call, CopyRole::destination, to, destination, box)) return cudaErrorInvalidValue;
  Runtime& runtime = call.runtime;
  return runtime.streams.submit(stream, [&runtime, to, value, box] {
    const PointerView target =
        view_pointer(runtime.memory, reinterpret_cast<const void*>(to.address));
    if (target.allocation == nullptr) return cudaErrorInvalidValue;
    auto& allocation = *runtime.memory.find(to.address);
    for_each_row(to, to, box, [&](std::uint64_t offset, std::uint64_t) {
      std::memset(host_bytes(target) + offset, value, box.width);
      runtime.memory.mark_written(allocation, to.address + offset, box.width);
    });
    advance_clock(runtime, target, target, box);
    return cudaSuccess;
  });
}

}  // namespace warpsim::cudart

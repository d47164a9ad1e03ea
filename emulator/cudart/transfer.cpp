#include "emulator/cudart/transfer.h"

#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "emulator/changes/changes.h"
#include "emulator/checkers/host_findings.h"
#include "emulator/cudart/byte_moves.h"
#include "emulator/cudart/call_record.h"
#include "emulator/cudart/decoy.h"
#include "emulator/cudart/modules.h"
#include "emulator/cudart/padding.h"
#include "emulator/report/names.h"

namespace warpsim::cudart {
namespace {

using Memory = PointerView::Memory;

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

/// The number of bytes from the first to the last byte of the box on a side; nothing on overflow.
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

/// The origin of a copy: a call in progress, or one that added it to a graph.
struct CopyContext {
  Runtime& runtime;
  const Call* call = nullptr;
  const char* name = nullptr;
  Frames frames = {};
  /// For a graph: memory that graphs allocate counts as allocated.
  bool for_graph = false;

  [[nodiscard]] CallSite site() const {
    return call != nullptr ? call->site() : resolve(name, frames);
  }
  [[nodiscard]] MemoryUser user() const {
    if (call == nullptr) return {.what = name, .api = name, .frames = frames};
    return {.what = call->name, .api = call->name, .frames = call->frames()};
  }
  /// The call may return before the work is done.
  [[nodiscard]] bool asynchronous() const {
    return call == nullptr || std::string_view(call->name).ends_with("Async");
  }
};

PointerView view(const CopyContext& context, std::uint64_t address) {
  PointerView pointer =
      view_pointer(context.runtime.memory, reinterpret_cast<const void*>(address));
  if (context.for_graph && pointer.memory == Memory::freed && pointer.allocation->comes_back) {
    pointer.memory = Memory::device;
  }
  return pointer;
}

/// Checks one side of a copy: a live pointer and a range inside its allocation.
bool check_side(const CopyContext& context, CopyRole role, const Side& side,
                const PointerView& pointer, const Box& box) {
  const bool usable = pointer.on_device() || pointer.on_host();
  if (!usable) {
    context.runtime.report(bad_copy_pointer(context.site(), role, pointer));
    return false;
  }
  const auto bytes = extent(side, box);
  if (pointer.allocation == nullptr) return bytes.has_value();
  const auto& allocation = *pointer.allocation;
  if (role == CopyRole::destination && GlobalMemory::read_only(current_device(), allocation)) {
    context.runtime.report(bad_copy_pointer(context.site(), role, pointer));
    return false;
  }
  const std::uint64_t room = allocation.size - (pointer.address - allocation.base);
  if (bytes && *bytes <= room) return true;
  context.runtime.report(
      out_of_bounds_copy(context.site(), role, pointer, bytes.value_or(box.width)));
  return false;
}

/// Reports `&symbol` of a device variable used as a pointer, whatever the result of the copy.
bool report_symbol_shadow(const CopyContext& context, CopyRole role, std::uint64_t address) {
  const auto shadow = ModuleTable::get().find_shadow(reinterpret_cast<const void*>(address));
  if (shadow.variable == nullptr || shadow.variable->managed_pointer != nullptr) return false;
  context.runtime.report(
      copy_of_symbol_shadow(context.site(), role, readable_name(shadow.variable->name)));
  return true;
}

/// Checks the kind against the pointers. As on a card, device memory is enforced where required;
/// host memory is not, since addresses are unified.
bool check_direction(const CopyContext& context, cudaMemcpyKind kind,
                     const PointerView& destination, const PointerView& source) {
  if (kind == cudaMemcpyDefault) return true;
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  const bool fatal =
      (to_device && !destination.on_device()) || (from_device && !source.on_device());
  const bool odd = (!to_device && !destination.on_host()) || (!from_device && !source.on_host());
  if (!fatal && !odd) return true;
  if (Changes* changes = context.runtime.settings.machine.changes.get()) {
    if (const Change* change = changes->find(Change::Kind::direction)) {
      changes->made(*change);
      return true;  // an experiment: the pointers decide
    }
  }
  context.runtime.report(
      wrong_copy_direction(context.site(), name_of(kind), destination, source, fatal));
  return !fatal;
}

bool tracked(const PointerView& pointer) {
  return pointer.allocation != nullptr && pointer.allocation->written != nullptr;
}

/// Whether uninitialized bytes may be padding of a struct, as in copies by Thrust's searches. In
/// larger data, or data copied by cudaMemcpy, they are more likely an element that was left out.
bool may_be_padding(const CopyContext& context, const std::uint8_t* written, std::uint64_t bytes) {
  constexpr std::uint64_t kLargestStruct = 64;
  constexpr std::uint64_t kMember = 8;
  if (bytes > kLargestStruct || context.site().api != "cudaMemcpyAsync") return false;
  for (std::uint64_t member = 0; member < bytes; member += kMember) {
    if (written[member] == 0) return false;
  }
  return true;
}

void report_unwritten(const CopyContext& context, const PointerView& source, const Side& from,
                      const Box& box) {
  if (!context.runtime.settings.machine.checks.unwritten || !tracked(source)) return;
  std::optional<std::uint64_t> hole;
  for_each_row(from, from, box, [&](std::uint64_t offset, std::uint64_t) {
    if (hole) return;
    hole = context.runtime.memory.first_unwritten(*source.allocation, from.address + offset,
                                                  box.width);
    if (!hole) return;
    const std::span<const std::uint8_t> shadow(source.allocation->written, source.allocation->size);
    hole = first_hole(shadow, *hole, from.address + offset + box.width - source.allocation->base);
  });
  if (!hole) return;
  const std::uint64_t first = from.address - source.allocation->base;
  if (box.height * box.depth == 1 &&
      may_be_padding(context, source.allocation->written + first, box.width)) {
    return;
  }
  context.runtime.report(unwritten_copy(context.site(), *source.allocation, *hole));
}

/// Bytes copied on the device are initialized if their source is.
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

/// The devices of a copy between two.
std::optional<DevicePair> devices_of(const PointerView& destination, const PointerView& source) {
  if (destination.memory != Memory::device || source.memory != Memory::device) return std::nullopt;
  const DevicePair pair = {.from = source.allocation->device, .to = destination.allocation->device};
  return pair.from != pair.to ? std::optional(pair) : std::nullopt;
}

/// Managed memory counts as the host's where the other side is the device's, and as the device's
/// otherwise: a copy between the two crosses the link.
CopyDirection direction_of(const PointerView& destination, const PointerView& source) {
  const auto on_host = [](const PointerView& side) {
    return side.memory == Memory::host || side.memory == Memory::pinned;
  };
  if (devices_of(destination, source)) return CopyDirection::between_devices;
  if (destination.memory == Memory::device && source.memory == Memory::device) {
    return CopyDirection::on_device;
  }
  if (destination.memory == Memory::device) return CopyDirection::to_device;
  if (source.memory == Memory::device) return CopyDirection::to_host;
  if (on_host(source) && on_host(destination)) return CopyDirection::on_host;
  return on_host(source) ? CopyDirection::to_device : CopyDirection::to_host;
}

void copy_now(Runtime& runtime, const Side& to, const PointerView& destination, const Side& from,
              const PointerView& source, const Box& box) {
  for_each_row(to, from, box, [&](std::uint64_t to_offset, std::uint64_t from_offset) {
    copy_shadow(runtime, destination, to.address + to_offset, source, from.address + from_offset,
                box.width);
  });
  const Place there = place_of(destination, to);
  const Place here = place_of(source, from);
  if (runtime.decoy != nullptr) {
    move_through_buffer(there, here, box,
                        [&](std::span<std::byte> row, std::uint64_t z, std::uint64_t y) {
                          runtime.decoy->exchange(row, destination, to.from_row(z, y).address,
                                                  source, from.from_row(z, y).address);
                        });
  } else if (there.of_program && here.of_program) {
    move_through_buffer(there, here, box, nullptr);  // the two may overlap
  } else {
    move_box(there, here, box);
  }
}

}  // namespace

namespace {

struct Copy {
  Side to, from;
  Box box;
  cudaMemcpyKind kind;
};

/// The checks that do not depend on earlier work.
cudaError_t check_copy(const CopyContext& context, const Copy& copy) {
  const PointerView destination = view(context, copy.to.address);
  const PointerView source = view(context, copy.from.address);
  // The harness reads memory and changes none: inputs that the call has changed stay so.
  const bool is_over = context.runtime.announced.state() == AnnouncedCall::State::over;
  if (is_over && !destination.on_host()) return cudaErrorNotPermitted;
  const bool shadowed = report_symbol_shadow(context, CopyRole::destination, copy.to.address) ||
                        report_symbol_shadow(context, CopyRole::source, copy.from.address);
  if (shadowed && copy.kind != cudaMemcpyDefault) return cudaErrorInvalidValue;
  const bool fine = check_side(context, CopyRole::destination, copy.to, destination, copy.box) &&
                    check_side(context, CopyRole::source, copy.from, source, copy.box) &&
                    check_direction(context, copy.kind, destination, source);
  return fine ? cudaSuccess : cudaErrorInvalidValue;
}

/// Whether the copy, and so earlier work in its stream, is complete when the call returns.
bool host_waits(const CopyContext& context, const PointerView& destination,
                const PointerView& source) {
  const bool pageable = destination.memory == Memory::host || source.memory == Memory::host;
  if (!context.asynchronous()) {
    return destination.memory != Memory::device || source.memory != Memory::device;
  }
  // Into pageable memory, and within host memory; but not for a graph node.
  return context.call != nullptr && pageable && destination.on_host() &&
         (destination.memory == Memory::host || source.on_host());
}

/// Records this side of a copy or memset as in use until the host waits for it.
void note_use(const CopyContext& context, const PointerView& pointer, const Side& side,
              const Box& box, bool written) {
  Runtime& runtime = context.runtime;
  if (!runtime.watch.enabled() || pointer.allocation == nullptr) return;
  if (!pointer.on_host() && !runtime.follows_device_memory()) return;
  const std::uint8_t how = MemoryUse::kPlain | (written ? MemoryUse::kWritten : MemoryUse::kRead);
  std::vector<MemoryUse> uses;
  for_each_row(side, side, box, [&](std::uint64_t offset, std::uint64_t) {
    const std::uint64_t begin = side.address + offset;
    const MemoryUse use = {.begin = begin, .end = begin + box.width, .how = how};
    if (!uses.empty() && uses.back().continues_as(use)) {
      uses.back().end = use.end;
    } else {
      uses.push_back(use);
    }
  });
  runtime.note_uses(uses, context.user());
}

std::vector<CopiedRow> rows_of(const Side& to, const Side& from, const Box& box) {
  std::vector<CopiedRow> rows;
  for_each_row(to, from, box, [&](std::uint64_t to_offset, std::uint64_t from_offset) {
    rows.push_back({to.address + to_offset, from.address + from_offset, box.width});
  });
  return rows;
}

void follow_copy(const CopyContext& context, const Copy& copy, const PointerView& destination,
                 const PointerView& source) {
  DataFlow& flow = context.runtime.data_flow;
  if (!flow.running()) return;
  const MemoryUser user = context.user();
  flow.copied({.api = user.api,
               .frames = user.frames,
               .from_host = source.on_host(),
               .to_host = destination.on_host(),
               .rows = rows_of(copy.to, copy.from, copy.box)});
}

/// What the device puts into host memory, row by row.
void note_sent(Runtime& runtime, const Side& to, const Side& from, const Box& box,
               const GlobalMemory::Allocation& source) {
  if (runtime.sent == nullptr) return;
  for_each_row(to, from, box, [&](std::uint64_t to_offset, std::uint64_t from_offset) {
    const std::byte* row = source.host + (from.address + from_offset - source.base);
    runtime.sent->add(to.address + to_offset, {row, box.width});
  });
}

void place_copy(const CopyContext& context, const Copy& copy, const PointerView& destination,
                const PointerView& source, bool host_waits) {
  ModelledTime& time = context.runtime.time;
  for (const auto& [pointer, side] : {std::pair(&destination, &copy.to), {&source, &copy.from}}) {
    if (pointer->memory != Memory::managed) continue;
    time.host_needs(*pointer->allocation, side->address,
                    side->address + extent(*side, copy.box).value_or(0));
  }
  const bool adjoin = rows_adjoin(copy.to, copy.box) && rows_adjoin(copy.from, copy.box);
  const auto sectors = [&](const PointerView& pointer, const Side& side) {
    const bool in_device_memory = pointer.on_device() && pointer.memory != Memory::pinned;
    return in_device_memory ? count_sectors(side, copy.box, adjoin) : 0;
  };
  time.copy({.api = context.user().api,
             .transfer = {.direction = direction_of(destination, source),
                          .bytes = copy.box.width * copy.box.height * copy.box.depth,
                          .pageable =
                              destination.memory == Memory::host || source.memory == Memory::host},
             .sectors_read = sectors(source, copy.from),
             .sectors_written = sectors(destination, copy.to),
             .between = devices_of(destination, source),
             .host_waits = host_waits});
}

void run_copy(const CopyContext& context, const Copy& copy) {
  const PointerView destination = view(context, copy.to.address);
  const PointerView source = view(context, copy.from.address);
  if (destination.on_host()) report_unwritten(context, source, copy.from, copy.box);
  if (source.allocation != nullptr) {
    for_each_row(copy.from, copy.from, copy.box, [&](std::uint64_t offset, std::uint64_t) {
      const std::uint64_t begin = copy.from.address + offset;
      context.runtime.machine.read_by_copy(begin, begin + copy.box.width);
    });
  }
  CallRecord* const record = context.runtime.recording();
  const MemoryUser user = context.user();
  const AskedBy by = {user.api, user.frames};
  const CallRecord::Copy recorded = {copy.to, copy.from, copy.box, destination, source, by};
  if (record != nullptr) record->copies(recorded);
  copy_now(context.runtime, copy.to, destination, copy.from, source, copy.box);
  if (destination.on_host() && source.allocation != nullptr && !source.allocation->on_host()) {
    note_sent(context.runtime, copy.to, copy.from, copy.box, *source.allocation);
  }
  if (record != nullptr) record->copied(recorded);
  follow_copy(context, copy, destination, source);
  note_use(context, source, copy.from, copy.box, false);
  note_use(context, destination, copy.to, copy.box, true);
  const bool waits = host_waits(context, destination, source);
  place_copy(context, copy, destination, source, waits);
  if (waits) context.runtime.completed(context.runtime.streams.running().done);
}

struct Fill {
  Side to;
  std::uint32_t value;
  unsigned element_bytes;
  Box box;
};

cudaError_t check_fill(const CopyContext& context, const Fill& fill) {
  const PointerView destination = view(context, fill.to.address);
  if (destination.memory == Memory::host) {
    if (!report_symbol_shadow(context, CopyRole::destination, fill.to.address)) {
      context.runtime.report(memset_of_host_memory(context.site(), destination));
    }
    return cudaErrorInvalidValue;
  }
  const bool fine = check_side(context, CopyRole::destination, fill.to, destination, fill.box);
  return fine ? cudaSuccess : cudaErrorInvalidValue;
}

void run_fill(const CopyContext& context, const Fill& fill) {
  Runtime& runtime = context.runtime;
  auto& allocation = *runtime.memory.find(fill.to.address);
  for_each_row(fill.to, fill.to, fill.box, [&](std::uint64_t offset, std::uint64_t) {
    const std::uint64_t address = fill.to.address + offset;
    std::byte* row = allocation.host + (address - allocation.base);
    for (std::uint64_t x = 0; fill.element_bytes > 1 && x < fill.box.width;
         x += fill.element_bytes) {
      std::memcpy(row + x, &fill.value, fill.element_bytes);
    }
    if (fill.element_bytes == 1) {
      std::memset(row, static_cast<int>(fill.value & 0xff), fill.box.width);
    }
    runtime.memory.mark_written(allocation, address, fill.box.width);
  });
  if (allocation.on_host()) note_sent(runtime, fill.to, fill.to, fill.box, allocation);
  if (CallRecord* const record = runtime.recording()) {
    const MemoryUser user = context.user();
    record->filled({.to = fill.to,
                    .box = fill.box,
                    .value = fill.value,
                    .element_bytes = fill.element_bytes,
                    .by = {user.api, user.frames}});
  }
  const PointerView target =
      view_pointer(runtime.memory, reinterpret_cast<const void*>(fill.to.address));
  runtime.time.fill(context.user().api, fill.box.width * fill.box.height * fill.box.depth,
                    count_sectors(fill.to, fill.box, rows_adjoin(fill.to, fill.box)));
  if (runtime.data_flow.running()) {
    const MemoryUser user = context.user();
    runtime.data_flow.filled(user.api, user.frames, rows_of(fill.to, fill.to, fill.box));
  }
  note_use(context, target, fill.to, fill.box, true);
  if (!context.asynchronous() && target.on_host()) {
    runtime.waited_for(runtime.streams.running().done, context.user().api);
  }
}

/// Work for a graph: everything is checked when the graph is made, as the real runtime does, and
/// again when it is launched, since allocations may have been freed.
template <class Check, class Run>
Work checked_work(Call& call, cudaGraphNodeType type, Check check, Run run) {
  const CopyContext later = {.runtime = call.runtime, .name = call.name, .frames = call.frames()};
  return {.type = type, .run = [=] {
            if (const cudaError_t error = check(later)) return error;
            run(later);
            return cudaSuccess;
          }};
}

/// @param also_on  as of Work
template <class Check, class Run>
cudaError_t put_into_stream(Call& call, cudaGraphNodeType type, cudaStream_t stream, Check check,
                            Run run, std::vector<int> also_on = {}) {
  const bool capturing = call.runtime.streams.capturing(stream);
  const CopyContext now = {.runtime = call.runtime, .call = &call, .for_graph = capturing};
  if (const cudaError_t error = check(now)) return error;
  Work work;
  if (call.runtime.streams.defers(stream)) {
    work = checked_work(call, type, check, run);
  } else {
    work = {.type = type, .run = [&] {
              run(now);
              return cudaSuccess;
            }};
  }
  work.also_on = std::move(also_on);
  return call.runtime.streams.submit(stream, std::move(work));
}

cudaError_t make_work(Call& call, cudaGraphNodeType type, Work& work, const auto& check,
                      const auto& run) {
  const CopyContext now = {.runtime = call.runtime, .call = &call, .for_graph = true};
  if (const cudaError_t error = check(now)) return error;
  work = checked_work(call, type, check, run);
  return cudaSuccess;
}

auto copy_steps(const Copy& copy) {
  return std::pair{[copy](const CopyContext& context) { return check_copy(context, copy); },
                   [copy](const CopyContext& context) { run_copy(context, copy); }};
}

auto fill_steps(const Fill& fill) {
  return std::pair{[fill](const CopyContext& context) { return check_fill(context, fill); },
                   [fill](const CopyContext& context) { run_fill(context, fill); }};
}

}  // namespace

namespace {

PointerView view(const Runtime& runtime, const Side& side) {
  return view_pointer(runtime.memory, reinterpret_cast<const void*>(side.address));
}

/// A copy in the legacy default stream is as if it were in those of all devices whose memory it
/// uses (measured on two H100). @returns the other devices
std::vector<int> other_devices(Runtime& runtime, const Side& to, const Side& from,
                               cudaStream_t stream) {
  if (runtime.settings.devices == 1) return {};
  const Stream* in = runtime.streams.find(stream);
  if (in == nullptr || !runtime.streams.is_legacy(*in)) return {};
  std::vector<int> others;
  for (const Side* side : {&to, &from}) {
    const PointerView pointer = view(runtime, *side);
    if (pointer.memory != Memory::device) continue;
    const int device = pointer.allocation->device;
    if (device != runtime.device_of(stream)) others.push_back(device);
  }
  return others;
}

bool uses_pageable_memory(const Runtime& runtime, const Side& to, const Side& from) {
  const auto pageable = [&](const Side& side) {
    return view(runtime, side).memory == Memory::host;
  };
  return pageable(to) || pageable(from);
}

}  // namespace

cudaError_t copy(Call& call, const Side& to, const Side& from, const Box& box, cudaMemcpyKind kind,
                 cudaStream_t stream) {
  if (box.empty()) return cudaSuccess;
  if (name_of(kind) == nullptr) return cudaErrorInvalidMemcpyDirection;
  if (call.runtime.streams.find(stream) == nullptr) return cudaErrorInvalidResourceHandle;
  if (call.runtime.streams.kernel_waits() && call.runtime.streams.would_wait(stream) &&
      uses_pageable_memory(call.runtime, to, from)) {
    // The program may reuse that memory after the call.
    call.runtime.streams.ask_to_wait();
    return cudaSuccess;
  }
  const auto [check, run] = copy_steps({to, from, box, kind});
  return put_into_stream(call, cudaGraphNodeTypeMemcpy, stream, check, run,
                         other_devices(call.runtime, to, from, stream));
}

cudaError_t copy_work(Call& call, const Side& to, const Side& from, const Box& box,
                      cudaMemcpyKind kind, Work& work) {
  if (box.empty()) return cudaErrorInvalidValue;
  if (name_of(kind) == nullptr) return cudaErrorInvalidMemcpyDirection;
  const auto [check, run] = copy_steps({to, from, box, kind});
  return make_work(call, cudaGraphNodeTypeMemcpy, work, check, run);
}

cudaError_t fill(Call& call, const Side& to, int value, const Box& box, cudaStream_t stream,
                 unsigned element_bytes) {
  if (box.empty()) return cudaSuccess;
  if (call.runtime.streams.find(stream) == nullptr) return cudaErrorInvalidResourceHandle;
  const int device = call.runtime.device_of(stream);
  if (const PointerView target = view(call.runtime, to);
      target.allocation != nullptr && target.on_device() &&
      !call.runtime.memory.reaches(device, *target.allocation)) {
    call.runtime.report(memset_without_peer_access(call.site(), target, device));
    return cudaErrorInvalidValue;
  }
  const auto [check, run] = fill_steps({to, static_cast<std::uint32_t>(value), element_bytes, box});
  return put_into_stream(call, cudaGraphNodeTypeMemset, stream, check, run);
}

cudaError_t fill_work(Call& call, const Side& to, std::uint32_t value, unsigned element_bytes,
                      const Box& box, Work& work) {
  const bool known = element_bytes == 1 || element_bytes == 2 || element_bytes == 4;
  if (box.empty() || !known || to.address % element_bytes != 0) return cudaErrorInvalidValue;
  const auto [check, run] = fill_steps({to, value, element_bytes, box});
  return make_work(call, cudaGraphNodeTypeMemset, work, check, run);
}

}  // namespace warpsim::cudart

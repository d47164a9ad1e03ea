#include <algorithm>
#include <optional>
#include <string_view>

#include "emulator/checkers/host_findings.h"
#include "emulator/cudart/call_record.h"
#include "emulator/cudart/capture.h"
#include "emulator/cudart/change_size.h"
#include "emulator/cudart/finish.h"
#include "emulator/cudart/graph_memory.h"
#include "emulator/cudart/memory.h"

// Memory of the device, and managed memory: allocating and freeing.

namespace warpsim::cudart {

using Kind = GlobalMemory::Kind;

namespace {

constexpr std::uint64_t kPitchAlignment =
    512;  // measured: a width of 513 bytes has a pitch of 1024

/// @param api  names the allocation in messages
cudaError_t allocate(Call& call, void** pointer, std::uint64_t size, Kind kind,
                     std::string_view api, int device = current_device()) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  if (const cudaError_t error = refuse_while_capturing(call)) return error;
  *pointer = nullptr;
  if (size == 0) return cudaSuccess;
  Runtime& runtime = call.runtime;
  const auto* allocation =
      runtime.allocations.allocate(runtime.memory, size, kind, device, api, call.frames());
  if (allocation == nullptr) return cudaErrorMemoryAllocation;
  *pointer = reinterpret_cast<void*>(allocation->base);
  return cudaSuccess;
}

cudaError_t allocate_rows(Call& call, void** pointer, size_t* pitch, size_t width, size_t rows,
                          std::string_view api) {
  if (pointer == nullptr || pitch == nullptr) return cudaErrorInvalidValue;
  if (width > SIZE_MAX - kPitchAlignment) return cudaErrorInvalidValue;
  *pitch = (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
  size_t bytes = 0;
  if (__builtin_mul_overflow(*pitch, rows, &bytes)) return cudaErrorMemoryAllocation;
  return allocate(call, pointer, bytes, Kind::device, api);
}

/// The function that frees what the pointer points to, if any does.
std::string_view freeing_api(const PointerView& view) {
  if (view.allocation == nullptr || view.allocation->module_owned) return {};
  if (view.allocation->mapped) return "cuMemUnmap";
  switch (view.allocation->kind) {
    case Kind::pinned:
      return "cudaFreeHost";
    case Kind::registered:
      return "cudaHostUnregister";
    default:
      return "cudaFree";
  }
}

/// Orders an allocation or a free in a stream: uses of the memory come after the allocation and
/// before the free.
void take_turn(Call& call, const GlobalMemory::Allocation& allocation, cudaStream_t stream) {
  Runtime& runtime = call.runtime;
  if (!runtime.streams.any_unordered()) return;
  const MemoryUse all = {.begin = allocation.base,
                         .end = allocation.base + allocation.size,
                         .how = MemoryUse::kWritten | MemoryUse::kPlain};
  (void)runtime.streams.submit(
      stream, {.run = [&] {
        runtime.note_uses({all}, {.what = call.name, .api = call.name, .frames = call.frames()});
        return cudaSuccess;
      }});
}

/// @param wanted  the name of the freeing function: "cudaFree", "cudaFreeHost"
/// @param in_order_of  a stream; without one, the call waits for the device
cudaError_t release(Call& call, void* pointer, std::string_view wanted,
                    std::optional<cudaStream_t> in_order_of = std::nullopt) {
  if (pointer == nullptr) return cudaSuccess;
  if (const cudaError_t error = refuse_while_capturing(call)) return error;
  Runtime& runtime = call.runtime;
  const PointerView view = view_pointer(runtime.memory, pointer);
  if (view.memory == PointerView::Memory::freed && view.address == view.allocation->base) {
    runtime.report(double_free(call.site(), *view.allocation));
    return cudaErrorInvalidValue;
  }
  const std::string_view fitting = freeing_api(view);
  const bool at_start = view.allocation != nullptr && view.address == view.allocation->base;
  if (fitting != wanted || !at_start) {
    runtime.report(invalid_free(call.site(), view, fitting == wanted ? "" : fitting));
    return cudaErrorInvalidValue;
  }
  if (!in_order_of || view.memory != PointerView::Memory::device) {
    if (view.memory == PointerView::Memory::device) {
      runtime.waited(call.name, view.allocation->device);
    } else {
      runtime.waited_for_all(call.name);
    }
  } else {
    take_turn(call, *view.allocation, *in_order_of);
    runtime.stream_races.forget(view.address, view.address + view.allocation->size);
  }
  note_pool_use(*view.allocation, false);
  runtime.allocations.forget(view.address);
  // The place of the call is looked up when a finding needs it: that loads a library.
  (void)runtime.memory.free(view.address, [name = call.name, frames = call.frames()] {
    return describe(resolve(name, frames));
  });
  return cudaSuccess;
}

}  // namespace

cudaError_t allocate_pinned(Call& call, void** pointer, std::uint64_t size, std::string_view api) {
  return allocate(call, pointer, size, Kind::pinned, api);
}

cudaError_t allocate_ordered(Call& call, void** pointer, std::uint64_t size, cudaStream_t stream,
                             const PoolMemory& pool) {
  if (call.runtime.streams.find(stream) == nullptr) return cudaErrorInvalidResourceHandle;
  if (call.runtime.streams.capturing(stream))
    return capture_allocation(call, pointer, size, stream);
  const cudaError_t error = allocate(call, pointer, size, Kind::device, call.name, pool.device);
  if (error != cudaSuccess || size == 0) return error;
  GlobalMemory::Allocation& allocation =
      *call.runtime.memory.find(reinterpret_cast<std::uint64_t>(*pointer));
  allocation.pool_access = pool.access;
  note_pool_use(allocation, true);
  take_turn(call, allocation, stream);
  return cudaSuccess;
}

cudaError_t release_pinned(Call& call, void* pointer) {
  return release(call, pointer, "cudaFreeHost");
}

}  // namespace warpsim::cudart

using namespace warpsim::cudart;

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t size) {
  return api(__func__, [&](Call& call) {
    const auto bytes = changed_size(call.runtime, warpsim::Change::Kind::more_allocated, size, {});
    return allocate(call, pointer, bytes, Kind::device, call.name);
  });
}

cudaError_t cudaMallocManaged(void** pointer, size_t size, unsigned flags) {
  return api(__func__, [&](Call& call) {
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) return cudaErrorInvalidValue;
    return allocate(call, pointer, size, Kind::managed, call.name);
  });
}

cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  return api(__func__, [&](Call& call) {
    return allocate_rows(call, pointer, pitch, width, height, call.name);
  });
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pitched, cudaExtent extent) {
  return api(__func__, [&](Call& call) {
    size_t rows = 0;
    if (pitched == nullptr) return cudaErrorInvalidValue;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) return cudaErrorInvalidValue;
    pitched->xsize = extent.width;
    pitched->ysize = extent.height;
    return allocate_rows(call, &pitched->ptr, &pitched->pitch, extent.width, rows, call.name);
  });
}

cudaError_t cudaFree(void* pointer) {
  return api(__func__, [&](Call& call) { return release(call, pointer, "cudaFree"); });
}

/// Work runs in call order, so memory is allocated before its stream's next work, and no longer
/// used by earlier work when it is freed.
cudaError_t cudaMallocAsync(void** pointer, size_t size, cudaStream_t stream) {
  return api(__func__, [&](Call& call) {
    const int device = call.runtime.device_of(stream);
    return allocate_ordered(call, pointer, size, stream, current_pool(device));
  });
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return api(__func__, [&](Call& call) {
    if (call.runtime.streams.find(stream) == nullptr) return cudaErrorInvalidResourceHandle;
    if (call.runtime.streams.capturing(stream)) return capture_free(call, pointer, stream);
    return release(call, pointer, "cudaFree", stream);
  });
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return api(__func__, [&](Call& call) {
    const auto& memory = call.runtime.memory;
    if (free != nullptr) *free = memory.capacity() - memory.bytes_in_use(current_device());
    if (total != nullptr) *total = memory.capacity();
    // Kernels may allocate memory, too.
    if (CallRecord* const record = call.runtime.recording()) record->host_learns(sizeof *free);
    return cudaSuccess;
  });
}

}  // extern "C"

WARPSIM_TWIN(cudaMallocAsync, _ptsz)
WARPSIM_TWIN(cudaFreeAsync, _ptsz)

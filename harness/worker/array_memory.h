#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "harness/worker/device_buffer.h"
#include "harness/worker/host_buffer.h"
#include "harness/worker/request.h"

namespace warpgrade::worker {

/// Host memory of a buffer, page-locked during this object's lifetime.
class PinnedRange {
 public:
  /// @throws std::runtime_error  with CUDA's message
  PinnedRange(const HostBuffer& buffer, bool mapped);
  ~PinnedRange();
  PinnedRange(const PinnedRange&) = delete;
  PinnedRange& operator=(const PinnedRange&) = delete;

 private:
  std::byte* address_ = nullptr;  // null if there is nothing to lock
};

/// The memory of an array argument: host memory between guards, pageable or page-locked, or device
/// or managed memory.
class ArrayMemory {
 public:
  /// @throws std::runtime_error, std::bad_alloc  if there is not enough
  explicit ArrayMemory(const Argument& argument);

  [[nodiscard]] std::byte* data() const;
  /// Null if the array is not in host memory between guards.
  [[nodiscard]] const HostBuffer* host() const { return host_.get(); }
  /// Null for such an array.
  [[nodiscard]] DeviceBuffer* device() const { return device_.get(); }

  /// Copies to the array's beginning from host memory.
  void set(std::span<const std::byte> bytes);
  /// Copies from byte `first` on. False if the device is in an error state or the memory is gone.
  [[nodiscard]] bool get(std::span<std::byte> bytes, std::size_t first = 0) const;
  /// Makes host memory read-only: a later write ends the process.
  void freeze();

 private:
  std::unique_ptr<HostBuffer> host_;
  std::unique_ptr<PinnedRange> pinned_;  // released before the memory
  std::unique_ptr<DeviceBuffer> device_;
};

}  // namespace warpgrade::worker

#pragma once

#include <cstddef>
#include <span>

namespace warpgrade::worker {

/// Device or managed memory of exactly the requested size, so that the first byte after it is out
/// of bounds.
class DeviceBuffer {
 public:
  /// @param offset  bytes before data(), to misalign it
  /// @throws std::runtime_error  with CUDA's message
  DeviceBuffer(std::size_t size, std::size_t offset, bool managed = false);
  ~DeviceBuffer();
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  [[nodiscard]] std::byte* data() const { return base_ + offset_; }
  void upload(std::span<const std::byte> bytes);
  /// Copies from byte `first` on. False if the device is in an error state (a kernel faulted), or
  /// the memory was released.
  [[nodiscard]] bool download(std::span<std::byte> bytes, std::size_t first = 0) const;

  /// Releases the memory of all buffers; after that nothing can be downloaded.
  static void release_all();

 private:
  void release();

  std::byte* base_ = nullptr;
  std::size_t offset_;
  bool released_ = false;
};

}  // namespace warpgrade::worker

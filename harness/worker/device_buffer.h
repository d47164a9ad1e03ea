#pragma once

#include <cstddef>
#include <span>

namespace warpgrade::worker {

/// Device memory of exactly the bytes asked for, so that the first byte behind is out of bounds.
class DeviceBuffer {
 public:
  /// @param offset  bytes before data(), to misalign it
  /// @throws std::runtime_error  with CUDA's message
  DeviceBuffer(std::size_t size, std::size_t offset);
  ~DeviceBuffer();
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  [[nodiscard]] std::byte* data() const { return base_ + offset_; }
  void upload(std::span<const std::byte> bytes);
  /// Copies what lies from byte `first` on. False when the device is in no state to answer (a
  /// kernel faulted), or the memory was given back.
  [[nodiscard]] bool download(std::span<std::byte> bytes, std::size_t first = 0) const;

  /// Gives back the memory of every buffer there is; from then on nothing can be downloaded.
  static void release_all();

 private:
  void release();

  std::byte* base_ = nullptr;
  std::size_t offset_;
  bool released_ = false;
};

}  // namespace warpgrade::worker

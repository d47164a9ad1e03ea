#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/worker/device_buffer.h"
#include "harness/worker/host_buffer.h"
#include "harness/worker/request.h"

namespace warpgrade::worker {

/// An input's file, longer than the input, so that there are many different parts of its length.
/// Of an input on the device all of it is there, so that a call's part is made by a copy.
class InputFile {
 public:
  /// @throws std::runtime_error  when the file cannot be read or the device has no room
  InputFile(const std::string& file, bool on_device);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Bytes `first` to `first + size`, where the input is: host or device memory.
  /// @throws std::runtime_error  when they are not all in it
  [[nodiscard]] std::span<const std::byte> part(std::size_t first, std::size_t size) const;

 private:
  void* map_ = nullptr;
  std::size_t size_ = 0;
  std::unique_ptr<DeviceBuffer> copy_;
  const std::byte* begin_ = nullptr;
};

/// An argument of one timed call: a scalar, an input with its content, or an output with poison.
class TimedArgument {
 public:
  /// @param argument  outlives this
  /// @param input     of an input, its content, in the same kind of memory; else empty
  /// @throws std::runtime_error, std::bad_alloc
  TimedArgument(const Argument& argument, std::span<const std::byte> input);

  /// What the call gets: the address of its value.
  [[nodiscard]] void* slot() { return slot_.data(); }

  /// After the last clock was read: what a host thread writes later must not count.
  void freeze();

  /// Writes the output to a file; false when the device does not answer.
  /// @throws std::runtime_error  when the file cannot be written
  [[nodiscard]] bool save(const std::string& file) const;

 private:
  void poison();

  const Argument& argument_;
  std::unique_ptr<HostBuffer> host_;
  std::unique_ptr<DeviceBuffer> device_;
  std::vector<std::byte> slot_;
};

}  // namespace warpgrade::worker

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/worker/array_memory.h"
#include "harness/worker/device_buffer.h"
#include "harness/worker/request.h"
#include "harness/worker/stream_argument.h"

namespace warpgrade::worker {

/// An input's file, longer than the input, so that it has many different windows of the input's
/// length. For a device input the whole file is in device memory, so that a call's window is copied
/// there.
class InputFile {
 public:
  /// @throws std::runtime_error  if the file cannot be read or the device is out of memory
  InputFile(const std::string& file, bool on_device);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  /// Bytes `first` to `first + size`, in the input's memory: host or device.
  /// @throws std::runtime_error  if they are not all in it
  [[nodiscard]] std::span<const std::byte> part(std::size_t first, std::size_t size) const;
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  void* map_ = nullptr;
  std::size_t size_ = 0;
  std::unique_ptr<DeviceBuffer> copy_;
  const std::byte* begin_ = nullptr;
};

/// An argument of one timed call: a scalar, an input with its content, or an output with poison.
class TimedArgument {
 public:
  /// @param argument  must outlive this
  /// @param input     for an input, its content, in the same kind of memory; otherwise empty
  /// @throws std::runtime_error, std::bad_alloc
  TimedArgument(const Argument& argument, std::span<const std::byte> input);

  /// An array's; null for other arguments.
  [[nodiscard]] std::byte* data() const { return memory_ == nullptr ? nullptr : memory_->data(); }
  /// The address of the value for the call.
  [[nodiscard]] void* slot() { return slot_.data(); }
  /// Null unless it is a stream.
  [[nodiscard]] const StreamArgument* stream() const { return stream_.get(); }

  /// Call after the last clock reading: later writes of host threads must not count.
  void freeze();

  /// Writes the output to a file; false if the device has failed.
  /// @throws std::runtime_error  if the file cannot be written
  [[nodiscard]] bool save(const std::string& file) const;

 private:
  void poison();

  const Argument& argument_;
  std::unique_ptr<ArrayMemory> memory_;
  std::unique_ptr<StreamArgument> stream_;
  std::vector<std::byte> slot_;
};

}  // namespace warpgrade::worker

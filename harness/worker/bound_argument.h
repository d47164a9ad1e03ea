#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "harness/worker/array_memory.h"
#include "harness/worker/request.h"
#include "harness/worker/stream_argument.h"

namespace warpgrade::worker {

class RecordWriter;

/// An argument with its memory.
class BoundArgument {
 public:
  /// Allocates, loads the input from its open file or poisons the output.
  /// @throws std::runtime_error  if the input file is incomplete or memory is exhausted
  explicit BoundArgument(const Argument& argument);

  /// Where the argument's value (a pointer or a scalar) is.
  [[nodiscard]] void* slot() { return slot_.data(); }
  [[nodiscard]] const Argument& argument() const { return argument_; }
  [[nodiscard]] const HostBuffer* host() const {
    return memory_ == nullptr ? nullptr : memory_->host();
  }
  /// Null unless it is a stream.
  [[nodiscard]] const StreamArgument* stream() const { return stream_.get(); }
  /// The array's first byte, in host or device memory; null for a scalar.
  [[nodiscard]] const std::byte* data() const;

  /// For a function that is called with a stream: an input in device memory holds other values
  /// until a copy in this stream has set it.
  void arrive_in(cudaStream_t stream);
  /// Makes an output in host memory read-only: a thread that writes after the call ends the
  /// process.
  void freeze();
  /// After the call: records changed inputs and canaries, writes the output to its open file unless
  /// another process delivers it.
  /// @throws std::runtime_error  if an output cannot be written
  void finish(RecordWriter& record) const;

 private:
  void report_input_change(std::span<const std::byte> now, RecordWriter& record) const;
  void report_damage(const char* side, const CanaryDamage& damage, RecordWriter& record) const;

  const Argument& argument_;
  std::vector<std::byte> initial_;  // the array's bytes before the call
  std::unique_ptr<ArrayMemory> memory_;
  std::unique_ptr<DeviceBuffer> staged_;  // the source of the copy in the stream
  std::unique_ptr<StreamArgument> stream_;
  std::vector<std::byte> slot_;
};

}  // namespace warpgrade::worker

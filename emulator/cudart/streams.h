#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

namespace warpsim::cudart {

/// A piece of work that was put into a stream: it runs at once, or when a graph that captured it is
/// launched, so it owns everything it needs.
using Operation = std::function<cudaError_t()>;

/// What a capture recorded, in call order. Streams that join the capture through an event append to
/// the same list: any order that respects the events is right, and call order does.
struct Capture {
  std::uint64_t id = 0;
  cudaStream_t origin = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  std::vector<Operation> operations;
  bool invalidated = false;  // by a call that cannot be captured
};

struct Stream {
  std::uint64_t id = 0;
  unsigned flags = cudaStreamDefault;
  int priority = 0;
  std::shared_ptr<Capture> capture;  // null when the stream is not capturing
};

/// The streams of the process. Work runs on the host thread that submits it, in call order, which
/// is one of the orders that the CUDA model allows.
class StreamTable {
 public:
  static constexpr int kLeastPriority = 0;
  static constexpr int kGreatestPriority = -5;

  cudaStream_t create(unsigned flags, int priority);
  /// @returns false for a handle that is no created stream
  bool destroy(cudaStream_t handle);
  /// The stream behind a handle, the default ones included; null for a bad handle.
  [[nodiscard]] Stream* find(cudaStream_t handle);
  /// Runs the operation now, or adds it to the stream's capture.
  cudaError_t submit(cudaStream_t handle, Operation operation);
  /// True for a stream that is capturing, so that work must own its arguments.
  [[nodiscard]] bool capturing(cudaStream_t handle);

  std::shared_ptr<Capture> begin_capture(Stream& stream, cudaStream_t handle,
                                         cudaStreamCaptureMode mode);
  /// Ends the capture for every stream that joined it.
  void end_capture(const Capture& capture);
  /// A call that must wait for the device, as cudaDeviceSynchronize, is not allowed meanwhile.
  [[nodiscard]] cudaError_t refuse_while_capturing();

 private:
  Stream default_stream_;
  Stream per_thread_stream_{.id = 1, .flags = cudaStreamDefault, .priority = 0, .capture = {}};
  std::unordered_map<cudaStream_t, std::unique_ptr<Stream>> streams_;
  std::uint64_t next_id_ = 2;
  std::uint64_t next_capture_ = 1;
};

}  // namespace warpsim::cudart

#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emulator/cudart/current_device.h"
#include "emulator/cudart/per_thread.h"
#include "emulator/cudart/stream_order.h"
#include "emulator/cudart/work.h"

namespace warpsim::cudart {

struct Graph;
struct GraphNode;

/// The graph to which streams add nodes instead of running their work.
struct Capture {
  std::uint64_t id = 0;
  cudaStream_t origin = nullptr;
  cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
  Graph* graph = nullptr;
  bool owns_graph = true;  // created for this capture
  bool invalidated = false;  // by a call that cannot be captured
};

struct Stream {
  std::uint64_t id = 0;
  int device = 0;
  unsigned flags = cudaStreamDefault;
  int priority = 0;
  std::map<int, cudaLaunchAttributeValue> attributes = {};  // set by the program
  StreamClock before = {};  // its next work is ordered after this
  std::shared_ptr<Capture> capture;  // null when the stream is not capturing
  std::vector<GraphNode*> frontier;  // capturing: dependencies of the next node
  std::vector<cudaGraphNode_t> frontier_handles;  // as last given to the program

  /// Whether it synchronises with the legacy default stream.
  [[nodiscard]] bool blocking() const { return (flags & unsigned{cudaStreamNonBlocking}) == 0; }
};

/// A stream-ordered call of a host function.
[[nodiscard]] Work host_work(const cudaHostNodeParams& parameters);

/// The streams of the process. Work runs in call order, which is one of the orders allowed by CUDA,
/// but for that which comes after a kernel that waits.
class StreamTable {
 public:
  static constexpr int kLeastPriority = 0;
  static constexpr int kGreatestPriority = -5;

  explicit StreamTable(int devices);

  /// A stream of the current device.
  cudaStream_t create(unsigned flags, int priority);
  /// @returns false for a handle that is not a created stream
  bool destroy(cudaStream_t handle);
  /// The stream of a handle, including the default ones of a device; null for an invalid handle.
  [[nodiscard]] Stream* find(cudaStream_t handle) { return find(handle, current_device()); }
  [[nodiscard]] Stream* find(cudaStream_t handle, int device);
  /// Whether it is a device's legacy default stream.
  [[nodiscard]] bool is_legacy(const Stream& stream) const;
  /// Runs the operation now, or adds it to the stream's capture.
  cudaError_t submit(cudaStream_t handle, Work work);
  /// The current work; only valid while work runs.
  [[nodiscard]] const StreamWork& running() const { return running_; }
  /// Whether there may be unordered work: the program created streams, or has several devices.
  /// Work of a destroyed stream goes on.
  [[nodiscard]] bool any_unordered() const {
    return !streams_.empty() || any_destroyed_ || defaults_.size() > 1;
  }
  /// The clock of all work submitted to the stream.
  [[nodiscard]] StreamClock all_of(Stream& stream);
  /// The clock of all work submitted to streams of the device.
  [[nodiscard]] const StreamClock& all_on(int device) { return of(device).all; }
  /// Orders the stream's later work after `clock`.
  void wait(Stream& stream, const StreamClock& clock) { stream.before.join(clock); }
  /// Orders the rest of the current work after it, too.
  void wait_here(const StreamClock& clock) { running_.done.join(clock); }
  /// The current work ends at this modelled time, or begins then at the earliest.
  void running_until(double ms) { running_.done.ms = ms; }
  /// All work so far is complete, so its order no longer matters.
  void forget_order();
  /// Destroys the device's streams.
  void reset(int device);
  /// True for a stream that is capturing, so that work must own its arguments.
  [[nodiscard]] bool capturing(cudaStream_t handle);
  /// True for a stream whose work may not run at once, so that it must own its arguments.
  [[nodiscard]] bool defers(cudaStream_t handle) { return kernel_waits() || capturing(handle); }

  // A kernel that waits for a change of memory by host code or by other work does not hold up the
  // program, which continues. Work submitted now runs at once if it is not ordered after such a
  // kernel, and else when that has ended.

  /// The current work has a kernel that waits. Until kernel_ended().
  void kernel_waits_here();
  void kernel_ended();
  [[nodiscard]] bool kernel_waits() const { return !waiting_.empty(); }
  /// Whether a kernel that waits, or work after it, is part of this.
  [[nodiscard]] bool waits_for_kernel(const StreamClock& clock) const;
  /// Whether work submitted to the stream now would have to wait for such a kernel.
  [[nodiscard]] bool would_wait(cudaStream_t handle);
  /// A call cannot complete before the kernels have ended, and must then be repeated.
  void ask_to_wait() { must_wait_ = true; }
  [[nodiscard]] bool must_wait() const { return must_wait_; }
  [[nodiscard]] bool take_must_wait() { return std::exchange(must_wait_, false); }
  /// Other work runs now in place of the current one. @returns what resume() takes
  [[nodiscard]] StreamWork pause() { return std::exchange(running_, {}); }
  void resume(StreamWork work) { running_ = std::move(work); }

  void begin_capture(Stream& stream, cudaStream_t handle, cudaStreamCaptureMode mode, Graph& graph,
                     bool owns_graph);
  /// Whether the condition holds for every stream that is part of the capture.
  template <class Condition>
  [[nodiscard]] bool every_in_capture(const Capture& capture, Condition condition) const {
    for (const auto& [handle, stream] : streams_) {
      if (stream->capture.get() == &capture && !condition(*stream)) return false;
    }
    return true;
  }
  /// Ends the capture for every stream that joined it.
  void end_capture(const Capture& capture);
  /// The error of calls that wait for the device, such as cudaDeviceSynchronize, during a capture.
  [[nodiscard]] cudaError_t refuse_while_capturing();

 private:
  /// The default streams of a device.
  struct Defaults {
    Stream legacy;
    std::map<std::uint64_t, cudaStream_t> of_threads;  // by number, made at first use
    StreamClock all;  // of all streams of the device
  };
  [[nodiscard]] Defaults& of(int device) { return defaults_[static_cast<std::size_t>(device)]; }
  cudaStream_t create_on(int device, unsigned flags, int priority);
  [[nodiscard]] Stream& of_thread(int device);
  cudaError_t refuse_implicit_wait(int device);
  /// Work with its place in the order of its stream.
  struct Submitted {
    StreamWork order;
    Work work;
  };
  [[nodiscard]] StreamWork order_of(Stream& stream, const Work& work);
  [[nodiscard]] Submitted put_in_order(Stream& stream, Work work);
  void ended(const StreamWork& order);
  cudaError_t run(const Submitted& submitted);
  [[nodiscard]] bool must_be_deferred(const Submitted& submitted) const;
  cudaError_t run_beside_host(Submitted submitted);
  void run_deferred();

  std::vector<Defaults> defaults_;  // by device
  std::unordered_map<cudaStream_t, std::unique_ptr<Stream>> streams_;
  bool any_destroyed_ = false;  // since all work was last known to be complete
  std::uint64_t next_id_ = 0;
  std::uint64_t next_capture_ = 1;
  std::uint64_t submitted_ = 0;
  StreamWork running_;
  std::vector<StreamWork> waiting_;  // whose kernels wait
  bool must_wait_ = false;
  std::deque<Submitted> deferred_;  // in the order of their submission
};

}  // namespace warpsim::cudart

#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <unordered_map>

#include "emulator/cudart/streams.h"

namespace warpsim::cudart {

struct Event {
  int device = 0;
  unsigned flags = cudaEventDefault;
  bool recorded = false;
  double time_ms = 0;  // on the timeline
  StreamClock done;  // what is complete when the event is
  std::weak_ptr<Capture> capture;  // set while the last record was captured
  std::vector<GraphNode*> frontier;  // if captured: the stream's last nodes before it
};

class Runtime;
/// Records the event at the modelled time at which the work runs.
[[nodiscard]] Work record_work(Runtime& runtime, cudaEvent_t handle);

class EventTable {
 public:
  /// An event of the current device.
  cudaEvent_t create(unsigned flags);
  bool destroy(cudaEvent_t handle) { return events_.erase(handle) == 1; }
  /// Destroys the device's events.
  void reset(int device) {
    std::erase_if(events_, [&](const auto& entry) { return entry.second->device == device; });
  }
  /// Null for a bad handle.
  [[nodiscard]] Event* find(cudaEvent_t handle);

 private:
  std::unordered_map<cudaEvent_t, std::unique_ptr<Event>> events_;
};

}  // namespace warpsim::cudart
